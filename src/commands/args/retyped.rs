//! Lines to type: what the user typed, with some of its words replaced or left out.
//!
//! Errors suggest such lines, so that nothing that was typed has to be typed again.

use super::Arguments;
use crate::commands::COMMANDS;
use crate::syntax;
use crate::syntax::Span;

impl Arguments<'_> {
    /// The line with other text in place of some of its words, or of parts of a word. An empty text leaves them out.
    pub(crate) fn retyped(&self, changes: &[(Span, &str)]) -> String {
        let mut line = self.called();
        let mut done = None;
        for word in self.all_words() {
            let place = changes.iter().position(|(span, _)| {
                let is_in = span.start <= word.start && word.end <= span.end;
                is_in || word.start <= span.start && span.end <= word.end
            });
            let Some((span, text)) = place.map(|place| changes[place]) else {
                push(word.of(self.text), &mut line);
                continue;
            };
            if std::mem::replace(&mut done, place) == place {
                continue;
            }
            let before = Span::new(word.start as usize, span.start.max(word.start) as usize);
            let behind = Span::new(span.end.min(word.end) as usize, word.end as usize);
            let [before, behind] = [before, behind].map(|part| part.of(self.text));
            push(&format!("{before}{text}{behind}"), &mut line);
        }
        line
    }

    /// The line with some text behind the words of an argument, or behind the command if it has none.
    pub(crate) fn added(&self, name: &str, text: &str) -> String {
        if let Some(words) = self.stretch(name) {
            return self.retyped(&[(words, &format!("{} {text}", words.of(self.text)))]);
        }
        let rest = self.retyped(&[]).split_off(self.called().len());
        format!("{} {text}{rest}", self.called())
    }

    /// The command as it was typed.
    fn called(&self) -> String {
        self.word.of(self.text).to_string()
    }

    fn all_words(&self) -> Vec<Span> {
        syntax::words(self.text, Span::new(self.word.end as usize, self.end()))
    }
}

/// A node as it is typed behind a command: in brackets if its name is a word of commands, too.
pub(crate) fn typed_node(label: &str) -> String {
    let mut all = COMMANDS.iter().flat_map(|command| command.arguments);
    if all.any(|argument| argument.keyword == Some(label)) {
        format!("({label})")
    } else {
        label.to_string()
    }
}

fn push(word: &str, line: &mut String) {
    if !word.is_empty() && word != "," {
        line.push(' ');
    }
    line.push_str(word);
}
