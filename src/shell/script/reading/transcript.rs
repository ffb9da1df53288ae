//! Sessions that are pasted or piped with their prompts: `∂> `, Python's `>>> ` and `... `, a notebook's `In [1]: `.
//!
//! A source is a transcript if its first line that is neither blank nor a comment has a prompt; what programs write when
//! they start may stand above. In a transcript, a line without a prompt is an answer and is left out, except in the cells
//! of a notebook, which have `In [1]:` and `Out[1]:` on lines of their own. In other sources, a prompt is only taken off
//! its line, and no line is left out. A prompt is replaced by as many blanks, so that columns stay those of the user's
//! own text.

use std::borrow::Cow;

use crate::session::settings::PROMPT;
use crate::syntax;

/// What `--ascii` makes of the prompt. It is a comparison, too.
const PLAIN_PROMPT: &str = "d>";

/// Reads the lines of one source.
pub(crate) struct Transcript {
    /// The prompts that this program shows.
    own: Vec<String>,
    kind: SourceKind,
    /// The line before had a prompt.
    follows: bool,
}

/// What the lines read so far say of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SourceKind {
    /// Nothing: they are blank, or comments, or a greeting.
    Open,
    /// It has statements without prompts.
    Script,
    /// It is a transcript, and a line without a prompt is an answer.
    Transcript,
    /// It is a notebook, and the next lines are those of a cell.
    Cell,
    /// It is a notebook, and up to the next cell everything is an answer.
    Output,
}

/// A line of a source.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SourceLine<'l> {
    /// A line without a prompt, in a source without prompts.
    Plain(Cow<'l, str>),
    /// A line that begins a statement.
    First(Cow<'l, str>),
    /// A line that goes on with the statement before it.
    Next(Cow<'l, str>),
    /// An answer in a transcript.
    Answer,
}

impl SourceLine<'_> {
    /// What is read of it.
    pub(crate) fn text(&self) -> &str {
        match self {
            SourceLine::Plain(line) | SourceLine::First(line) | SourceLine::Next(line) => line,
            SourceLine::Answer => "",
        }
    }
}

/// What a prompt says of its line.
enum Prompt {
    First,
    Next,
    /// The next line of a cell: a statement of its own, or the rest of one.
    Cell,
    /// An answer, on this line and below it.
    Output,
}

impl Transcript {
    /// Knows the usual prompts and this one.
    pub(crate) fn new(prompt: &str) -> Transcript {
        let prompts = [PROMPT, prompt, PLAIN_PROMPT].map(|prompt| prompt.trim().to_string());
        Transcript {
            own: prompts
                .into_iter()
                .filter(|prompt| !prompt.is_empty())
                .collect(),
            kind: SourceKind::Open,
            follows: false,
        }
    }

    /// What the next line is. `is_statement` says whether a line that begins with a prompt like `d>` is meant as it stands.
    pub(crate) fn read<'l>(
        &mut self,
        line: &'l str,
        is_statement: impl Fn(&str) -> bool,
    ) -> SourceLine<'l> {
        // Most lines of a script: only at its beginning a prompt may begin like a name.
        if self.kind == SourceKind::Script && line.starts_with(|c: char| c.is_ascii_lowercase()) {
            self.follows = false;
            return SourceLine::Plain(Cow::Borrowed(line));
        }
        let code = line.trim();
        if self.kind == SourceKind::Open && greets(code) {
            return SourceLine::Answer;
        }
        let found = self.prompt(line, is_statement);
        let Some((length, prompt)) = found else {
            if code.is_empty() || self.kind == SourceKind::Open && code.starts_with('#') {
                return SourceLine::Plain(Cow::Borrowed(line));
            }
            self.follows = false;
            return match self.kind {
                SourceKind::Transcript | SourceKind::Output => SourceLine::Answer,
                SourceKind::Cell => SourceLine::Plain(Cow::Borrowed(line)),
                SourceKind::Open | SourceKind::Script => {
                    self.kind = SourceKind::Script;
                    SourceLine::Plain(Cow::Borrowed(line))
                }
            };
        };
        self.follows = true;
        if let Prompt::Output = prompt {
            if self.kind == SourceKind::Script {
                return SourceLine::Plain(Cow::Borrowed(line));
            }
            self.kind = SourceKind::Output;
            return SourceLine::Answer;
        }
        let (before, rest) = line.split_at(length);
        let is_cell = before.trim_start().starts_with("In") && rest.trim().is_empty();
        if self.kind != SourceKind::Script {
            self.kind = if is_cell {
                SourceKind::Cell
            } else {
                SourceKind::Transcript
            };
        }
        let line = Cow::Owned(" ".repeat(before.chars().count()) + rest);
        match prompt {
            Prompt::First => SourceLine::First(line),
            Prompt::Next => SourceLine::Next(line),
            Prompt::Cell | Prompt::Output => SourceLine::Plain(line),
        }
    }

    /// How many bytes of a line are a prompt, and of which kind.
    fn prompt(&self, line: &str, is_statement: impl Fn(&str) -> bool) -> Option<(usize, Prompt)> {
        let code = line.trim_start_matches([' ', '\t']);
        let blanks = line.len() - code.len();
        let ends = |length: usize| code[length..].is_empty() || code[length..].starts_with(' ');
        if code.starts_with(">>>") {
            return Some((blanks + 3, Prompt::First));
        }
        // Alone, `...` is a statement of Python that does nothing.
        if code.starts_with("...:") && self.follows {
            return Some((blanks + 4, Prompt::Cell));
        }
        if code.starts_with("...") && ends(3) && self.follows {
            return Some((blanks + 3, Prompt::Next));
        }
        if let Some(length) = cell(code, "In") {
            return Some((blanks + length, Prompt::First));
        }
        if let Some(length) = cell(code, "Out") {
            return Some((blanks + length, Prompt::Output));
        }
        let shown = |own: &&String| {
            if !code.starts_with(own.as_str()) {
                return false;
            }
            if own.as_str() == PROMPT.trim() {
                return true;
            }
            // Other prompts may be the beginning of a statement, so they count only where a source begins with them.
            let begun = matches!(
                self.kind,
                SourceKind::Transcript | SourceKind::Cell | SourceKind::Output
            );
            let begins = self.kind == SourceKind::Open && code.len() > own.len();
            ends(own.len()) && (begun || begins) && !is_statement(code)
        };
        if let Some(own) = self.own.iter().find(shown) {
            return Some((blanks + own.len(), Prompt::First));
        }
        // The margin below a prompt of this program.
        let margin = ["…", ".."]
            .iter()
            .find(|mark| self.follows && code.starts_with(**mark) && ends(mark.len()));
        margin.map(|mark| (blanks + mark.len(), Prompt::Next))
    }
}

/// Does a line of an answer look like a statement after its prompt, as in an example of the help?
pub(crate) fn shows_prompt(answer: &str) -> bool {
    answer.lines().any(|line| {
        let code = line.trim_start();
        let signs = [PROMPT.trim(), PLAIN_PROMPT, ">>>", "...:"];
        signs.iter().any(|sign| code.starts_with(sign)) || cell(code, "In").is_some()
    })
}

/// Is it a line that programs write when they start, or the one that starts them?
fn greets(line: &str) -> bool {
    let version = |name| {
        let rest = line
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(' '));
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let starts = |rest: &str| {
        let program = rest.split(' ').next().unwrap_or_default();
        ["chainrule", "python", "python3", "ipython"].contains(&program)
    };
    let shell = ["$ ", "% "].iter().find_map(|sign| line.split_once(sign));
    ["chainrule", "Python", "IPython"].into_iter().any(version)
        || [
            "new here? :tour",
            "Type \"help\"",
            "Type 'copyright'",
            "[GCC ",
            "[Clang ",
            "[MSC ",
        ]
        .iter()
        .any(|begin| line.starts_with(begin))
        || shell.is_some_and(|(_, rest)| starts(rest))
}

/// The length of `In [1]:` or `Out[1]:`, if the line begins with it.
fn cell(code: &str, word: &str) -> Option<usize> {
    let rest = code.strip_prefix(word)?.trim_start().strip_prefix('[')?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == '*');
    Some(code.len() - rest.strip_prefix("]:")?.len())
}

/// A text with blanks for prompts, and without the answers of a transcript.
pub(crate) fn without_prompts(text: &str, prompt: &str) -> String {
    let mut transcript = Transcript::new(prompt);
    let mut plain = String::new();
    for line in text.lines() {
        plain.push_str(transcript.read(line, syntax_reads).text());
        plain.push('\n');
    }
    plain
}

/// Is the line a statement as it stands, whatever its names mean?
pub(crate) fn syntax_reads(line: &str) -> bool {
    let mut cuts = syntax::statements(line);
    cuts.all(|cut| cut.is_ok_and(|cut| syntax::statement(line, &cut).is_ok()))
}

#[cfg(test)]
mod tests {
    use super::{SourceLine, Transcript, shows_prompt};

    /// What each line of a source is: a sign for its kind, and what is read.
    fn read(source: &str) -> Vec<String> {
        let mut transcript = Transcript::new("$ ");
        let kind = |line| match transcript.read(line, |line| line.starts_with("d> 2")) {
            SourceLine::Plain(line) => format!("={line}"),
            SourceLine::First(line) => format!("1{line}"),
            SourceLine::Next(line) => format!("+{line}"),
            SourceLine::Answer => "-".to_string(),
        };
        source.lines().map(kind).collect()
    }

    #[test]
    fn prompts_become_blanks_and_answers_are_left_out() {
        for (source, expected) in [
            ("a\nb", vec!["=a", "=b"]),
            (
                ">>> a\n2\n>>> (b +\n... c)\n\n5",
                vec!["1    a", "-", "1    (b +", "+    c)", "=", "-"],
            ),
            ("  >>> a\n>>>\n...", vec!["1      a", "1   ", "+   "]),
            // Not a transcript: a prompt is taken off, and nothing is left out.
            (
                "a\n>>> b\n... c\n2\n... d",
                vec!["=a", "1    b", "+    c", "=2", "=... d"],
            ),
            ("...\na\n  ...\n∂>b", vec!["=...", "=a", "=  ...", "1  b"]),
            ("Out[1]: 2\n3\nIn [2]: a", vec!["-", "-", "1        a"]),
            ("a\nOut[1]: 2\n3", vec!["=a", "=Out[1]: 2", "=3"]),
            // What stands above the first prompt.
            (
                "# b\n\nme@here:~$ chainrule -q\nchainrule 0.1.0: type\n∂>a\n2",
                vec!["=# b", "=", "-", "-", "1  a", "-"],
            ),
            (
                "Python 3.12.1 (main)\n[GCC 13] on linux\nType \"help\"\n>>> a",
                vec!["-", "-", "-", "1    a"],
            ),
            ("chainrule = 2\n5", vec!["=chainrule = 2", "=5"]),
            (
                "In [1]: a\n   ...: b\nOut[1]: 3\n\nIn [12]: c",
                vec!["1        a", "=        b", "-", "=", "1         c"],
            ),
            (
                "In [3]:\na\nIn[4]: b\nOut",
                vec!["1       ", "=a", "1       b", "-"],
            ),
            (
                "In [3]:\na\nOut[3]:\n6\n7\nIn [4]:\nb",
                vec!["1       ", "=a", "-", "-", "-", "1       ", "=b"],
            ),
            (
                "∂> a\na = 2\n∂> (b\n … c)\n3",
                vec!["1   a", "-", "1   (b", "+   c)", "-"],
            ),
            ("$ a\n2\n$", vec!["1  a", "-", "1 "]),
            // An answer may begin with a margin, too.
            (
                "∂> a\n … b\n2\n… | c\n... d\n\n.. e",
                vec!["1   a", "+   b", "-", "-", "-", "=", "-"],
            ),
            ("... a\n>>> b", vec!["=... a", "1    b"]),
            ("a\nd> b\n2", vec!["=a", "=d> b", "=2"]),
            ("d> a = 1\n1\nd> a", vec!["1   a = 1", "-", "1   a"]),
            (
                "d> 2\n… a\n...a\nInf",
                vec!["=d> 2", "=… a", "=...a", "=Inf"],
            ),
        ] {
            assert_eq!(read(source), expected, "{source}");
        }
    }

    #[test]
    fn answers_that_look_like_statements() {
        for (answer, expected) in [
            ("L = 5\n  a   2\n", false),
            ("a\n\n  ∂> a = 2\n", true),
            ("d> a\n", true),
            ("  In [1]: a\n", true),
            ("type `>>> a`\n… | b\n", false),
        ] {
            assert_eq!(shows_prompt(answer), expected, "{answer}");
        }
    }
}
