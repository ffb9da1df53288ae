//! The sources that are named on the command line, and the init script.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

use super::RunEnd;
use super::files;
use super::options::ProgramText;
use super::process::interrupt;
use super::script::lines::Lines;
use super::script::runner::{LineOrigin, Runner};
use super::script::{read, unreadable};
use crate::diagnostic::Diagnostic;

/// Does this source read standard input?
pub(crate) fn is_input(source: &ProgramText) -> bool {
    match source {
        ProgramText::Statement(_) => false,
        ProgramText::File(path) => path == "-" || files::is_input(Path::new(path)),
    }
}

/// Runs a source. The lines of a `-e` are counted from `first` on.
pub(crate) fn run(runner: &mut Runner, source: &ProgramText, first: usize) -> Result<(), RunEnd> {
    runner.begin_source()?;
    runner.session.forget_remarks();
    let (name, mut lines) = match source {
        ProgramText::Statement(text) => ("-e", Lines::of(text.as_encoded_bytes(), first)),
        ProgramText::File(path) if path == "-" => ("-", Lines::new(io::stdin().lock())),
        ProgramText::File(path) => {
            let name = path.to_string_lossy();
            let origin = LineOrigin::script(&name, Some(Path::new(path)));
            return match open(path) {
                Ok(file) => read(runner, origin, &mut Lines::new(file)),
                Err(error) => runner.complain(&unreadable(&name, &error), origin, None),
            };
        }
    };
    read(runner, LineOrigin::script(name, None), &mut lines)
}

/// Runs the init script, if there is one. Its answers are not shown, its effects cannot be undone, and an error in it
/// does not end the program.
pub(crate) fn run_init(runner: &mut Runner) -> Result<(), RunEnd> {
    let Some(path) = files::init_script() else {
        return Ok(());
    };
    let name = path.to_string_lossy();
    let origin = LineOrigin::script(&name, Some(&path));
    runner.unshown = true;
    let ran = match files::open(&path) {
        Ok(file) => read(runner, origin, &mut Lines::new(file)),
        Err(error) if files::is_missing(&error) => Ok(()),
        Err(error) => {
            let error = unreadable(&name, &error);
            let help = Some("`--no-init` starts without it".to_owned());
            runner.complain(&Diagnostic { help, ..error }, origin, None)
        }
    };
    runner.unshown = false;
    runner.session.forget_remarks();
    runner.begin_here();
    match ran {
        // The error has been shown, and the statements before it remain in effect.
        Ok(()) | Err(RunEnd::Failed | RunEnd::Quit) => Ok(()),
        stopped => stopped,
    }
}

/// Opening may block too, for a named pipe.
fn open(path: &OsStr) -> io::Result<File> {
    let _waiting = interrupt::waiting();
    File::open(path)
}
