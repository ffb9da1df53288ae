//! The terminal's background: asked for when the prompt first appears, so that the colours fit it.
//!
//! The question (OSC 11) is written with the prompt, and the answer comes through the line editor like keys. So nothing
//! waits for it: a terminal that answers late or never costs nothing, and keys that were typed ahead are not lost. The
//! variable `COLORFGBG` is not read: programs inherit it across terminals, and then it is wrong.

use std::sync::{Arc, Mutex};

use rustyline::{
    Cmd, ConditionalEventHandler, Event, EventContext, KeyCode, KeyEvent, Modifiers, RepeatCount,
};

use crate::view::theme::Background;

/// Asks for the colour of the background.
const QUESTION: &str = "\u{1b}]11;?\u{1b}\\";

/// How the answer goes on after `ESC ]`: `11;rgb:1e1e/1e1e/1e1e`.
const ANSWER: &str = "11;rgb";

/// A longer text is no answer.
const LONGEST: usize = 40;

#[derive(Debug, Default)]
enum Asking {
    #[default]
    NotYet,
    /// Asked, and nothing has come so far.
    Asked,
    /// The answer so far.
    Answering(String),
    Done,
}

#[derive(Debug, Default)]
struct Knowledge {
    asking: Asking,
    background: Option<Background>,
}

/// The background of the terminal, shared by those who ask, listen and draw.
#[derive(Clone, Debug, Default)]
pub(crate) struct TerminalBackground(Arc<Mutex<Knowledge>>);

impl TerminalBackground {
    fn with<T>(&self, look: impl FnOnce(&mut Knowledge) -> T) -> T {
        let mut known = match self.0.lock() {
            Ok(known) => known,
            Err(broken) => broken.into_inner(),
        };
        look(&mut known)
    }

    /// What is known of it.
    pub(crate) fn known(&self) -> Option<Background> {
        self.with(|known| known.background)
    }

    /// What to write to the terminal to ask it. Empty if it was asked before.
    pub(crate) fn question(&self) -> &'static str {
        self.with(|known| match known.asking {
            Asking::NotYet => {
                known.asking = Asking::Asked;
                QUESTION
            }
            _ => "",
        })
    }

    /// Takes a key that belongs to the answer. Returns what the editor has to do, or nothing for a key of the user.
    fn take(&self, key: KeyEvent) -> Option<Cmd> {
        let KeyEvent(KeyCode::Char(c), modifiers) = key else {
            return None;
        };
        self.with(|known| {
            // Ctrl-G is the sign BEL, and Alt-\ is `ESC \`: both end an answer.
            let ends = (c == 'G' && modifiers == Modifiers::CTRL)
                || (c == '\\' && modifiers == Modifiers::ALT);
            match &mut known.asking {
                Asking::Asked if c == ']' && modifiers == Modifiers::ALT => {
                    known.asking = Asking::Answering(String::new());
                    Some(Cmd::Noop)
                }
                Asking::Answering(answer) if ends => {
                    known.background = background(answer);
                    known.asking = Asking::Done;
                    Some(Cmd::Repaint)
                }
                Asking::Answering(answer) => {
                    answer.push(c);
                    let begins = ANSWER.starts_with(answer.as_str()) || answer.starts_with(ANSWER);
                    if begins && answer.len() <= LONGEST && !modifiers.contains(Modifiers::CTRL) {
                        return Some(Cmd::Noop);
                    }
                    known.asking = Asking::Done;
                    None
                }
                Asking::NotYet | Asking::Asked | Asking::Done => None,
            }
        })
    }
}

/// The handler of every key: takes those that are the terminal's answer.
pub(crate) struct Listener(pub TerminalBackground);

impl ConditionalEventHandler for Listener {
    fn handle(&self, event: &Event, _: RepeatCount, _: bool, _: &EventContext) -> Option<Cmd> {
        let Event::KeySeq(keys) = event else {
            return None;
        };
        let [key] = keys.as_slice() else {
            return None;
        };
        self.0.take(*key)
    }
}

/// Reads `11;rgb:1e1e/1e1e/1e1e`. Each part has one to four digits.
fn background(answer: &str) -> Option<Background> {
    let (kind, color) = answer.strip_prefix("11;")?.split_once(':')?;
    if !matches!(kind, "rgb" | "rgba") {
        return None;
    }
    let part = |digits: &str| {
        let most: [u32; 4] = [0xf, 0xff, 0xfff, 0xffff];
        let most = digits.len().checked_sub(1).and_then(|at| most.get(at))?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        Some(f64::from(value) / f64::from(*most))
    };
    let parts: Option<Vec<f64>> = color.split('/').map(part).collect();
    let [red, green, blue, ..] = parts?[..] else {
        return None;
    };
    let linear = |part: f64| part.powf(2.2);
    let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    // Where black and white differ from it equally.
    Some(if luminance < 0.179 {
        Background::Dark
    } else {
        Background::Light
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_terminals() {
        for (answer, expected) in [
            ("11;rgb:0000/0000/0000", Some(Background::Dark)),
            ("11;rgb:1e1e/1e1e/1e1e", Some(Background::Dark)),
            ("11;rgb:00/2b/36", Some(Background::Dark)),
            ("11;rgb:ffff/ffff/ffff", Some(Background::Light)),
            ("11;rgb:fd/f6/e3", Some(Background::Light)),
            ("11;rgb:f/f/f", Some(Background::Light)),
            ("11;rgba:0000/0000/0000/ffff", Some(Background::Dark)),
            ("11;rgb:8080/8080/8080", Some(Background::Light)),
            ("11;rgb:5050/5050/5050", Some(Background::Dark)),
            ("11;rgb:", None),
            ("11;rgb:0/0", None),
            ("11;rgb:x/y/z", None),
            ("11;rgb:00000/0/0", None),
            ("11;rgb://", None),
            ("10;rgb:0/0/0", None),
            ("11;#000000", None),
        ] {
            assert_eq!(background(answer), expected, "{answer}");
        }
    }

    /// The keys that the editor makes of a text.
    fn keys(text: &str) -> Vec<KeyEvent> {
        let mut keys = Vec::new();
        let mut signs = text.chars();
        while let Some(sign) = signs.next() {
            keys.push(match sign {
                '\u{1b}' => KeyEvent::alt(signs.next().expect("something follows ESC")),
                '\u{7}' => KeyEvent::ctrl('G'),
                sign => KeyEvent::new(sign, Modifiers::NONE),
            });
        }
        keys
    }

    #[test]
    fn an_answer_is_taken_and_keys_are_not() {
        let answer = "\u{1b}]11;rgb:1e1e/1E1E/1e1e";
        for (asked, text, left, expected) in [
            (
                true,
                format!("a{answer}\u{1b}\\b"),
                2,
                Some(Background::Dark),
            ),
            (true, format!("{answer}\u{7}1+1"), 3, Some(Background::Dark)),
            (
                true,
                format!("{answer}\u{7}{answer}\u{7}"),
                22 + 1,
                Some(Background::Dark),
            ),
            (false, format!("{answer}\u{7}"), 22 + 1, None),
            (true, "1 + 1".to_string(), 5, None),
            // Alt-] of a user; only the key after it decides.
            (true, "\u{1b}]tanh(2)".to_string(), 7, None),
            (
                true,
                format!("\u{1b}]11;rgb:{}", "1".repeat(90)),
                90 - 33,
                None,
            ),
        ] {
            let background = TerminalBackground::default();
            if asked {
                assert_eq!(background.question(), QUESTION);
                assert_eq!(background.question(), "", "once");
            }
            let keys = keys(&text);
            let kept = keys
                .into_iter()
                .filter(|key| background.take(*key).is_none());
            assert_eq!(
                (kept.count(), background.known()),
                (left, expected),
                "{text:?}"
            );
        }
    }
}
