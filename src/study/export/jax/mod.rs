//! A root as a program of JAX: parameters and data as arrays, and terms that are alike as one function under `jax.vmap`.
//!
//! JAX takes the gradient itself, so only values are written. Compiling takes time with every operation in the file:
//! what is mapped over a thousand points is there once. `scope` is what a function computes, `alike` finds terms that one
//! function can compute, `plan` decides what becomes an array, `body` writes statements, `lists` names the arrays.

mod alike;
mod arrays;
mod body;
mod formula;
mod lists;
mod module;
mod plan;
mod scope;

use self::lists::{Lists, NamedArray};
use self::module::{ArrayFunction, Module};
use self::scope::Scope;
use super::files::{definition, quoted};
use super::program::{called, has_name};
use super::{Straight, mark};
use crate::ops::{Dialect, Op, library};
use crate::session::Session;

/// A program, and how many operations it has.
#[derive(Debug)]
pub struct JaxProgram {
    /// The text of the file.
    pub text: String,
    /// What is mapped counts once.
    pub operations: usize,
}

/// The program, or the operation that JAX lacks.
pub fn jax(session: &Session, straight: &Straight) -> Result<JaxProgram, &'static Op> {
    let root = &straight.root;
    let scope = Scope::below(root);
    let mut lists = Lists::of(session, &scope);
    let nodes = scope.items.iter().map(|item| &item.node);
    let own = nodes.filter(|node| node.varies() && has_name(session, node));
    let own = own.map(|node| {
        let name = called(session, node);
        name.split('[').next().unwrap_or_default().to_string()
    });
    let mut module = Module::new(session, own.collect());
    let body = body::written(&scope, &mut module, Some(&mut lists));
    if let Some(op) = module.missing {
        return Err(op);
    }
    Ok(JaxProgram {
        text: file(session, straight, &module, &lists, &body),
        operations: module.operations,
    })
}

/// A dictionary of arrays.
fn dictionary(name: &str, lists: &[&NamedArray]) -> String {
    let mut text = format!("{name} = {{\n");
    for list in lists {
        let number = lists::literal(&list.shape, &list.numbers, 8);
        text.extend(["    ", &quoted(&list.name), ": ", &number, ",\n"]);
    }
    text + "}\n"
}

/// The statements that give each array of a dictionary its variable.
fn unpacked(name: &str, lists: &[&NamedArray]) -> String {
    let lines = lists
        .iter()
        .map(|list| format!("    {} = {name}[{}]\n", list.variable, quoted(&list.name)));
    lines.collect()
}

fn file(
    session: &Session,
    straight: &Straight,
    module: &Module,
    lists: &Lists,
    body: &ArrayFunction,
) -> String {
    let label = session.label(&straight.root);
    let (params, data): (Vec<&NamedArray>, Vec<&NamedArray>) =
        lists.arrays.iter().partition(|list| list.is_free);
    let mut functions = String::new();
    for function in &module.functions {
        functions.extend(["\n\n", function, "\n"]);
    }
    let lines: String = body
        .lines
        .iter()
        .map(|line| format!("    {line}\n"))
        .collect();
    let statements = format!("{lines}    return {}\n", body.formula.text);
    let library = library(Dialect::Jax, [functions.as_str(), statements.as_str()]);
    let library = match library.replace("\n\n", "\n\n\n") {
        none if none.is_empty() => none,
        library => format!("\n\n{library}\n"),
    };
    let (arguments, given, tables) = if data.is_empty() {
        ("params", String::new(), dictionary("params", &params))
    } else {
        let tables = dictionary("params", &params) + "\n" + &dictionary("data", &data);
        ("params, data", unpacked("data", &data), tables)
    };
    let batch: Vec<String> = lists.batched().into_iter().map(quoted).collect();
    let sharding = if batch.is_empty() {
        String::new()
    } else {
        format!(
            "
# On several devices, each with its share of the batch; their number has to divide that of the points:
# from jax.sharding import Mesh, NamedSharding, PartitionSpec
# shares = NamedSharding(Mesh(jax.devices(), \"batch\"), PartitionSpec(\"batch\"))
# data |= {{name: jax.device_put(data[name], shares) for name in [{}]}}
",
            batch.join(", ")
        )
    };
    format!(
        "# {mark}
# {definition}
# With optax or by hand: value, grad = value_and_grad({arguments})

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update(\"jax_enable_x64\", True)

{tables}{sharding}{library}{functions}

def f({arguments}):
    \"\"\"The value at these parameters.\"\"\"
{unpacked}{given}{statements}

value_and_grad = jax.jit(jax.value_and_grad(f))


if __name__ == \"__main__\":
    value, grad = value_and_grad({arguments})
    print(\"%s %.17g\" % ({label}, value))
    for name in params:
        for at, slope in np.ndenumerate(grad[name]):
            print(\"%s %.17g\" % (name + \"\".join(f\"[{{i + 1}}]\" for i in at), slope))
",
        mark = mark(),
        definition = definition(
            &session.label(&straight.root),
            &session.expression(&straight.root)
        ),
        unpacked = unpacked("params", &params),
        label = quoted(&label),
    )
}
