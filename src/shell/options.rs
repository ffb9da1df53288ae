//! The command line: which options there are, and the text of `--help`.
//!
//! This file only reads the options; the rest of the shell decides what they do.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueHint};
use clap_complete::Shell;

use super::process::terminal;
use super::process::terminal::When;

/// Examples for `--help` and the manual page: what to type, and what it does.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("chainrule", "the prompt; `:help` shows what there is"),
    ("chainrule -e 'a = 3' -e ':grad a^2'", "run statements"),
    ("chainrule lesson.calc", "run a script"),
    ("echo '2^10' | chainrule", "run what a pipe brings"),
    (
        "chainrule --json lesson.calc | jq .",
        "one JSON object per answer",
    ),
];

/// Exit statuses and their meaning.
pub(crate) const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "all went well"),
    ("1", "a statement failed"),
    ("2", "wrong usage"),
    ("130", "interrupted"),
];

/// Files the program reads or writes by itself.
pub(crate) const FILES: &[(&str, &str)] = &[
    (
        "$XDG_STATE_HOME/chainrule/history",
        "history of the prompt (~/.local/state)",
    ),
    (
        "$XDG_CONFIG_HOME/chainrule/init.calc",
        "init script, run first (~/.config)",
    ),
];

/// Environment variables that have an effect.
pub(crate) const ENVIRONMENT: &[(&str, &str)] = &[
    ("NO_COLOR", "no colour, if it is set and not empty"),
    (
        "CLICOLOR_FORCE",
        "colour even where there is no terminal, if it is neither empty nor 0",
    ),
    (
        "TERM",
        "a dumb terminal gets neither colour nor a line editor",
    ),
    (
        "LC_ALL, LC_CTYPE, LANG",
        "plain characters at the prompt, unless they say UTF-8 or nothing",
    ),
];

/// The text of `--help`; `clap` replaces each `{…}`.
fn template() -> String {
    let examples: String = (EXAMPLES.iter())
        .map(|(line, meaning)| format!("  {line:<38}  {meaning}\n"))
        .collect();
    format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\nExamples:\n{examples}\n{{all-args}}{{after-help}}\n"
    )
}

/// The end of `--help`, after the options.
fn after() -> String {
    let statuses: Vec<String> = (EXIT_STATUS.iter())
        .map(|(status, meaning)| format!("{status} {meaning}"))
        .collect();
    let files: String = (FILES.iter())
        .map(|(path, what)| format!("\n  {path:<36}  {what}"))
        .collect();
    format!("Exit status: {}.\nFiles:{files}", statuses.join("; "))
}

/// A calculator that differentiates: type expressions, keep the graph, walk the chain rule.
#[derive(Clone, Debug, Default, Parser)]
#[command(name = "chainrule", version, help_template = template(), after_help = after(), max_term_width = 100)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of a command line are just that"
)]
pub(crate) struct Options {
    /// Scripts to run, one after the other in one session; `-` is standard input, which is also read when there is
    /// no FILE, no `-e` and no terminal
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<OsString>,

    /// Run this statement, before any FILE; may be given several times
    #[arg(short, long, value_name = "STATEMENT", allow_hyphen_values = true, value_hint = ValueHint::Other)]
    pub eval: Vec<OsString>,

    /// Stay at the prompt afterwards
    #[arg(short, long)]
    pub interactive: bool,

    /// Write one JSON object per answer, errors included, numbers in full
    #[arg(long)]
    pub json: bool,

    /// Do not stop at the first failing statement
    #[arg(long)]
    pub keep_going: bool,

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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=17), value_hint = ValueHint::Other)]
    pub digits: Option<u8>,

    /// Use plain characters only
    #[arg(long)]
    pub ascii: bool,

    /// Do not confirm bindings, `:set` and `:step`
    #[arg(short, long)]
    pub quiet: bool,

    /// Neither read nor write the history of the prompt
    #[arg(long)]
    pub no_history: bool,

    /// Do not read the init script
    #[arg(long)]
    pub no_init: bool,

    /// Print a script that completes these options in a shell
    #[arg(long, value_name = "SHELL", value_enum, exclusive = true)]
    pub completions: Option<Shell>,

    /// Print the manual page
    #[arg(long, exclusive = true)]
    pub man: bool,
}

impl Options {
    /// Reads the arguments of the process. `clap` also returns requests for help and the version as an `Err`.
    pub(crate) fn read(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Options, clap::Error> {
        let options = Options::try_parse_from(arguments)?;
        if options.interactive && !terminal::interactive() {
            // Without this check the scripts would run first and only then the prompt would turn out to be impossible.
            return Err(Options::command().error(
                ErrorKind::ArgumentConflict,
                "`--interactive` needs a terminal as standard input and standard output",
            ));
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Options, ErrorKind> {
        let arguments = std::iter::once("chainrule").chain(arguments.iter().copied());
        Options::try_parse_from(arguments).map_err(|error| error.kind())
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
    fn switches() {
        let options = read(&[
            "--json",
            "--keep-going",
            "-q",
            "--ascii",
            "--no-history",
            "--color",
            "never",
        ]);
        let options = options.expect("all of it is fine");
        assert!(
            options.json
                && options.keep_going
                && options.quiet
                && options.ascii
                && options.no_history
        );
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
    fn wrong_usage() {
        for (arguments, kind) in [
            (&["--digits", "0"][..], ErrorKind::ValueValidation),
            (&["--digits", "18"], ErrorKind::ValueValidation),
            (&["--digits", "many"], ErrorKind::ValueValidation),
            (&["--color", "blue"], ErrorKind::InvalidValue),
            (&["--bogus"], ErrorKind::UnknownArgument),
            (&["-e"], ErrorKind::InvalidValue),
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
