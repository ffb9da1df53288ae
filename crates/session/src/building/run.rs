//! Runs the code of lines and blocks, and lets [`Acts`] perform what code does besides computing.

use crate::state::Session;
use chainrule_language::{Printing, Span};
use chainrule_program::error::{self, Error, fail_here};
use chainrule_program::functions::{Act, AnyValue, Instruction};
use chainrule_program::run::{ActPlace, BuiltLine, Event, MachineState, NextRound, Record};
use chainrule_program::{compile, values::Value};
use chainrule_report::Note;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_stop as stop;

/// Performs the acts of lines and blocks, such as `print`. `interpret/block` implements it.
pub trait Acts {
    /// Prints values. Unless implemented, refuses that.
    fn print(
        &mut self,
        _: &mut Session,
        _: &Printing,
        _: Vec<AnyValue>,
        _: ActPlace,
    ) -> Result<(), Error> {
        Err(act_error("prints"))
    }

    /// Performs another act. Unless implemented, refuses all acts.
    fn act(&mut self, _: &mut Session, act: &Act, _: Vec<Value>, _: ActPlace) -> Result<(), Error> {
        Err(act_error(match act {
            Act::Backward(_) => "runs a pass",
            Act::Data(_) => "moves leaves",
            Act::Zero | Act::Grad | Act::PassOn => "sets gradients",
            Act::ChangeList(..) => "changes a list of the session",
        }))
    }

    /// Begins a round of the outermost loop of a block.
    fn begin_round(&mut self, _: &mut Session, _: NextRound) {}

    /// Ends the outermost loop.
    fn end_loop(&mut self, _: &mut Session) {}

    /// After Ctrl-C, goes back to the beginning of the round that was stopped. Returns whether that leaves anything done.
    fn keep_finished_rounds(&mut self, _: &mut Session) -> bool {
        false
    }
}

/// The error of a function that acts, as in `prints`, if the statement only computes a value.
fn act_error(does: &str) -> Error {
    let message = format!("a function that {does} is called in a statement");
    fail_here(message, "as in `y = f(2)`")
}

/// Refuses all acts: the expression of a command only computes a value.
pub(super) struct NoActs;

impl Acts for NoActs {}

impl Session {
    /// Runs a line. After an error, drops the new nodes and frees their ids.
    pub(super) fn run(
        &mut self,
        text: &str,
        code: &[Instruction],
        span: Span,
        acts: &mut dyn Acts,
    ) -> Result<BuiltLine, Error> {
        let newest_before = self.newest_id();
        if (self.program.graph.ids_left() as usize) < code.len() {
            return Err(error::no_numbers_left(span, newest_before));
        }
        self.program.started = newest_before;
        self.program.guards.last = None;
        let mut state = MachineState::new(&self.program, text, code);
        if let Err(error) = self.run_code(&mut state, acts) {
            state.end_failed(self);
            // A block undoes the line itself, together with the acts of the functions that the line called.
            if !self.program.in_block() {
                self.program.rewind(newest_before);
            }
            return Err(compile::with_all_unknown_names(self, error, code));
        }
        Ok(state.end_line(self, span))
    }

    /// Runs code to its end. `acts` performs its acts.
    fn run_code(&mut self, state: &mut MachineState, acts: &mut dyn Acts) -> Result<(), Error> {
        while let Some(event) = state.run(self)? {
            let place = state.act_place();
            let done = match event {
                Event::Round(round) => {
                    acts.begin_round(self, round);
                    state.enter_round(self);
                    continue;
                }
                Event::LoopEnded => {
                    acts.end_loop(self);
                    continue;
                }
                Event::Print(printing, values) => acts.print(self, &printing, values, place),
                Event::Act(act, values) => {
                    if let Act::Data(_) = *act {
                        state.end_move();
                    }
                    acts.act(self, &act, values, place)
                }
            };
            done.map_err(|error| state.error_in_calls(self, *error))?;
            state.end_act(self);
        }
        Ok(())
    }

    /// Runs the code of a block, and returns the notes on it. Ctrl-C may leave the finished rounds of a loop.
    pub fn run_block(
        &mut self,
        text: &str,
        code: &[Instruction],
        acts: &mut dyn Acts,
    ) -> Result<Vec<Note>, Error> {
        let mut state = MachineState::new(&self.program, text, code);
        let run = stop::run_stoppable(|| self.run_code(&mut state, acts));
        let done = run.unwrap_or_else(|_| Err(Diagnostic::of_interrupt().into()));
        if let Err(error) = done {
            state.drop_round();
            if !error.is_interrupt || !acts.keep_finished_rounds(self) {
                return Err(error);
            }
        }
        let record = state.end_block(self);
        Ok(self.with_stale_note(record))
    }

    /// All notes on a line, including the note on stale gradients.
    pub(super) fn with_stale_note(&mut self, record: Record) -> Vec<Note> {
        let mut notes = record.notes;
        if record.has_read_stale {
            notes.extend(self.stale_note());
        }
        notes
    }
}
