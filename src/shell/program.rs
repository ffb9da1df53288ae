//! Runs the program at a terminal: reads the options, runs the sources or the prompt, and decides the exit status.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use super::options::{EchoFormat, Options, ProgramText};
use super::process::{interrupt, terminal, terminal::When};
use super::script::answer_format::AnswerFormat;
use super::script::job::{Job, LineOrigin};
use super::script::lines::Lines;
use super::script::output::Output;
use super::script::runner::{RunOptions, Runner};
use super::server::dialogue;
use super::{PROGRAM, RunEnd, RunResult, files, prompt, script};
use chainrule_report::characters;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_view::{self as view, Document, DocumentFormat, Worksheet};

/// The bytes of stack for the deepest brackets that are read. Some systems give the main thread less.
const STACK_BYTES: usize = 8 << 20;
/// The exit status of a panic in Rust.
const PANIC_STATUS: u8 = 101;

/// Runs the whole program, from the arguments of the process to its exit status, on a stack of its own.
pub fn run() -> ExitCode {
    let thread = std::thread::Builder::new()
        .name("main".into())
        .stack_size(STACK_BYTES);
    match thread.spawn(run_here).map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        // The panic hook has printed the panic.
        Ok(Err(_)) => ExitCode::from(PANIC_STATUS),
        // No thread could be made.
        Err(_) => run_here(),
    }
}

/// Runs the whole program on the present stack.
fn run_here() -> ExitCode {
    let mut options = match Options::read(std::env::args_os()) {
        Ok(options) => options,
        Err(answer) => return ExitCode::from(print_instead(&answer)),
    };
    let needs_source = options.programs.is_empty() && !options.dialogue;
    options.interactive |= needs_source && terminal::can_prompt();
    if needs_source && !options.interactive {
        options.programs.push(ProgramText::File("-".into()));
    }
    interrupt::watch();
    let run_options = RunOptions {
        // What a program reads has colours only if it asks for them.
        color: match options.color {
            When::Auto if options.dialogue => When::Never,
            color => color,
        },
        digits: options.digits,
        is_quiet: options.quiet,
        must_keep_going: options.keep_going,
        is_strict: options.strict,
    };
    let mut runner = Runner::new(run_options, options.answer_format(), Output::standard());
    if options.dialogue {
        return run_dialogue(runner, &options);
    }
    let end = run_all(&mut runner, &options);
    let status = exit_status(&end, runner.has_failures());
    // The process ends here: freeing a graph of millions of nodes one by one would only take time.
    std::mem::forget(runner);
    ExitCode::from(status)
}

/// Runs the user's own scripts, and then answers requests.
fn run_dialogue(mut runner: Runner, options: &Options) -> ExitCode {
    let started = run_own_scripts(&mut runner, !options.no_init);
    let end = started.and_then(|()| dialogue::run(runner));
    // A failure is told to the program that has asked.
    ExitCode::from(exit_status(&end, false))
}

/// Runs the user's own scripts and then the sources, and writes all answers.
fn run_all(runner: &mut Runner, options: &Options) -> RunResult {
    let started = run_own_scripts(runner, !options.no_init)
        .and_then(|()| options.seed.map_or(Ok(()), |seed| set_seed(runner, seed)));
    // The document begins after these scripts, even if one of them has ended the run, and is complete in any case.
    if let Some(document) = echo_document(options) {
        runner.begin_document(document);
    }
    let ran = started.and_then(|()| run_sources(runner, options));
    let written = write_rest(runner);
    match ran {
        // Ctrl-C was pressed during the last statement, which kept a partial result (as `:step` does) and so did not
        // fail.
        Ok(()) if interrupt::pending() => Err(RunEnd::Interrupted),
        Ok(()) | Err(RunEnd::Quit) => written,
        stopped => stopped,
    }
}

/// Runs the `-e` statements and the files in the order they were given, and then the prompt if it is wanted.
fn run_sources(runner: &mut Runner, options: &Options) -> RunResult {
    let opens_prompt = options.interactive;
    // If statements are read from standard input, no command can read data from it.
    let reads_input = opens_prompt || options.programs.iter().any(is_input);
    runner.host().can_read_data.set(!reads_input);
    runner.take_values(&options.set);
    let ran = run_programs(runner, &options.programs);
    let ran_and_checked = match ran {
        Ok(()) | Err(RunEnd::Quit) => runner.report_unbound_names().and(ran),
        stopped => stopped,
    };
    match ran_and_checked {
        // With `-i` the user inspects a failure at the prompt, so a failure does not end the run.
        Ok(()) | Err(RunEnd::Failed | RunEnd::Interrupted) if opens_prompt => {
            prompt::run(runner, options)
        }
        stopped => stopped,
    }
}

/// Runs the sources one after the other. The lines of all `-e` are numbered together, so that the line number in an
/// error tells which `-e` has failed.
fn run_programs(runner: &mut Runner, programs: &[ProgramText]) -> RunResult {
    let mut next_line = 1;
    for source in programs {
        let first_line = next_line;
        if let ProgramText::Statement(text) = source {
            next_line += text.as_encoded_bytes().split(|byte| *byte == b'\n').count();
        }
        run_source(runner, source, first_line)?;
    }
    Ok(())
}

/// Does this source read standard input?
fn is_input(source: &ProgramText) -> bool {
    match source {
        ProgramText::Statement(_) => false,
        ProgramText::File(path) => path == "-" || files::is_input(Path::new(path)),
    }
}

/// Runs a source. `first_line` is the number of the first line of a `-e`. Files begin with line 1.
fn run_source(runner: &mut Runner, source: &ProgramText, first_line: usize) -> RunResult {
    runner.begin_source()?;
    runner.session_mut().forget_remarks();
    let (name, mut lines) = match source {
        ProgramText::Statement(text) => ("-e", Lines::of(text.as_encoded_bytes(), first_line)),
        ProgramText::File(path) if path == "-" => ("-", Lines::new(io::stdin().lock())),
        ProgramText::File(path) => {
            let name = path.to_string_lossy();
            let origin = LineOrigin::script(&name, Some(Path::new(path)));
            return match open(path) {
                Ok(file) => script::read(runner, origin, &mut Lines::new(file)),
                Err(error) => {
                    runner.fail(&script::unreadable(&name, &error), Job::at(origin, None))
                }
            };
        }
    };
    script::read(runner, LineOrigin::script(name, None), &mut lines)
}

/// Runs the saved settings and the init script, if they exist and are wanted. Their answers are not shown, and `:undo` cannot undo them.
fn run_own_scripts(runner: &mut Runner, must_run: bool) -> RunResult {
    let Some(scripts) = files::own_scripts().filter(|_| must_run) else {
        return Ok(());
    };
    let ran =
        runner.run_silently(|it| (scripts.iter()).try_for_each(|path| run_own_script(it, path)));
    runner.begin_here();
    ran
}

/// Runs the saved settings or the init script. An error in the script does not end the program.
fn run_own_script(runner: &mut Runner, path: &Path) -> RunResult {
    let name = path.to_string_lossy();
    let origin = LineOrigin::script(&name, Some(path));
    let ran = match files::open(path) {
        Ok(file) => script::read(runner, origin, &mut Lines::new(file)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(())
        }
        Err(error) => {
            let error = script::unreadable(&name, &error).help("`--no-init` starts without it");
            runner.fail(&error, Job::at(origin, None))
        }
    };
    runner.session_mut().forget_remarks();
    match ran {
        // The error has been shown, and the statements before it remain in effect.
        Ok(()) | Err(RunEnd::Failed | RunEnd::Quit) => Ok(()),
        stopped => stopped,
    }
}

/// Sets the seed of the random numbers by a statement, which `:save` keeps. Nothing shows it.
fn set_seed(runner: &mut Runner, seed: u32) -> RunResult {
    let origin = LineOrigin::script("--seed", None);
    runner.run_silently(|it| it.run_text(origin, &format!(":config seed {seed}")))
}

/// Opens a file. This may block for a named pipe, so Ctrl-C ends the process meanwhile.
fn open(path: &OsStr) -> io::Result<File> {
    let _waiting = interrupt::begin_waiting();
    File::open(path)
}

/// The exit status after this end: 0 if everything succeeded, 1 if a statement failed or the answers could not be
/// written, 130 after Ctrl-C. A closed pipe and `:quit` do not count as failures, so earlier statements decide. (Usage
/// errors give 2.)
fn exit_status(end: &RunResult, has_failures: bool) -> u8 {
    match end {
        Err(RunEnd::Interrupted) => 130,
        Err(RunEnd::Failed | RunEnd::Unwritable(_)) => 1,
        Ok(()) | Err(RunEnd::Quit | RunEnd::Closed) => u8::from(has_failures),
    }
}

/// Prints what `clap` returned instead of options: help and version on standard output, usage errors on standard error.
fn print_instead(answer: &clap::Error) -> u8 {
    // `clap` repeats the arguments, which may contain control characters: those must not reach the terminal.
    let text = characters::clean_except(&answer.render().to_string(), &['\n']);
    if answer.use_stderr() {
        // Standard error is the last resort: a failure here cannot be reported anywhere.
        let _ = io::stderr().write_all(text.as_bytes());
        return 2;
    }
    print(&text)
}

/// Writes a text, and returns the exit status.
fn print(text: &str) -> u8 {
    let (options, output) = (RunOptions::default(), Output::standard());
    let mut runner = Runner::new(options, AnswerFormat::Text, output);
    let shown = runner.show_text(text);
    exit_status(&shown.and(write_rest(&mut runner)), false)
}

/// Writes the end of the document and the buffered answers. Reports on standard error if standard output cannot be
/// written.
fn write_rest(runner: &mut Runner) -> RunResult {
    let written = runner.end_document().and_then(|()| runner.flush());
    if let Err(RunEnd::Unwritable(reason)) = &written {
        let diagnostic = Diagnostic::new(format!("standard output cannot be written: {reason}"));
        // The message is written although the answers before it cannot be.
        let _ = runner.write_message(|style, out| view::diagnostic(&diagnostic, None, style, out));
    }
    written
}

/// The document that `--echo` asks for.
fn echo_document(options: &Options) -> Option<Document> {
    let format = match options.echo? {
        EchoFormat::Md => DocumentFormat::Markdown,
        EchoFormat::Html => DocumentFormat::Html,
    };
    // The title is the name of the first file without its ending.
    let mut files = options.files.iter().filter(|path| *path != "-");
    let name = files.next().and_then(|path| Path::new(path).file_stem());
    let title = name.map_or("chainrule".into(), OsStr::to_string_lossy);
    let mut document = Document::new(format, &title, PROGRAM);
    let (is_key, seed) = (options.key, options.seed);
    document.worksheet = (options.gaps || is_key).then_some(Worksheet { is_key, seed });
    Some(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses() {
        let full = || Err(RunEnd::Unwritable("no space left".into()));
        for (end, failed, expected) in [
            (Ok(()), false, 0),
            (Ok(()), true, 1),
            (Err(RunEnd::Quit), false, 0),
            (Err(RunEnd::Quit), true, 1),
            (Err(RunEnd::Closed), false, 0),
            (Err(RunEnd::Closed), true, 1),
            (Err(RunEnd::Failed), true, 1),
            (Err(RunEnd::Interrupted), false, 130),
            (Err(RunEnd::Interrupted), true, 130),
            (full(), false, 1),
        ] {
            assert_eq!(exit_status(&end, failed), expected, "{end:?} {failed}");
        }
    }
}
