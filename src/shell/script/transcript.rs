//! Reads sessions that are pasted or piped with their prompts: `∂> `, Python's `>>> ` and `... `.
//!
//! A source is a transcript if its first line that is neither blank nor a comment has a prompt. In a transcript, a line
//! without a prompt is an answer and is left out. In other sources, a prompt is only taken off its line, and no line is
//! left out. A prompt is replaced by as many blanks, so that columns stay those of the user's own text.

use std::borrow::Cow;

use chainrule_session::settings::PROMPT;

/// Python's prompts.
const PYTHON_PROMPT: &str = ">>>";
const PYTHON_MARGIN: &str = "...";

/// Reads the lines of one source.
#[derive(Default)]
pub(crate) struct Transcript {
    kind: SourceKind,
    /// The line before had a prompt.
    has_prompt_above: bool,
}

/// The kind of a source, as far as its lines are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum SourceKind {
    /// All lines were blank or comments.
    #[default]
    Unknown,
    /// It has statements without prompts.
    Script,
    /// It is a transcript, and a line without a prompt is an answer.
    Transcript,
}

/// The role of a line in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineRole {
    /// A line without a prompt, in a source without prompts.
    Plain,
    /// A line that begins a statement.
    First,
    /// A line that goes on with the statement before it.
    Next,
    /// An answer in a transcript.
    Answer,
}

impl Transcript {
    /// Reads the next line: its role, and the text to run, which is empty for an answer.
    pub(crate) fn read<'l>(&mut self, line: &'l str) -> (LineRole, Cow<'l, str>) {
        let plain = (LineRole::Plain, Cow::Borrowed(line));
        let Some((length, role)) = self.prompt(line) else {
            let code = line.trim();
            if code.is_empty() || self.kind == SourceKind::Unknown && code.starts_with('#') {
                return plain;
            }
            self.has_prompt_above = false;
            if self.kind == SourceKind::Transcript {
                return (LineRole::Answer, Cow::Borrowed(""));
            }
            self.kind = SourceKind::Script;
            return plain;
        };
        self.has_prompt_above = true;
        if self.kind == SourceKind::Unknown {
            self.kind = SourceKind::Transcript;
        }
        let (before, rest) = line.split_at(length);
        let text = " ".repeat(before.chars().count()) + rest;
        (role, Cow::Owned(text))
    }

    /// The length of the prompt of a line in bytes, and the role that the prompt gives the line.
    fn prompt(&self, line: &str) -> Option<(usize, LineRole)> {
        // Most lines of a script.
        if line.starts_with(|first: char| first.is_ascii_alphanumeric()) {
            return None;
        }
        let code = line.trim_start_matches([' ', '\t']);
        let blanks = line.len() - code.len();
        let is_word = |length: usize| code[length..].is_empty() || code[length..].starts_with(' ');
        let first_prompts = [PYTHON_PROMPT, PROMPT.trim()];
        if let Some(prompt) = first_prompts.iter().find(|it| code.starts_with(**it)) {
            return Some((blanks + prompt.len(), LineRole::First));
        }
        // Python's second prompt, and the margin below a prompt of this program. Alone, `...` is a statement of Python
        // that does nothing.
        let mut marks = [PYTHON_MARGIN, "…"].into_iter();
        let margin = marks
            .find(|mark| self.has_prompt_above && code.starts_with(mark) && is_word(mark.len()));
        margin.map(|mark| (blanks + mark.len(), LineRole::Next))
    }
}

#[cfg(test)]
mod tests {
    use super::{LineRole, Transcript};

    /// What each line of a source is: a sign for its kind, and what is read.
    fn read(source: &str) -> Vec<String> {
        let mut transcript = Transcript::default();
        let kind = |line| {
            let (role, text) = transcript.read(line);
            let sign = match role {
                LineRole::Plain => "=",
                LineRole::First => "1",
                LineRole::Next => "+",
                LineRole::Answer => "-",
            };
            format!("{sign}{text}")
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
            ("# b\n\n∂>a\n2", vec!["=# b", "=", "1  a", "-"]),
            (
                "∂> a\na = 2\n∂> (b\n … c)\n3",
                vec!["1   a", "-", "1   (b", "+   c)", "-"],
            ),
            // An answer may begin with a margin, too.
            (
                "∂> a\n … b\n2\n… | c\n... d\n\n… e",
                vec!["1   a", "+   b", "-", "-", "-", "=", "-"],
            ),
            ("... a\n>>> b", vec!["=... a", "1    b"]),
            // A comparison, and no prompt.
            (
                "d> 2\n… a\n...a\nInf",
                vec!["=d> 2", "=… a", "=...a", "=Inf"],
            ),
        ] {
            assert_eq!(read(source), expected, "{source}");
        }
    }
}
