//! Carries out the effect of `:load`; that of `:play` is in `play`. Only the shell can do so, because these commands run
//! statements.
//!
//! A loaded file runs like a script, but as one change: its statements run in a trial that is kept or undone as a whole.

use std::path::PathBuf;

use super::job::{Job, LineOrigin};
use super::lines::Lines;
use super::runner::Runner;
use crate::command::FileRequest;
use crate::commands;
use crate::shell::{RunEnd, RunResult, files, script};
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Report, say};
use chainrule_session::TrialOf;

/// The number of files that may be loaded inside one another. The limit keeps the stack of the process small.
pub const MAX_NESTED_LOADS: usize = 64;

impl Runner {
    /// Runs a file as one change. Returns the report that remains to be shown.
    pub(super) fn load(&mut self, file: &FileRequest, job: Job) -> RunResult<Option<Report>> {
        let loads_before = self.host.loads.borrow().len();
        let (path, mut lines) = match self.open_load(file, job.origin) {
            Ok(opened) => opened,
            Err(error) => return self.fail(&error.at(file.span), job).map(|()| None),
        };
        // A file that another file loads is a part of the trial of that file.
        let is_outermost = loads_before == 0;
        // The comments before `:load` are no comments of the file.
        self.session.forget_remarks();
        if is_outermost {
            self.session.begin_trial(TrialOf::File);
        }
        let statements_before = self.tally.statements;
        // The lines of the file are not those of the source that loads it.
        let last_line = self.tally.last_line;
        let name = path.to_string_lossy();
        let ran = script::read(self, LineOrigin::script(&name, Some(&path)), &mut lines);
        self.tally.last_line = last_line;
        // The comments at the end of the file are no comments of the next statement.
        self.session.forget_remarks();
        self.host.loads.borrow_mut().truncate(loads_before);
        match ran {
            // `:quit` ends only the file that contains it.
            Ok(()) | Err(RunEnd::Quit) => {}
            Err(end) if is_outermost => return self.undo_load(end, &name),
            Err(end) => return Err(end),
        }
        if is_outermost {
            self.session.end_trial(Some(job.cut.span.of(job.text)));
        }
        let count = self.tally.statements - statements_before;
        Ok(Some(commands::load_report(&file.path, count)))
    }

    /// Undoes the statements of a file that did not run to its end.
    fn undo_load(&mut self, end: RunEnd, name: &str) -> RunResult<Option<Report>> {
        self.session.end_trial(None);
        // The error itself has been shown. In JSON it says everything.
        if matches!(end, RunEnd::Failed | RunEnd::Interrupted) && !self.is_json() {
            self.show_note(say!("nothing of {:typed} was kept", name))?;
        }
        if end == RunEnd::Failed && self.keeps_going() {
            return Ok(None);
        }
        Err(end)
    }

    /// Opens a file that may be loaded, and records that it runs.
    fn open_load(
        &mut self,
        file: &FileRequest,
        origin: LineOrigin,
    ) -> Result<(PathBuf, Lines<'static>)> {
        let path = self.host.path(&file.path)?;
        let name = path.to_string_lossy();
        let unreadable = |error| self.host.unreadable(&name, &error);
        let real = files::canonical(&path).map_err(unreadable)?;
        let lines = Lines::new(files::open(&path).map_err(unreadable)?);
        let mut loads = self.host.loads.borrow_mut();
        // `loads` lists only loaded files. For the outermost load the script is added, so that the file cannot load it.
        let script = origin.path.filter(|_| loads.is_empty());
        let running_script = script.and_then(|it| files::canonical(it).ok());
        if (loads.iter().chain(&running_script)).any(|running| *running == real) {
            return Err(Diagnostic::new(format!("`{name}` is running already"))
                .help("a file loads neither itself nor a file that loads it"));
        }
        if loads.len() >= MAX_NESTED_LOADS {
            return Err(Diagnostic::new(format!(
                "files load one another more than {MAX_NESTED_LOADS} deep"
            ))
            .help("load them one after the other from one file"));
        }
        loads.extend(running_script);
        loads.push(real);
        Ok((path, lines))
    }
}
