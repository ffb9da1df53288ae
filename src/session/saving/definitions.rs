//! The function definitions of a saved session, which recreate the functions in their order.
//!
//! Names in a body must exist when it is defined. The session may have deleted some since, or redefined a function with
//! another number of parameters. Temporary definitions are written for these.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ops;
use crate::session::Session;
use crate::session::functions::{Function, is_built_in_of};
use crate::session::naming::ANSWERS;

impl Session {
    /// Writes the definitions, and returns whether names are bound on the way.
    pub(crate) fn define_again(&self, text: &mut String) -> bool {
        let functions: Vec<&Function> = self.functions.iter().map(|function| &**function).collect();
        if self.reads_in_order(&functions) {
            for function in functions {
                write_definition(text, function);
            }
            return false;
        }
        let missing = self.missing_names(&functions);
        for name in &missing {
            if ANSWERS.contains(&&**name) {
                text.push_str("0;\n");
            } else {
                let _ = writeln!(text, "{name} = 0;");
            }
        }
        for function in &functions {
            let _ = writeln!(text, "{} = 0;", function.head());
        }
        // Callers come before callees, so a temporary definition never replaces a final one.
        let mut gone: Vec<&str> = Vec::new();
        let mut stood_in: FxHashSet<&str> = FxHashSet::default();
        for function in callers_first(&functions) {
            for (callee, count) in function.calls() {
                if self.functions.get(callee).is_none() {
                    if is_built_in_of(callee, count) && !stood_in.contains(&**callee) {
                        continue;
                    }
                    if stood_in.insert(callee) {
                        gone.push(callee);
                    }
                }
                let parameters: Vec<String> = parameters(count).collect();
                let _ = writeln!(text, "{callee}({}) = 0;", parameters.join(", "));
            }
            write_definition(text, function);
        }
        for name in gone {
            let _ = writeln!(text, ":del {name}();");
        }
        for name in missing.iter().filter(|name| !ANSWERS.contains(&&***name)) {
            let _ = writeln!(text, ":del {name} as unnamed;");
        }
        !missing.is_empty()
    }

    /// Whether each definition finds everything it names when they are written in order.
    fn reads_in_order(&self, functions: &[&Function]) -> bool {
        let mut arity: FxHashMap<&str, usize> = FxHashMap::default();
        for function in functions {
            let finds = |callee: &str, count: usize| match arity.get(callee) {
                Some(&takes) => takes == count,
                None => is_built_in_of(callee, count),
            };
            if !function.calls().all(|(callee, count)| finds(callee, count)) {
                return false;
            }
            arity.insert(&function.name, function.parameters.len());
        }
        self.missing_names(functions).is_empty()
    }

    /// Names in bodies that no longer exist.
    fn missing_names(&self, functions: &[&Function]) -> Vec<Rc<str>> {
        let mut missing: Vec<Rc<str>> = Vec::new();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for name in functions.iter().flat_map(|function| function.names()) {
            let found = self.names.find(name).is_some() || ops::constant(name).is_some();
            if !found && seen.insert(name) {
                missing.push(Rc::clone(name));
            }
        }
        missing
    }
}

/// Writes the definition of a function, between its comments.
fn write_definition(text: &mut String, function: &Function) {
    let definition = format!("{} = {};\n", function.head(), function.body);
    match function.comment.get() {
        Some(comment) => comment.write_around(text, &definition),
        None => text.push_str(&definition),
    }
}

/// The functions, callers before callees: a topological order, which exists because recursion is not allowed.
fn callers_first<'f>(functions: &[&'f Function]) -> Vec<&'f Function> {
    let by_name: FxHashMap<&str, &Function> = functions
        .iter()
        .map(|function| (&*function.name, *function))
        .collect();
    let mut done: FxHashSet<&str> = FxHashSet::default();
    let mut order: Vec<&Function> = Vec::new();
    for function in functions {
        // Each function is visited twice: first to put those it calls before it, then to put the function itself.
        let mut waiting = vec![(*function, false)];
        while let Some((function, ready)) = waiting.pop() {
            if ready {
                order.push(function);
            } else if done.insert(&function.name) {
                waiting.push((function, true));
                let callees = function
                    .calls()
                    .filter_map(|(name, _)| by_name.get(&**name));
                waiting.extend(callees.map(|callee| (*callee, false)));
            }
        }
    }
    order.reverse();
    order
}

/// `x0`, `x1`, `x2`
pub(crate) fn parameters(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|place| format!("x{place}"))
}
