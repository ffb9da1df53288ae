//! `:export T FILE`: T and its gradient for other programs, or lists as a table.
//!
//! The ending of the file decides the format. `study` makes the text.

use std::rc::Rc;

use super::leaf_search::leaf_count;
use super::list_columns;
use crate::commands::prelude::*;
use crate::commands::signatures::export::{FILE, SIGNATURE, T};
use crate::commands::{FileRequest, table_file};
use crate::session::Contents;
use crate::study::{self, Computation, Dialect, FunctionCall, MOST_LINES, Refusal};
use chainrule_language::Span;
use chainrule_report::{Block, Fact, Report, count_text, say};

/// The format of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Program(Dialect),
    Formulas,
}

/// The endings of models. The first one that fits decides, so a longer one stands before its end.
const FORMATS: &[(&str, Format)] = &[
    (".jax.py", Format::Program(Dialect::Jax)),
    (".c", Format::Program(Dialect::C)),
    (".py", Format::Program(Dialect::Python)),
    (".tex", Format::Formulas),
];

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.file(FILE)?;
    let path = file.path.to_ascii_lowercase();
    let format = FORMATS.iter().find(|(ending, _)| path.ends_with(ending));
    session.look(|session| match format {
        Some((_, format)) => model(session, arguments, &file, *format),
        None => table(session, arguments, &file),
    })
}

/// Writes lists as columns.
fn table(
    session: &mut Session,
    arguments: &Arguments,
    file: &FileRequest,
) -> Result<Reply, Diagnostic> {
    let typed = arguments.place(T);
    let table = list_columns::columns(session, arguments.text, typed)?;
    let report = Report::new(COMMAND.name, Vec::new(), vec![Block::Table(table)]);
    table_file::write_tables(session, Reply::show(report), file)
}

/// Writes a root or a function, and its gradient.
fn model(
    session: &mut Session,
    arguments: &Arguments,
    file: &FileRequest,
    format: Format,
) -> Result<Reply, Diagnostic> {
    let typed = arguments.place(T);
    let function = session.functions().get(typed.of(arguments.text).trim());
    if let Some(function) = function.cloned() {
        let parameters = &function.parameters;
        let call = (&*function.name, typed);
        let done = session.look_at_call(call, parameters, 1.0, |session, root, leaves| {
            let mut computation = Computation::below(root);
            computation.function = Some(FunctionCall {
                name: Rc::clone(&function.name),
                parameters: leaves.to_vec(),
            });
            write_model(session, &computation, typed, file, format)
        });
        return done?;
    }
    let target = arguments.target(session, T)?;
    session.check_guards(std::slice::from_ref(&target.node), None, typed)?;
    let computation = Computation::below(&target.node);
    Ok(write_model(session, &computation, typed, file, format)?.with_notes(target.notes))
}

/// Writes a root with the leaves below it.
fn write_model(
    session: &mut Session,
    computation: &Computation,
    typed: Span,
    file: &FileRequest,
    format: Format,
) -> Result<Reply, Diagnostic> {
    let label = session.label(&computation.root);
    let error = |message: String| Diagnostic::new(message).at(typed);
    if !computation.root.varies() {
        return Err(error(format!(
            "`{label}` has no leaf below it to differentiate by"
        ))
        .help("a function uses its parameter: `f(x) = 3x`"));
    }
    if computation.leaves.is_empty() {
        return Err(error(format!(
            "`{label}` depends on no free leaf: all below it are frozen"
        ))
        .help("a gradient is taken by free leaves; `:thaw x` makes one of `x`"));
    }
    let language = match format {
        Format::Program(dialect) => dialect.language(),
        Format::Formulas => "TeX",
    };
    let refused = |refusal: Refusal| match refusal {
        Refusal::Lacks(op) => error(format!("{language} has no function for `{}`", op.spelling))
            .help("export a part that does without it"),
        Refusal::Long => error(format!(
            "the program for `{label}` would have more than {} lines",
            count_text(MOST_LINES)
        ))
        .help(match format {
            Format::Program(Dialect::C) => {
                "`.py` and `.jax.py` files have a loop once; or export one term of a sum"
            }
            _ => "export a part of it, such as one term of a sum",
        }),
    };
    let is_long = computation.computed.len() > MOST_LINES;
    let text = match format {
        Format::Program(Dialect::Jax) => study::jax(session, computation),
        Format::Program(Dialect::Python) => study::python(session, computation),
        _ if is_long => Err(Refusal::Long),
        Format::Program(Dialect::C) => {
            let slopes = session.derivatives(&computation.root, &computation.leaves)?;
            study::c(session, computation, &slopes)
        }
        Format::Formulas => Ok(study::tex(session, computation)?),
    };
    let text = text.map_err(refused)?;
    let line = say!(
        "exported {:name} and its gradient by {} to {:typed}",
        &*label,
        leaf_count(computation.leaves.len()),
        &*file.path
    );
    let names = computation
        .leaves
        .iter()
        .map(|leaf| Fact::Text(session.label(leaf)));
    let facts = vec![
        ("path", Fact::Text(file.path.clone())),
        ("root", Fact::Text(label)),
        ("leaves", Fact::List(names.collect())),
        ("operations", Fact::Count(computation.computed.len() as u64)),
    ];
    let contents = Contents::Text {
        text,
        own: study::is_exported,
    };
    let report = Report::confirming(COMMAND.name, facts, line);
    Reply::show(report).write(session, file, contents)
}
