//! `:export T FILE`: T and its gradient for other programs, or lists as a table.
//!
//! The ending of the file selects the format. `write` makes the text of a program and of a document; a table of lists is
//! made here. The page is `docs/commands/export.md`.

mod write;

pub use self::write::MOST_LINES;

use self::write::{
    Computation, Dialect, FunctionCall, Refusal, c, is_exported, jax, python, tex_document,
};
use crate::command::prelude::*;
use crate::command::signatures::export::{FILE, SIGNATURE, T};
use chainrule_formulas::look_at_call;
use chainrule_language::{Expression, ItemKind, Property};
use chainrule_program::values::ListShape;
use chainrule_program::{Environment as _, Purpose};
use chainrule_session::{Contents, explain};

/// The endings of models, with the dialects of the programs; `None` means formulas. The first ending that fits counts, so
/// `.np.py` stands before `.py`.
const FORMATS: &[(&str, Option<Dialect>)] = &[
    (".jax.py", Some(Dialect::Jax)),
    (".np.py", Some(Dialect::NumPy)),
    (".c", Some(Dialect::C)),
    (".py", Some(Dialect::Python)),
    (".tex", None),
];

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let file = arguments.file(FILE)?;
    session.look(|session| write_typed(session, arguments, &file))
}

/// Writes the root or the function that the user typed, and its gradient, or else lists as columns.
fn write_typed(session: &mut Session, arguments: &Arguments, file: &FileRequest) -> Result<Reply> {
    let typed = arguments.place(T);
    let path = file.path.to_ascii_lowercase();
    let Some(&(_, dialect)) = FORMATS.iter().find(|(ending, _)| path.ends_with(ending)) else {
        let table = columns_table(session, arguments.text, typed)?;
        let report = Report::new(&COMMAND, Vec::new(), vec![Block::Table(table)]);
        return Reply::show(report).write_tables(session, file);
    };
    let function = session.functions().get(typed.of(arguments.text).trim());
    if let Some(function) = function.cloned() {
        let call = (&*function.name, typed);
        let names = &function.parameters;
        session.program_mut().purpose = Purpose::Samples;
        return look_at_call(session, call, names, |session, root, leaves| {
            let mut computation = Computation::below(root);
            let (name, parameters) = (Rc::clone(&function.name), leaves.to_vec());
            computation.function = Some(FunctionCall { name, parameters });
            write_model(session, &computation, typed, file, dialect)
        })?;
    }
    let target = arguments.typed_target(session, T)?;
    session.check_guards(std::slice::from_ref(&target.node), None, typed)?;
    let computation = Computation::below(&target.node);
    Ok(write_model(session, &computation, typed, file, dialect)?.with_notes(target.notes))
}

fn write_model(
    session: &mut Session,
    computation: &Computation,
    typed: Span,
    file: &FileRequest,
    dialect: Option<Dialect>,
) -> Result<Reply> {
    let label = session.label(&computation.root);
    check_leaves(computation, &label).map_err(|error| error.at(typed))?;
    let refuse = |refusal| refusal_error(refusal, dialect, &label).at(typed);
    let carried = computation
        .computed
        .iter()
        .find(|it| it.carried().is_some());
    if let Some(op) = carried.and_then(|node| node.op()) {
        return Err(refuse(Refusal::MissingFunction(op)));
    }
    let text = match dialect {
        Some(Dialect::Jax) => jax(session, computation).map_err(refuse)?,
        Some(dialect @ (Dialect::Python | Dialect::NumPy)) => {
            python(session, computation, dialect).map_err(refuse)?
        }
        // Python and JAX keep loops, so only their writers know the number of lines. C and TeX have one for each operation.
        _ if computation.computed.len() > MOST_LINES => return Err(refuse(Refusal::TooLong)),
        Some(Dialect::C) => {
            let slopes = session
                .program_mut()
                .derivatives(&computation.root, &computation.leaves)?;
            c(session, computation, &slopes).map_err(refuse)?
        }
        None => tex_document(session, computation)?,
    };
    let leaves = &computation.leaves;
    let line = say!(
        "exported {:name} and its gradient by {} to {:typed}",
        &*label,
        plural(leaves.len(), "leaf"),
        &*file.path
    );
    let names = leaves.iter().map(|leaf| Fact::Text(session.label(leaf)));
    let facts = vec![
        ("path", Fact::Text(file.path.clone())),
        ("root", Fact::Text(label)),
        ("leaves", Fact::List(names.collect())),
        ("operations", Fact::Count(computation.computed.len() as u64)),
    ];
    let contents = Contents::Text {
        text,
        own: is_exported,
    };
    let report = Report::confirming(&COMMAND, facts, line);
    Reply::show(report).write(session, file, contents)
}

/// Refuses a root without a free leaf to differentiate by.
fn check_leaves(computation: &Computation, label: &str) -> Result<()> {
    if !computation.root.varies() {
        let message = format!("`{label}` has no leaf below it to differentiate by");
        return Err(Diagnostic::new(message).help("a function uses its parameter: `NAME(x) = 3x`"));
    }
    if computation.leaves.is_empty() {
        let message = format!("`{label}` depends on no free leaf: all below it are frozen");
        return Err(Diagnostic::new(message)
            .help("a gradient is taken by free leaves; `:thaw LEAF` makes one of a frozen leaf"));
    }
    Ok(())
}

fn refusal_error(refusal: Refusal, dialect: Option<Dialect>, label: &str) -> Diagnostic {
    match refusal {
        Refusal::MissingFunction(op) => {
            let language = dialect.map_or("TeX", Dialect::language);
            let name = op.spelling;
            let message =
                format!("`:export` cannot write `{name}` and its derivative in {language}");
            Diagnostic::new(message).help("export a part that does without it")
        }
        Refusal::TooLong => {
            let most = count_text(MOST_LINES);
            let message = format!("the program for `{label}` would have more than {most} lines");
            Diagnostic::new(message).help(match dialect {
                Some(Dialect::C) => {
                    "programs in Python have a loop once; or export one term of a sum"
                }
                _ => "export a part of it, such as one term of a sum",
            })
        }
    }
}

/// The table of the lists between commas, side by side, each a column or the columns of a list of rows. Its text is the
/// heading. A column `sigma` follows numbers with a `±` other than 0, unless a part is `….sigma`. `:data` reads the file
/// back bit for bit.
fn columns_table(session: &mut Session, text: &str, typed: Span) -> Result<Table> {
    let mut table = GrowingTable::default();
    let parts = language::items(text, typed).map_err(|error| explain(session, error))?;
    let sigma = ItemKind::Property(Property::Sigma);
    let is_sigma = |part: &Expression| part.items.last().is_some_and(|it| it.kind == sigma);
    let adds_sigmas = !parts.iter().any(is_sigma);
    for part in parts {
        let (value, _) = session.evaluate(text, &part)?;
        let part_text = part.span.of(text);
        let size = table_size(value.shape(), part_text).map_err(|error| error.at(part.span))?;
        let (rows, columns) = size;
        if table.columns.is_empty() {
            table.rows.resize(rows, Vec::new());
        }
        if table.rows.len() != rows {
            let message = format!(
                "columns have one length: `{part_text}` has {}, what stands before it {}",
                plural(rows, "number"),
                table.rows.len()
            );
            let help = "write each into a file of its own";
            return Err(Diagnostic::new(message).at(part.span).help(help));
        }
        let data: Vec<f64> = value.nodes().iter().map(|node| node.data()).collect();
        table.add(&heading(part_text), &data, columns);
        let sigmas = session.names().uncertain.deviations(value.nodes());
        if adds_sigmas && !sigmas.is_empty() {
            table.add("sigma", &sigmas, columns);
        }
    }
    Ok(Table::new("", table.columns, table.rows))
}

/// A table to which columns are added.
#[derive(Default)]
struct GrowingTable {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl GrowingTable {
    /// Adds numbers row by row as `count` columns. Several columns get indices: `W_0`, `W_1`.
    fn add(&mut self, title: &str, numbers: &[f64], count: usize) {
        if count == 1 {
            self.columns.push(Column::people(title));
        } else {
            let titles = (0..count).map(|at| format!("{title}_{at}"));
            self.columns.extend(titles.map(Column::people));
        }
        // A list of empty rows has no columns, and `chunks` refuses the size 0.
        for (row, cells) in self.rows.iter_mut().zip(numbers.chunks(count.max(1))) {
            row.extend(cells.iter().copied().map(Cell::Number));
        }
    }
}

/// The rows and columns of a value as a table: a number is a column of one, a list a column, a list of rows a table.
fn table_size(shape: &ListShape, text: &str) -> Result<(usize, usize)> {
    match shape.lengths().as_deref() {
        Some([]) => Ok((1, 1)),
        Some(&[rows]) => Ok((rows, 1)),
        Some(&[rows, columns]) => Ok((rows, columns)),
        _ => {
            let message =
                format!("a table has numbers in rows of one length, and `{text}` is {shape}");
            let help = format!("`flat({text})` has all its numbers in one column");
            Err(Diagnostic::new(message).help(help))
        }
    }
}

/// Makes a heading of a text. It cannot be read as a number.
fn heading(typed: &str) -> String {
    let title = language::one_line(typed);
    match title.parse::<f64>() {
        Ok(_) => format!("_{title}"),
        Err(_) => title,
    }
}
