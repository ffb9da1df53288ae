//! Runs the sources that the command line names, and before them the user's settings and init script.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

use super::RunEnd;
use super::files;
use super::options::ProgramText;
use super::process::interrupt;
use super::script::job::LineOrigin;
use super::script::lines::Lines;
use super::script::runner::Runner;
use super::script::{read, unreadable};

/// Does this source read standard input?
pub(crate) fn is_input(source: &ProgramText) -> bool {
    match source {
        ProgramText::Statement(_) => false,
        ProgramText::File(path) => path == "-" || files::is_input(Path::new(path)),
    }
}

/// Runs a source. `first_line` is the number of the first line of a `-e`. Files begin with line 1.
pub(crate) fn run(
    runner: &mut Runner,
    source: &ProgramText,
    first_line: usize,
) -> Result<(), RunEnd> {
    runner.begin_source()?;
    runner.session.forget_remarks();
    let (name, mut lines) = match source {
        ProgramText::Statement(text) => ("-e", Lines::of(text.as_encoded_bytes(), first_line)),
        ProgramText::File(path) if path == "-" => ("-", Lines::new(io::stdin().lock())),
        ProgramText::File(path) => {
            let name = path.to_string_lossy();
            let origin = LineOrigin::script(&name, Some(Path::new(path)));
            return match open(path) {
                Ok(file) => read(runner, origin, &mut Lines::new(file)),
                Err(error) => runner.report_failure(&unreadable(&name, &error), origin, None),
            };
        }
    };
    read(runner, LineOrigin::script(name, None), &mut lines)
}

/// Runs the saved settings and the init script, if they exist and are wanted. Their answers are not shown, and `:undo` cannot undo them.
pub(crate) fn run_own_scripts(runner: &mut Runner, must_run: bool) -> Result<(), RunEnd> {
    let Some(scripts) = files::own_scripts().filter(|_| must_run) else {
        return Ok(());
    };
    runner.is_silent = true;
    let ran = (scripts.iter()).try_for_each(|path| run_own_script(runner, path));
    runner.is_silent = false;
    runner.begin_here();
    ran
}

/// Runs the saved settings or the init script. An error in the script does not end the program.
fn run_own_script(runner: &mut Runner, path: &Path) -> Result<(), RunEnd> {
    let name = path.to_string_lossy();
    let origin = LineOrigin::script(&name, Some(path));
    let ran = match files::open(path) {
        Ok(file) => read(runner, origin, &mut Lines::new(file)),
        Err(error) if files::is_missing(&error) => Ok(()),
        Err(error) => {
            let error = unreadable(&name, &error).help("`--no-init` starts without it");
            runner.report_failure(&error, origin, None)
        }
    };
    runner.session.forget_remarks();
    match ran {
        // The error has been shown, and the statements before it remain in effect.
        Ok(()) | Err(RunEnd::Failed | RunEnd::Quit) => Ok(()),
        stopped => stopped,
    }
}

/// Opens a file. This may block for a named pipe, so Ctrl-C ends the process meanwhile.
fn open(path: &OsStr) -> io::Result<File> {
    let _waiting = interrupt::begin_waiting();
    File::open(path)
}
