//! Pictures inside the text of the terminal: which kind it can show, if any, is asked and never assumed.
//!
//! The questions are written at once, the last of them one that every terminal answers, so that nothing is waited for
//! longer than that answer takes. Keys pressed meanwhile are kept.

use crate::report::say;
use crate::session::settings::INLINE;
use crate::shell::RunEnd;
use crate::shell::process::terminal;
use crate::shell::script::runner::Runner;
use crate::view::{Graphics, GraphicsProtocol};

/// How the program asks: for kitty's pictures, for iTerm2's, for the size of a cell, and for the kind of terminal
/// (DA1), which says whether it has sixels.
const QUESTIONS: &str = "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\\u{1b}]1337;ReportCellSize\u{1b}\\\u{1b}[16t\u{1b}[c";

/// The attribute of a terminal that shows sixels.
const SIXELS: &str = "4";

/// Whether the terminal was asked.
#[derive(Default)]
pub(crate) struct TerminalGraphics {
    was_asked: bool,
}

impl TerminalGraphics {
    /// Asks the terminal once, if the user wants pictures in pixels. Returns the keys pressed meanwhile.
    pub(crate) fn ask_if_wanted(&mut self, runner: &mut Runner) -> Result<String, RunEnd> {
        let wanted = runner.session.settings().pictures == INLINE;
        // Keys that wait would come before the answers; the next line asks again.
        if !wanted || self.was_asked || terminal::has_keys() {
            return Ok(String::new());
        }
        self.was_asked = true;
        let (found, keys) = if terminal::takes_questions() {
            ask()
        } else {
            (None, String::new())
        };
        runner.graphics = found;
        if found.is_none() {
            runner.note(say!(
                "this terminal shows no pictures inside its text: they are drawn with characters"
            ))?;
        }
        Ok(keys)
    }
}

/// What a terminal has answered so far.
#[derive(Debug, Default, PartialEq)]
struct Answers {
    /// What the terminal understands.
    protocols: Vec<GraphicsProtocol>,
    /// Width and height of a cell in pixels.
    cell: Option<(u32, u32)>,
    /// The last answer has come.
    complete: bool,
    /// What belongs to no answer: keys of the user.
    keys: String,
}

impl Answers {
    fn read(bytes: &[u8]) -> Answers {
        let text = String::from_utf8_lossy(bytes);
        let mut answers = Answers::default();
        let mut rest = &*text;
        while let Some(at) = rest.find('\u{1b}') {
            answers.keys.push_str(&rest[..at]);
            rest = answers.sequence(&rest[at + 1..]);
        }
        answers.keys.push_str(rest);
        answers.keys.retain(|c| !c.is_control());
        answers
    }

    /// Reads a sequence after its ESC. Returns what follows it.
    fn sequence<'t>(&mut self, text: &'t str) -> &'t str {
        if let Some(body) = text.strip_prefix('[') {
            let end = body.find(|c| matches!(c, '@'..='~'));
            let (body, rest) = body.split_at(end.map_or(body.len(), |end| end + 1));
            self.control(body);
            return rest;
        }
        let Some(body) = text.strip_prefix(['_', ']', 'P']) else {
            return text;
        };
        let ends = [("\u{1b}\\", 2), ("\u{7}", 1)];
        let end = ends
            .iter()
            .filter_map(|(end, size)| Some((body.find(end)?, size)))
            .min();
        let Some((at, size)) = end else { return "" };
        self.message(&body[..at]);
        &body[at + size..]
    }

    /// Reads `?62;4;22c` and `6;34;16t`.
    fn control(&mut self, body: &str) {
        if let Some(attributes) = body
            .strip_prefix('?')
            .and_then(|body| body.strip_suffix('c'))
        {
            self.complete = true;
            if attributes.split(';').skip(1).any(|each| each == SIXELS) {
                self.protocols.push(GraphicsProtocol::Sixel);
            }
        } else if let Some(sizes) = body
            .strip_prefix("6;")
            .and_then(|body| body.strip_suffix('t'))
        {
            self.cell = sides(sizes, 1.0).or(self.cell);
        }
    }

    /// Reads `Gi=31;OK` and `1337;ReportCellSize=17.0;8.0;2.0`, whose last number is the pixels of a point.
    fn message(&mut self, body: &str) {
        if body.starts_with("Gi=31") {
            if body.ends_with(";OK") {
                self.protocols.push(GraphicsProtocol::Kitty);
            }
        } else if let Some(sizes) = body.strip_prefix("1337;ReportCellSize=") {
            self.protocols.push(GraphicsProtocol::Iterm);
            let scale = sizes.split(';').nth(2).and_then(|scale| scale.parse().ok());
            self.cell = sides(sizes, scale.unwrap_or(1.0)).or(self.cell);
        }
    }

    /// The best that the terminal can do.
    fn graphics(&self) -> Option<Graphics> {
        use GraphicsProtocol::{Iterm, Kitty, Sixel};
        let has = |protocol: &GraphicsProtocol| self.protocols.contains(protocol);
        let protocol = [Kitty, Iterm, Sixel].into_iter().find(has)?;
        Some(Graphics {
            protocol,
            cell: self.cell.unwrap_or(Graphics::USUAL_CELL),
            rows: terminal::answer_size().rows,
        })
    }
}

/// The width and the height of a cell, from `height;width`.
fn sides(sizes: &str, scale: f64) -> Option<(u32, u32)> {
    let mut sizes = sizes.split(';').map(|size| {
        let size: f64 = size.parse().ok()?;
        let pixels = (size * scale).round();
        (1.0..=1000.0).contains(&pixels).then_some(pixels as u32)
    });
    let (height, width) = (sizes.next()??, sizes.next()??);
    Some((width, height))
}

/// Asks the terminal. Returns what it can do, and the keys that were pressed meanwhile.
#[cfg(unix)]
fn ask() -> (Option<Graphics>, String) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    use std::io::Write;
    use std::time::{Duration, Instant};

    /// How long an answer may take, over a slow connection, too.
    const PATIENCE: Duration = Duration::from_secs(1);

    let (input, mut output) = (std::io::stdin(), std::io::stdout());
    let Ok(usual) = tcgetattr(&input) else {
        return (None, String::new());
    };
    let mut raw = usual.clone();
    raw.make_raw();
    if tcsetattr(&input, OptionalActions::Now, &raw).is_err() {
        return (None, String::new());
    }
    let asked = output
        .write_all(QUESTIONS.as_bytes())
        .and_then(|()| output.flush());
    let start = Instant::now();
    let mut bytes = Vec::new();
    let mut answers = Answers::default();
    while asked.is_ok() && !answers.complete {
        let left = PATIENCE.saturating_sub(start.elapsed());
        let Ok(left) = Timespec::try_from(left) else {
            break;
        };
        let mut waiting = [PollFd::new(&input, PollFlags::IN)];
        if !matches!(poll(&mut waiting, Some(&left)), Ok(1..)) {
            break;
        }
        let mut buffer = [0; 256];
        match rustix::io::read(&input, &mut buffer) {
            Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
            _ => break,
        }
        answers = Answers::read(&bytes);
    }
    let _ = tcsetattr(&input, OptionalActions::Now, &usual);
    (answers.graphics(), answers.keys)
}

#[cfg(not(unix))]
fn ask() -> (Option<Graphics>, String) {
    (None, String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_terminals() {
        use GraphicsProtocol::{Iterm, Kitty, Sixel};
        let usual = Graphics::USUAL_CELL;
        for (answer, expected) in [
            // kitty
            (
                "\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[6;34;16t\u{1b}[?62;c",
                Some((Kitty, (16, 34))),
            ),
            // An old kitty that has no file to read, and a terminal that answers only the last.
            ("\u{1b}_Gi=31;ENODATA:none\u{1b}\\\u{1b}[?62;c", None),
            ("\u{1b}[?1;2c", None),
            // iTerm2
            (
                "\u{1b}]1337;ReportCellSize=17.0;8.0;2.0\u{1b}\\\u{1b}[?62;4c",
                Some((Iterm, (16, 34))),
            ),
            (
                "\u{1b}]1337;ReportCellSize=17.0;8.0\u{7}\u{1b}[?62;4c",
                Some((Iterm, (8, 17))),
            ),
            // foot and xterm
            ("\u{1b}[6;20;10t\u{1b}[?62;4;22c", Some((Sixel, (10, 20)))),
            ("\u{1b}[?63;1;2;4;6c", Some((Sixel, usual))),
            // 4 as the kind of terminal is no attribute; sizes that cannot be.
            ("\u{1b}[?4;6c", None),
            ("\u{1b}[6;0;99999t\u{1b}[?62;4c", Some((Sixel, usual))),
        ] {
            let answers = Answers::read(answer.as_bytes());
            assert!(answers.complete, "{answer:?}");
            let found = answers
                .graphics()
                .map(|graphics| (graphics.protocol, graphics.cell));
            assert_eq!((found, &*answers.keys), (expected, ""), "{answer:?}");
        }
    }

    #[test]
    fn keys_between_answers_are_kept() {
        let answers =
            Answers::read("a\u{1b}_Gi=31;OK\u{1b}\\ =\u{1b}[A 2\u{1b}[?62;4cé\r".as_bytes());
        assert_eq!(answers.keys, "a = 2é");
        assert!(answers.protocols.len() == 2 && answers.complete);
        for part in [
            "",
            "\u{1b}",
            "\u{1b}[",
            "\u{1b}[?62;4",
            "\u{1b}_Gi=31;O",
            "\u{1b}]1337",
        ] {
            let answers = Answers::read(part.as_bytes());
            assert_eq!((answers.complete, &*answers.keys), (false, ""), "{part:?}");
        }
    }
}
