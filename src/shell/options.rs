//! The command line: its options and the text of `--help`.
//!
//! The doc comments of [`Options`] are the texts of `--help`. This file only reads the options; the rest of the shell
//! carries them out.

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};

use super::process::terminal::{self, When};
use super::script::answer_format::{AnswerFormat, TableAbove};
use super::script::runner::GivenValue;
use chainrule_language::{self as language, Span};

// Sections of `--help`.

const EXAMPLES: &str =
    "  chainrule                               start the prompt; type `:help` there
  chainrule -e 'a = 3' -e ':grad a^2'     run statements
  chainrule lesson.calc                   run a script
  chainrule --set a=9 lesson.calc         run it with another value for a
  echo '2^10' | chainrule                 run piped input
  chainrule --json lesson.calc | jq .     one JSON object per answer
  chainrule --csv lesson.calc > all.csv   its tables, for other programs
  chainrule --echo=html a.calc > a.html   the script and its answers as a page";
const EXIT_STATUS: &str = "0 all went well; 1 a statement failed; 2 wrong usage; 130 interrupted.";
const FILES: &str =
    "  $XDG_STATE_HOME/chainrule/history         history of the prompt (~/.local/state)
  $XDG_CONFIG_HOME/chainrule/settings.calc  what `:config save` keeps, run first (~/.config)
  $XDG_CONFIG_HOME/chainrule/init.calc      init script, run next";
const ENVIRONMENT: &str = "  NO_COLOR         no colours, if it is set and not empty
  CLICOLOR_FORCE   colours also where no terminal reads them, if it is set and not 0
  XDG_STATE_HOME   the folder of the history; on Windows all files are in %APPDATA%
  XDG_CONFIG_HOME  the folder of the settings and of the init script";

/// A calculator that differentiates: type expressions, keep the graph, walk the chain rule.
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "chainrule", version, max_term_width = 100)]
// `clap` replaces each `{…}` of the template.
#[command(help_template = format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\nExamples:\n{EXAMPLES}\n\n{{all-args}}{{after-help}}\n"))]
#[command(after_help = format!("Exit status: {EXIT_STATUS}\nFiles:\n{FILES}\nEnvironment:\n{ENVIRONMENT}"))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of a command line are just that"
)]
pub(crate) struct Options {
    /// Scripts to run in one session, in the order given, `-e` included; `-` is standard input, which is also read if
    /// there is no FILE, no `-e` and no terminal
    #[arg(value_name = "FILE")]
    pub files: Vec<OsString>,

    /// Run this statement; may be given several times, before and after FILEs
    #[arg(short, long, value_name = "STATEMENT", allow_hyphen_values = true)]
    pub eval: Vec<OsString>,

    /// Set the name to this value after the statement that first binds it; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = read_given_value, allow_hyphen_values = true)]
    pub set: Vec<GivenValue>,

    /// Answer the requests of a program: JSON objects, one a line, on standard input
    #[arg(long, conflicts_with_all = ["files", "eval", "set", "interactive", "json", "csv", "echo", "keep_going"])]
    pub dialogue: bool,

    /// Go on at the prompt afterwards
    #[arg(short, long)]
    pub interactive: bool,

    /// Write one JSON object per answer, errors included, numbers in full
    #[arg(long)]
    pub json: bool,

    /// Write the tables and values of the answers as comma-separated values, numbers in full
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Write a document: the comments as prose, each statement and its answer under it, in Markdown or HTML
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        require_equals = true,
        conflicts_with_all = ["json", "csv", "interactive"]
    )]
    pub echo: Option<EchoFormat>,

    /// With `--echo=html`: a worksheet, with a line to fill in for each grad and each answer to `:guess`
    #[arg(long)]
    pub gaps: bool,

    /// With `--echo=html`: the answers to the worksheet
    #[arg(long, conflicts_with = "gaps")]
    pub key: bool,

    /// Draw the random numbers of this seed, as after `:config seed N`
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,

    /// Do not stop at the first failing statement
    #[arg(long)]
    pub keep_going: bool,

    /// A NaN, an infinite number or a row of data that is left out is a failure
    #[arg(long)]
    pub strict: bool,

    /// When to use colour; `auto` obeys `NO_COLOR` and `CLICOLOR_FORCE`
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_default_value = true
    )]
    pub color: When,

    /// Significant digits to show, 1 to 17; 17 is exact [default: 12, in tables 6]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=17))]
    pub digits: Option<u8>,

    /// Do not confirm bindings, `:set` and `:step`
    #[arg(short, long)]
    pub quiet: bool,

    /// Neither read nor write the history of the prompt
    #[arg(long)]
    pub no_history: bool,

    /// Run neither the kept settings nor the init script
    #[arg(long)]
    pub no_init: bool,

    // Not an option: the texts of `eval` and `files` in the order in which they were given.
    #[arg(skip)]
    pub programs: Vec<ProgramText>,
}

/// The format of the document that `--echo` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EchoFormat {
    Md,
    Html,
}

/// A text to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProgramText {
    /// The argument of `-e`.
    Statement(OsString),
    /// The path of a FILE, or `-`.
    File(OsString),
}

/// Reads the `a=9` of `--set a=9`.
fn read_given_value(text: &str) -> Result<GivenValue, String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("a name, `=` and a value are expected")?;
    let (name, value) = (name.trim(), value.trim());
    if !language::is_name(name) {
        return Err(format!("`{name}` is not a name"));
    }
    if value.starts_with('=') {
        return Err(format!("`{name}` gets its value by one `=`"));
    }
    if value.is_empty() {
        return Err(format!("`{name}` needs a value"));
    }
    let whole = Span::new(0, value.len());
    let mut words = language::words(value, whole).into_iter();
    if words.any(|word| word.of(value) == ",") {
        return Err("one name at a time: `--set a=1 --set b=2`".to_owned());
    }
    Ok(GivenValue {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

impl Options {
    /// The format of answers before a document begins.
    pub(crate) fn answer_format(&self) -> AnswerFormat {
        if self.json {
            AnswerFormat::Json
        } else if self.csv {
            AnswerFormat::Csv(TableAbove::None)
        } else {
            AnswerFormat::Text
        }
    }

    /// Reads the arguments of the process. `clap` also returns requests for help and the version as an `Err`.
    pub(crate) fn read(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Options, clap::Error> {
        let matches = Options::command().try_get_matches_from(arguments)?;
        let mut options = Options::from_arg_matches(&matches)?;
        options.programs = options.in_given_order(&matches);
        options.check_conflicts()?;
        Ok(options)
    }

    /// The `-e` and FILE in the order they were given. `clap` keeps a list for each.
    fn in_given_order(&self, matches: &ArgMatches) -> Vec<ProgramText> {
        let places = |name: &str| matches.indices_of(name).into_iter().flatten();
        let statements = self.eval.iter().cloned().map(ProgramText::Statement);
        let files = self.files.iter().cloned().map(ProgramText::File);
        let by_place: BTreeMap<usize, ProgramText> = (places("eval").zip(statements))
            .chain(places("files").zip(files))
            .collect();
        by_place.into_values().collect()
    }

    /// Refuses options that need something else, before anything runs.
    fn check_conflicts(&self) -> Result<(), clap::Error> {
        let message = if self.interactive && !terminal::can_prompt() {
            "`--interactive` needs a terminal as standard input and standard output"
        } else if (self.gaps || self.key) && self.echo != Some(EchoFormat::Html) {
            "`--gaps` and `--key` make a worksheet of a page: `chainrule --echo=html --gaps lesson.calc > sheet.html`"
        } else if self.echo.is_some() && self.programs.is_empty() && terminal::can_prompt() {
            "`--echo` needs a script: name a FILE, give `-e STATEMENT` or use a pipe"
        } else {
            return Ok(());
        };
        Err(Options::command().error(ErrorKind::MissingRequiredArgument, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Options, ErrorKind> {
        let arguments = std::iter::once("chainrule").chain(arguments.iter().copied());
        let arguments = arguments.map(OsString::from);
        Options::read(arguments).map_err(|error| error.kind())
    }

    #[test]
    fn the_definition_is_sound() {
        Options::command().debug_assert();
    }

    #[test]
    fn statements_may_begin_with_a_hyphen() {
        let options = read(&["-e", "-2^2", "-e", "--x", "--eval=-1", "a.calc", "-"])
            .expect("all of it is fine");
        assert_eq!(options.eval, ["-2^2", "--x", "-1"]);
        assert_eq!(options.files, ["a.calc", "-"]);
        assert_eq!(read(&["--", "-e"]).expect("a file named -e").files, ["-e"]);
    }

    #[test]
    fn programs_keep_their_order() {
        let statement = |text: &str| ProgramText::Statement(text.into());
        let file = |path: &str| ProgramText::File(path.into());
        for (arguments, expected) in [
            (&[][..], vec![]),
            (
                &["-e", "1", "a", "-e", "2"],
                vec![statement("1"), file("a"), statement("2")],
            ),
            (
                &["a", "b", "-e1"],
                vec![file("a"), file("b"), statement("1")],
            ),
            (
                &["a", "--eval=-1", "-", "--", "-e"],
                vec![file("a"), statement("-1"), file("-"), file("-e")],
            ),
            (
                &["-e", "1", "--set", "a=2", "-e", "2", "a", "-q"],
                vec![statement("1"), statement("2"), file("a")],
            ),
        ] {
            let options = read(arguments).expect("all of it is fine");
            assert_eq!(options.programs, expected, "{arguments:?}");
        }
    }

    #[test]
    fn switches() {
        let options = read(&[
            "--json",
            "--keep-going",
            "-q",
            "--no-history",
            "--color",
            "never",
        ]);
        let options = options.expect("all of it is fine");
        assert!(options.json && options.keep_going && options.quiet && options.no_history);
        assert_eq!(
            (options.color, options.digits, options.interactive),
            (When::Never, None, false)
        );
        assert_eq!(
            read(&["--digits", "17"]).expect("the most").digits,
            Some(17)
        );
    }

    #[test]
    fn echo_takes_no_file_for_its_format() {
        for (arguments, echo, files) in [
            (&["--echo=md", "a"][..], EchoFormat::Md, &["a"][..]),
            (&["a", "--echo=html"], EchoFormat::Html, &["a"]),
        ] {
            let options = read(arguments).expect("all of it is fine");
            assert_eq!(options.echo, Some(echo), "{arguments:?}");
            assert_eq!(options.files, files, "{arguments:?}");
        }
    }

    #[test]
    fn wrong_usage() {
        for (arguments, kind) in [
            (&["--digits", "0"][..], ErrorKind::ValueValidation),
            (&["--digits", "18"], ErrorKind::ValueValidation),
            (&["--digits", "many"], ErrorKind::ValueValidation),
            (&["--color", "blue"], ErrorKind::InvalidValue),
            (&["--bogus"], ErrorKind::UnknownArgument),
            (&["-e"], ErrorKind::InvalidValue),
            (&["--json", "--csv"], ErrorKind::ArgumentConflict),
            (&["--csv=all.csv"], ErrorKind::TooManyValues),
            (&["--json", "--echo=md"], ErrorKind::ArgumentConflict),
            (&["--csv", "--echo=md"], ErrorKind::ArgumentConflict),
            (&["-i", "--echo=md"], ErrorKind::ArgumentConflict),
            (&["--echo"], ErrorKind::NoEquals),
            (&["--gaps", "a"], ErrorKind::MissingRequiredArgument),
            (&["--key", "a"], ErrorKind::MissingRequiredArgument),
            (
                &["--echo=html", "--gaps", "--key", "a"],
                ErrorKind::ArgumentConflict,
            ),
            (&["--seed", "one"], ErrorKind::ValueValidation),
            (
                &["--gaps", "--echo=md", "a"],
                ErrorKind::MissingRequiredArgument,
            ),
            (&["--echo", "md"], ErrorKind::NoEquals),
            (&["--echo=text"], ErrorKind::InvalidValue),
            (&["--echo=tex"], ErrorKind::InvalidValue),
            (&["--echo="], ErrorKind::InvalidValue),
            (&["--set", "a"], ErrorKind::ValueValidation),
            (&["--set", "=1"], ErrorKind::ValueValidation),
            (&["--set", "a="], ErrorKind::ValueValidation),
            (&["--set", "2a=1"], ErrorKind::ValueValidation),
            (&["--set", "a=1, b 2"], ErrorKind::ValueValidation),
            (
                &["--set", "a=1", "--set", "a=2", "--bogus"],
                ErrorKind::UnknownArgument,
            ),
            (&["-h"], ErrorKind::DisplayHelp),
            (&["-V"], ErrorKind::DisplayVersion),
        ] {
            assert_eq!(
                read(arguments).expect_err("not to be run"),
                kind,
                "{arguments:?}"
            );
        }
    }
}
