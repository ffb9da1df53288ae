//! Sessions that are pasted or piped with their prompts: `∂> `, Python's `>>> ` and `... `, a notebook's `In [1]: `.
//!
//! From the first line with a prompt on, a line without one is an answer and is left out. A prompt is replaced by as many
//! blanks, so that columns stay those of the user's own text. A cell that was copied from a notebook has `In [1]:` on a
//! line of its own and no prompts before its lines, so after such a line everything is read again.

use std::borrow::Cow;

use crate::session::settings::PROMPT;
use crate::syntax;

/// What `--ascii` makes of the prompt. It is a comparison, too.
const PLAIN_PROMPT: &str = "d>";

/// Reads the lines of one source.
pub(crate) struct Transcript {
    /// The prompts that this program shows.
    own: Vec<String>,
    /// A line had a prompt.
    begun: bool,
    /// Only blank lines were read so far.
    is_new: bool,
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
            begun: false,
            is_new: true,
        }
    }

    /// What the next line is. `is_statement` says whether a line that begins with a prompt like `d>` is meant as it stands.
    pub(crate) fn read<'l>(
        &mut self,
        line: &'l str,
        is_statement: impl Fn(&str) -> bool,
    ) -> SourceLine<'l> {
        let found = self.prompt(line, is_statement);
        self.is_new &= line.trim().is_empty();
        let Some((length, prompt)) = found else {
            if self.begun && !line.trim().is_empty() {
                return SourceLine::Answer;
            }
            return SourceLine::Plain(Cow::Borrowed(line));
        };
        let (before, rest) = line.split_at(length);
        let is_cell = before.starts_with("In") && rest.trim().is_empty();
        self.begun = !is_cell;
        let line = Cow::Owned(" ".repeat(before.chars().count()) + rest);
        match prompt {
            Prompt::First => SourceLine::First(line),
            Prompt::Next => SourceLine::Next(line),
            Prompt::Cell => SourceLine::Plain(line),
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
        if code.starts_with("...:") {
            return Some((blanks + 4, Prompt::Cell));
        }
        if code.starts_with("...") && ends(3) {
            return Some((blanks + 3, Prompt::Next));
        }
        if let Some(length) = cell(code) {
            return Some((blanks + length, Prompt::First));
        }
        let shown = |own: &&String| {
            if !code.starts_with(own.as_str()) || !ends(own.len()) {
                return false;
            }
            // Other prompts may be the beginning of a statement, so they count only where a source begins with them.
            let begins = self.is_new && code.len() > own.len();
            own.as_str() == PROMPT.trim() || (self.begun || begins) && !is_statement(code)
        };
        if let Some(own) = self.own.iter().find(shown) {
            return Some((blanks + own.len(), Prompt::First));
        }
        // The margin below a prompt of this program.
        let margin = ["…", ".."]
            .iter()
            .find(|mark| self.begun && code.starts_with(**mark) && ends(mark.len()));
        margin.map(|mark| (blanks + mark.len(), Prompt::Next))
    }
}

/// The length of `In [1]:`, if the line begins with it.
fn cell(code: &str) -> Option<usize> {
    let rest = code.strip_prefix("In")?.trim_start().strip_prefix('[')?;
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
    use super::{SourceLine, Transcript};

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
            (
                "In [1]: a\n   ...: b\nOut[1]: 3\n\nIn [12]: c",
                vec!["1        a", "=        b", "-", "=", "1         c"],
            ),
            (
                "In [3]:\na\nIn[4]: b\nOut",
                vec!["1       ", "=a", "1       b", "-"],
            ),
            (
                "∂> a\na = 2\n∂> (b\n … c)\n3",
                vec!["1   a", "-", "1   (b", "+   c)", "-"],
            ),
            ("$ a\n2\n$", vec!["1  a", "-", "1 "]),
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
}
