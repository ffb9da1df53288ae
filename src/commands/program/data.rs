//! `:data FILE [as NAME…]`: the columns of a table in a file become lists of frozen leaves.
//!
//! The shell reads the file; the session binds the names.

use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Effect, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Fact, Line, Piece, Report, join, plural, say};
use crate::session::{ANSWERS, Session};
use crate::syntax;

/// Names of more columns are not listed in the answer.
const LISTED: usize = 12;

pub(crate) const COMMAND: Command = Command {
    name: "data",
    aliases: &[],
    group: Group::Session,
    entry: (":data FILE", "read a table"),
    arguments: &[
        Argument::needed("FILE", ArgumentKind::File)
            .means("a table of numbers, usually `.csv`; `/dev/stdin` reads piped input")
            .offering(Offers::Files(|| vec!["csv", "tsv", "txt"])),
        Argument::after("as", "NAME", ArgumentKind::Names)
            .means("a name for each column, or a single name for the list of all rows"),
    ],
    summary: "read a table of numbers: its columns become lists",
    details: "The columns are named by NAME, or else by the header. The leaves are frozen, like those of `const x = \
              [1, 2]`: `:step` does not move them unless you `:thaw x`. Cells are separated by commas, semicolons or \
              tabs; between semicolons, 1,5 is a number too. Blank lines and lines that begin with `#` are ignored. A \
              cell that is not a number is an error, and nothing is bound. A relative path in a script starts at the \
              script's folder. See `:help data-files` for more, and `:help words` for what `data` means in tables.",
    example: "
∂> :plot x^2 x=0..4 parabola.csv
drew 1 curve into parabola.csv
∂> :data parabola.csv as x y
x, y: 401 rows
∂> mean(y)
5.34
∂> :data parabola.csv as points
points: 401 rows
∂> points[3]
[0.02, 0.0004]
",
    run,
};

fn run(_: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(file) = arguments.path("FILE")? else {
        return Ok(Reply::default());
    };
    let mut names: Vec<String> = Vec::new();
    for &word in arguments.words("NAME") {
        let name = word.of(arguments.text);
        if !syntax::is_name(name) {
            return Err(Diagnostic::new(format!("`{name}` is not a name"))
                .at(word)
                .help("a name has letters, digits and `_`, and begins with no digit"));
        }
        if ANSWERS.contains(&name) {
            return Err(Diagnostic::new(format!("`{name}` cannot be bound"))
                .at(word)
                .label("always the last result")
                .help("choose another name"));
        }
        if names.iter().any(|other| other == name) {
            return Err(Diagnostic::new(format!("`{name}` is given twice"))
                .at(word)
                .help("each column needs a name of its own"));
        }
        names.push(name.to_string());
    }
    let named = arguments.stretch("NAME").unwrap_or(arguments.word);
    Ok(Reply {
        effect: Some(
            Effect::Data {
                file,
                names,
                named: named.into(),
            }
            .into(),
        ),
        ..Reply::default()
    })
}

/// What was read.
#[derive(Debug)]
pub struct DataRead {
    /// The file, as typed.
    pub path: String,
    /// The names that were bound.
    pub names: Vec<String>,
    /// How many rows the table has.
    pub rows: usize,
}

impl DataRead {
    /// The report.
    pub fn report(self) -> Report {
        let DataRead { path, names, rows } = self;
        let shown = names.iter().take(LISTED);
        let mut line: Line = join(shown.map(|name| vec![Piece::name(name.as_str())]), ", ");
        if names.len() > LISTED {
            line.extend(say!(" and {} more", names.len() - LISTED));
        }
        line.extend(say!(": {}", plural(rows, "row")));
        let facts = vec![
            ("path", Fact::Text(path)),
            (
                "names",
                Fact::List(names.into_iter().map(Fact::Text).collect()),
            ),
            ("rows", Fact::Count(rows as u64)),
        ];
        Report::done(COMMAND.name, facts, line)
    }
}
