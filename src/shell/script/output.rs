//! The two output streams: answers, which are buffered, and messages, which are not.
//!
//! The buffer is written when it holds 64 KiB (also between two rows of a long table), before anything that may block,
//! before a message, at the end, and when the running statement has taken a while. Writing each line would be slow. A
//! failure to write answers ends the run. A failure to write a message is ignored, because there is no other place to
//! report it.

use std::cell::Cell;
use std::io::{self, ErrorKind, Write};
use std::rc::Rc;
use std::time::Duration;

use crate::shell::files::reason;
use crate::shell::process::interrupt::{self, EndAtOnce};
use crate::shell::process::{self, world};
use crate::shell::{RunEnd, RunResult};
use chainrule_stop as stop;
use chainrule_view::AnswerSink;

/// The buffer is written when it holds this many bytes.
const MAX_BUFFERED_BYTES: usize = 64 * 1024;

/// How long an answer may stay in the buffer while the next statement runs.
const MAX_BUFFERED_TIME: Duration = Duration::from_millis(20);

/// Standard output and standard error, or replacements for them in tests.
pub(crate) struct Output {
    answers: Box<dyn Write>,
    messages: Box<dyn Write>,
    pending: String,
    /// When [`Output::flush_if_overdue`] was first called with the present contents of the buffer.
    first_asked: Option<Duration>,
    /// The beginning of the present answer has been written.
    has_begun: Rc<Cell<bool>>,
    /// Was Ctrl-C pressed? Tests replace this.
    is_interrupted: fn() -> bool,
    /// Why answers cannot be written any more.
    broken: Option<RunEnd>,
    /// Where the answers begin that are held back.
    held_from: Option<usize>,
    /// At the prompt Ctrl-C never ends the process, even while the terminal is slow.
    pub is_at_prompt: bool,
    /// Has a `print` left the last line of the answers open?
    has_open_line: bool,
}

impl Output {
    pub(crate) fn standard() -> Output {
        Output::new(Box::new(io::stdout()), Box::new(io::stderr()))
    }

    pub(crate) fn new(answers: Box<dyn Write>, messages: Box<dyn Write>) -> Output {
        Output {
            answers,
            messages,
            pending: String::new(),
            first_asked: None,
            has_begun: Rc::default(),
            is_interrupted: interrupt::pending,
            broken: None,
            held_from: None,
            is_at_prompt: false,
            has_open_line: false,
        }
    }

    /// Appends an answer. If Ctrl-C comes while it is laid out, nothing is appended. Once the beginning of a long answer is
    /// written, Ctrl-C waits for its end: half an object would be no JSON.
    pub(crate) fn answer(&mut self, lay_out: impl FnOnce(&mut Output)) -> RunResult {
        let before = self.pending.len();
        let (has_begun, is_interrupted) = (Rc::clone(&self.has_begun), self.is_interrupted);
        has_begun.set(false);
        let must_stop = move || !has_begun.get() && is_interrupted();
        if stop::run_until_stopped(must_stop, || lay_out(self)).is_err() {
            self.still_open()?;
            self.pending.truncate(before);
            return Err(RunEnd::Interrupted);
        }
        if self.pending.len() >= MAX_BUFFERED_BYTES {
            self.flush()
        } else {
            self.still_open()
        }
    }

    /// Writes text, which may leave its last line open. A text that does not go on in an open line begins a new one.
    pub(crate) fn answer_text(
        &mut self,
        goes_on: bool,
        lay_out: impl FnOnce(&mut String),
    ) -> RunResult {
        if !goes_on {
            self.end_open_line();
        }
        self.answer(|output| {
            lay_out(output.text());
            let last = output.pending.as_bytes().last();
            output.has_open_line = last.is_some_and(|last| *last != b'\n');
        })
    }

    /// Ends the line that a `print` has left open.
    fn end_open_line(&mut self) {
        if std::mem::take(&mut self.has_open_line) {
            self.pending.push('\n');
        }
    }

    /// Holds answers back from now on.
    pub(crate) fn hold(&mut self) {
        self.held_from = Some(self.pending.len());
    }

    /// Writes the answers that were held back, or drops them.
    pub(crate) fn release(&mut self, must_keep: bool) -> RunResult {
        if let Some(begin) = self.held_from.take().filter(|_| !must_keep) {
            self.pending.truncate(begin);
        }
        self.flush()
    }

    /// Writes a message, after the answers before it.
    pub(crate) fn message(&mut self, text: &str) -> RunResult {
        self.end_open_line();
        let flushed = self.flush();
        let _waiting = self.begin_waiting();
        // A failure is ignored, as the top of this file explains.
        let _ = self.messages.write_all(text.as_bytes());
        flushed
    }

    /// Writes the buffer.
    pub(crate) fn flush(&mut self) -> RunResult {
        self.first_asked = None;
        self.still_open()?;
        if self.pending.is_empty() || self.held_from.is_some() {
            return Ok(());
        }
        let waiting = self.begin_waiting();
        let written = (self.answers.write_all(self.pending.as_bytes()))
            .and_then(|()| self.answers.flush())
            .map_err(|error| match error.kind() {
                ErrorKind::BrokenPipe => RunEnd::Closed,
                _ => RunEnd::Unwritable(reason(&error)),
            });
        drop(waiting);
        self.pending.clear();
        // One huge table must not keep its memory until the end of the run.
        self.pending.shrink_to(4 * MAX_BUFFERED_BYTES);
        self.broken = written.clone().err();
        written
    }

    /// Writes answers that have been in the buffer for too long. It is called while a statement runs.
    pub(crate) fn flush_if_overdue(&mut self) -> RunResult {
        if self.pending.is_empty() {
            return self.still_open();
        }
        match self.first_asked {
            None => self.first_asked = Some(world::now()),
            Some(asked) if process::since(asked) > MAX_BUFFERED_TIME => return self.flush(),
            Some(_) => {}
        }
        Ok(())
    }

    /// Fails if answers cannot be written any more.
    pub(crate) fn still_open(&self) -> RunResult {
        self.broken.clone().map_or(Ok(()), Err)
    }

    /// Returns a guard: while it lives, Ctrl-C ends the process, because a pipe that is not read could block a script for
    /// ever. After a first Ctrl-C a write is still attempted, since the reader may read; a second one ends the process.
    fn begin_waiting(&self) -> Option<EndAtOnce> {
        (!self.is_at_prompt).then(interrupt::begin_waiting)
    }
}

impl AnswerSink for Output {
    fn text(&mut self) -> &mut String {
        &mut self.pending
    }

    fn row_ends(&mut self) {
        if self.pending.len() >= MAX_BUFFERED_BYTES {
            self.has_begun.set(true);
            if self.flush().is_err() {
                stop::unwind();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    /// Records both streams in the order of their writes.
    #[derive(Clone, Default)]
    struct Shared(Rc<RefCell<Vec<String>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0
                .borrow_mut()
                .push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn output() -> (Output, Shared) {
        let written = Shared::default();
        (
            Output::new(Box::new(written.clone()), Box::new(written.clone())),
            written,
        )
    }

    #[test]
    fn answers_are_gathered_and_come_before_messages() {
        let (mut output, written) = output();
        for answer in ["1\n", "2\n"] {
            assert_eq!(output.answer(|out| out.text().push_str(answer)), Ok(()));
        }
        assert!(written.0.borrow().is_empty());
        assert_eq!(output.message("error: no\n"), Ok(()));
        assert_eq!(*written.0.borrow(), ["1\n2\n", "error: no\n"]);
        assert_eq!(output.flush(), Ok(()));
        assert_eq!(
            written.0.borrow().len(),
            2,
            "nothing is written where nothing is pending"
        );
    }

    #[test]
    fn much_is_written_at_once() {
        let (mut output, written) = output();
        for _ in 0..MAX_BUFFERED_BYTES {
            assert_eq!(output.answer(|out| out.text().push_str("12\n")), Ok(()));
        }
        let lengths: Vec<usize> = written.0.borrow().iter().map(String::len).collect();
        assert_eq!(
            lengths,
            [MAX_BUFFERED_BYTES + 2, MAX_BUFFERED_BYTES + 2],
            "whole answers, and the rest is pending"
        );
    }

    #[test]
    fn a_long_answer_is_written_while_it_is_laid_out() {
        let (mut output, written) = output();
        let rows = |output: &mut Output| {
            for _ in 0..MAX_BUFFERED_BYTES {
                output.row_ends();
                output.text().push_str("12\n");
            }
        };
        assert_eq!(output.answer(|out| out.text().push_str("1\n")), Ok(()));
        assert_eq!(output.answer(rows), Ok(()));
        assert_eq!(output.flush(), Ok(()));
        let lengths: Vec<usize> = written.0.borrow().iter().map(String::len).collect();
        assert_eq!(
            lengths,
            [
                MAX_BUFFERED_BYTES + 1,
                MAX_BUFFERED_BYTES + 2,
                MAX_BUFFERED_BYTES - 1
            ]
        );
        assert!(output.pending.capacity() <= 4 * MAX_BUFFERED_BYTES);

        // Nothing more is laid out once it cannot be written.
        let mut output = Output::new(
            Box::new(Failing(ErrorKind::BrokenPipe)),
            Box::new(written.clone()),
        );
        let mut turns = 0;
        let endless = |output: &mut Output| {
            loop {
                turns += 1;
                rows(output);
            }
        };
        assert_eq!(output.answer(endless), Err(RunEnd::Closed));
        assert_eq!(turns, 1);
    }

    #[test]
    fn ctrl_c_does_not_cut_an_answer_whose_beginning_is_written() {
        let (mut output, written) = output();
        let asking = |rows: usize| {
            move |output: &mut Output| {
                for _ in 0..rows {
                    output.row_ends();
                    output.text().push_str("12\n");
                }
                stop::ask_now();
                output.text().push_str("end");
            }
        };
        output.is_interrupted = || true;
        assert_eq!(output.answer(asking(1)), Err(RunEnd::Interrupted));
        assert_eq!(output.answer(asking(MAX_BUFFERED_BYTES)), Ok(()));
        assert_eq!(output.flush(), Ok(()));
        let all = written.0.borrow().concat();
        assert_eq!(all, "12\n".repeat(MAX_BUFFERED_BYTES) + "end");
    }

    #[test]
    fn what_is_pending_does_not_wait_for_a_long_statement() {
        let (mut output, written) = output();
        assert_eq!(output.answer(|out| out.text().push_str("1\n")), Ok(()));
        assert_eq!(output.flush_if_overdue(), Ok(()));
        assert!(written.0.borrow().is_empty());
        std::thread::sleep(2 * MAX_BUFFERED_TIME);
        assert_eq!(output.flush_if_overdue(), Ok(()));
        assert_eq!(*written.0.borrow(), ["1\n"]);
    }

    #[test]
    fn a_failure_is_kept_and_messages_still_come() {
        for (kind, stop) in [
            (ErrorKind::BrokenPipe, RunEnd::Closed),
            (
                ErrorKind::StorageFull,
                RunEnd::Unwritable("no storage space".into()),
            ),
        ] {
            let messages = Shared::default();
            let mut output = Output::new(Box::new(Failing(kind)), Box::new(messages.clone()));
            assert_eq!(output.still_open(), Ok(()));
            assert_eq!(output.answer(|out| out.text().push_str("1\n")), Ok(()));
            assert_eq!(output.message("error: no\n"), Err(stop.clone()));
            assert_eq!(*messages.0.borrow(), ["error: no\n"]);
            for result in [
                output.flush(),
                output.still_open(),
                output.answer(|_| ()),
                output.flush_if_overdue(),
            ] {
                assert_eq!(result, Err(stop.clone()));
            }
        }
    }

    #[test]
    fn a_message_that_cannot_be_written_is_no_failure() {
        let answers = Shared::default();
        let mut output = Output::new(
            Box::new(answers.clone()),
            Box::new(Failing(ErrorKind::BrokenPipe)),
        );
        assert_eq!(output.message("error: no\n"), Ok(()));
        assert_eq!(output.still_open(), Ok(()));
    }
}
