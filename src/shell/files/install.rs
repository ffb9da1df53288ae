//! What a package installs beside the program: shell completion scripts and the manual page.
//!
//! Both are generated from the definition of the options and the list of commands, so they cannot disagree with
//! `--help`.

use std::fmt::Write as _;

use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::commands::{COMMANDS, Group};
use crate::shell::options::{ENVIRONMENT, EXAMPLES, EXIT_STATUS, FILES, Options};

/// The shell script that completes the options of this program.
pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    let mut command = Options::command();
    let name = command.get_name().to_string();
    generate(shell, &mut command, name, &mut script);
    script
}

/// The manual page.
pub(crate) fn manual() -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(Options::command()).manual("User Commands");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    let mut rest = Roff::new();
    description(&mut rest);
    rest.to_writer(&mut page)?;
    man.render_options_section(&mut page)?;
    let mut rest = Roff::new();
    commands(&mut rest);
    section(&mut rest, "EXIT STATUS", EXIT_STATUS);
    section(&mut rest, "ENVIRONMENT", ENVIRONMENT);
    section(&mut rest, "FILES", FILES);
    section(&mut rest, "EXAMPLES", EXAMPLES);
    rest.to_writer(&mut page)?;
    Ok(tidied(&page))
}

/// Cleans up the generated page. Each section repeats the definitions of the same two strings, of which the first
/// suffices. Empty lines make some man page viewers complain, and some understand ASCII only.
fn tidied(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    let mut out = String::with_capacity(page.len());
    let mut defined = 0;
    for line in page.lines().map(str::trim_end) {
        let defines = line.starts_with(".ie ") || line.starts_with(".el ");
        defined += usize::from(defines);
        if line.is_empty() || defines && defined > 2 {
            continue;
        }
        for c in line.chars() {
            if c.is_ascii() {
                out.push(c);
            } else {
                // Writing into a string cannot fail.
                let _ = write!(out, "\\[u{:04X}]", u32::from(c));
            }
        }
        out.push('\n');
    }
    out.into_bytes()
}

/// Writes the section DESCRIPTION.
fn description(page: &mut Roff) {
    page.control("SH", ["DESCRIPTION"]);
    for &paragraph in &DESCRIPTION {
        page.control("PP", []);
        page.text([roman(paragraph)]);
    }
}

const DESCRIPTION: [&str; 2] = [
    "chainrule evaluates expressions and keeps the graph behind them. It takes the gradient of any value by every \
     node below it, walks the chain rule through the graph one node at a time, and shows every number on the way.",
    "Without a FILE on a terminal it is a prompt, without one in a pipe it reads standard input. What a script prints \
     is what the prompt prints, without prompts and colour; errors go to standard error with file, line and column.",
];

/// Writes a section of terms and their meanings.
fn section(page: &mut Roff, title: &str, rows: &[(&str, &str)]) {
    page.control("SH", [title]);
    for (term, meaning) in rows {
        page.control("TP", []);
        page.text([bold(*term)]);
        page.text([roman(*meaning)]);
    }
}

/// Writes the section COMMANDS.
fn commands(page: &mut Roff) {
    page.control("SH", ["COMMANDS"]);
    page.text([roman(
        "Statements are expressions (a*b + c), bindings (L = a*b + c), functions (f(x) = x^2) and commands. \
         :help NAME says more about each command, with an example.",
    )]);
    for (group, _, heading) in Group::ALL {
        page.control("SS", [heading]);
        for command in COMMANDS.iter().filter(|command| command.group == group) {
            page.control("TP", []);
            page.text([bold(command.usage())]);
            page.text([roman(command.summary.replace('`', ""))]);
        }
    }
}
