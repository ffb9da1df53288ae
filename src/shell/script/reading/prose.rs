//! Comments as prose: what a script says between its statements, for readers.
//!
//! The words of comments are Markdown: lines that follow one another are a paragraph, a blank line or an empty comment
//! ends it, `## Words` is a heading as it stands, and the first line of a script is its title if the next one is blank.

/// Comments that follow one another are handed on in parts of this many bytes, so that they need not be held in memory.
const MOST: usize = 1 << 20;

/// A line of a script, for its readers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReadersLine<'l> {
    /// Nothing.
    Blank,
    /// The first line of a script that runs by its own name: `#!/usr/bin/env chainrule`.
    Program,
    /// Words.
    Prose(&'l str),
    /// A statement, with or without a comment behind it.
    Statement,
}

impl ReadersLine<'_> {
    /// What a line is. Its number in the script is counted from 1.
    pub(crate) fn of(number: usize, line: &str) -> ReadersLine<'_> {
        let line = line.trim();
        let words = line.trim_start_matches('#');
        match line.len() - words.len() {
            0 if line.is_empty() => ReadersLine::Blank,
            0 => ReadersLine::Statement,
            1 if number == 1 && words.starts_with('!') => ReadersLine::Program,
            1 => ReadersLine::Prose(words.strip_prefix(' ').unwrap_or(words)),
            2..=6 if words.starts_with(' ') => ReadersLine::Prose(line),
            // A row of signs is an ornament.
            _ => ReadersLine::Prose(words.trim_start()),
        }
    }
}

/// Prose that is gathered until a statement ends it.
#[derive(Debug, Default)]
pub(crate) struct GatheredProse {
    text: String,
    /// It begins where the script begins.
    is_first: bool,
}

impl GatheredProse {
    /// A script begins.
    pub(crate) fn begin(&mut self) {
        self.is_first = true;
    }

    /// A line of words; an empty one ends a paragraph.
    pub(crate) fn push(&mut self, words: &str) {
        if !(words.is_empty() && self.text.is_empty()) {
            self.text.push_str(words);
            self.text.push('\n');
        }
    }

    /// Is there so much that it is to be taken before its end?
    pub(crate) fn is_full(&self) -> bool {
        self.text.len() >= MOST
    }

    /// Nothing was gathered.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The prose as Markdown, if there is any. It ends here.
    pub(crate) fn take(&mut self) -> Option<String> {
        let is_first = std::mem::take(&mut self.is_first);
        let mut text = std::mem::take(&mut self.text);
        let title = text
            .split_once('\n')
            .is_some_and(|(line, rest)| !line.starts_with('#') && rest.starts_with('\n'));
        if is_first && title {
            text.insert_str(0, "# ");
        }
        text.truncate(text.trim_end().len());
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_readers() {
        for (number, line, expected) in [
            (1, "", ReadersLine::Blank),
            (1, "  \t", ReadersLine::Blank),
            (1, "#!/usr/bin/env chainrule", ReadersLine::Program),
            (2, "#! no", ReadersLine::Prose("! no")),
            (1, "a = 2 # two", ReadersLine::Statement),
            (1, "# words", ReadersLine::Prose("words")),
            (1, "   #words ", ReadersLine::Prose("words")),
            (
                1,
                "#   - an item in an item",
                ReadersLine::Prose("  - an item in an item"),
            ),
            (1, "#", ReadersLine::Prose("")),
            (1, "# # A title", ReadersLine::Prose("# A title")),
            (1, "## A part", ReadersLine::Prose("## A part")),
            (1, "##a = 2", ReadersLine::Prose("a = 2")),
            (1, "##########", ReadersLine::Prose("")),
            (1, "####### A part", ReadersLine::Prose("A part")),
        ] {
            assert_eq!(ReadersLine::of(number, line), expected, "{line}");
        }
    }

    #[test]
    fn prose_is_taken_with_its_title() {
        let taken = |is_first: bool, lines: &[&str]| {
            let mut prose = GatheredProse::default();
            if is_first {
                prose.begin();
            }
            for line in lines {
                prose.push(line);
            }
            prose.take()
        };
        for (is_first, lines, expected) in [
            (true, &["", ""][..], None),
            (true, &["A title", ""], Some("# A title")),
            (
                true,
                &["A title", "", "Words", ""],
                Some("# A title\n\nWords"),
            ),
            (true, &["", "A title", ""], Some("# A title")),
            (true, &["Words", "and words", ""], Some("Words\nand words")),
            (true, &["Words"], Some("Words")),
            (true, &["# A title", ""], Some("# A title")),
            (false, &["Words", ""], Some("Words")),
        ] {
            assert_eq!(taken(is_first, lines).as_deref(), expected, "{lines:?}");
        }
    }
}
