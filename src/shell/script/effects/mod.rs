//! The effects of commands: write a text or a picture, load a file, play a lesson, read a table, keep settings,
//! time a statement.
//!
//! A loaded file runs like a script, but as one change: its statements run in a trial that is kept or undone as a
//! whole. The contents of files are the business of `session::saving` and `view`.

mod files_written;
mod playing;

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::job::{Job, Loading, Outcome};
use crate::commands::{DataRead, Effect, FileRequest, Took};
use crate::diagnostic::Diagnostic;
use crate::interpret;
use crate::report::{Block, Fact, Report, plural, say};
use crate::session;
use crate::shell::process::interrupt;
use crate::shell::script::job::LineOrigin;
use crate::shell::script::reading::lines::Lines;
use crate::shell::script::runner::Runner;
use crate::shell::{RunEnd, files, script, table};
use crate::stop;
use crate::syntax::{Cut, Span};

/// How deeply loaded files may load other files.
pub const MOST_LOADS: usize = 64;

/// Names that were typed, and their place.
type GivenNames = (Vec<String>, Range<usize>);

impl Runner {
    /// Carries out the effect that a command asks for.
    pub(crate) fn carry_out(
        &mut self,
        effect: Option<Box<Effect>>,
        report: Option<Report>,
        job: Job,
    ) -> Result<Outcome, RunEnd> {
        let Some(effect) = effect else {
            return Ok(Outcome::Done(report));
        };
        let (done, span) = match *effect {
            Effect::Quit => return Ok(Outcome::Done(report)),
            Effect::Load(file) => return self.load(&file, report, job),
            Effect::Time(span) => return self.time(span, job),
            Effect::Play(to, span) => return self.play(to, &span, report, job),
            Effect::Data { file, names, named } => {
                let done = self.data(&file, &(names, named), job);
                return Ok(done.unwrap_or_else(|error| failed(error, &file.span)));
            }
            Effect::Write { file, text, own } => {
                let told = |copy| match copy {
                    Some(copy) => report.map(|report| with_copy(report, copy)),
                    None => report,
                };
                (self.write(&file, &text, own).map(told), file.span)
            }
            Effect::Sheets { file, sheets } => {
                let told = |copy| match copy {
                    Some(copy) => report.map(|report| with_copy(report, copy)),
                    None => report,
                };
                (self.write_sheets(&file, &sheets).map(told), file.span)
            }
            Effect::Draw { file, picture } => {
                (self.draw(&file, &picture, job).map(|()| report), file.span)
            }
            Effect::KeepSettings { text, span } => {
                let told = |path: PathBuf| report.map(|report| with_path(report, &path));
                (self.keep_settings(&text).map(told), span)
            }
        };
        Ok(done.map_or_else(|error| failed(error, &span), Outcome::Done))
    }

    fn load(
        &mut self,
        file: &FileRequest,
        report: Option<Report>,
        job: Job,
    ) -> Result<Outcome, RunEnd> {
        let folder = job.spot.origin.path.and_then(Path::parent);
        let opened = files::typed(&file.path, folder).and_then(|path| {
            let name = path.to_string_lossy().into_owned();
            let real = self.enter(&path, &name, job)?;
            let opened = files::open(&path);
            let opened = opened.map_err(|error| script::unreadable(&name, &error))?;
            Ok((path, name, real, opened))
        });
        let (path, name, real, opened) = match opened {
            Ok(opened) => opened,
            Err(error) => return Ok(failed(error, &file.span)),
        };
        let first = self.loads.is_empty();
        if first {
            self.session.begin_trial();
            self.push_script(job.spot.origin);
        }
        let depth = self.loads.len();
        self.loads.push(Loading {
            real,
            name: name.clone(),
        });
        let before = self.statements;
        let origin = LineOrigin::script(&name, Some(&path));
        let ran = match script::read(self, origin, &mut Lines::new(opened)) {
            // `:quit` ends only the file it stands in.
            Err(RunEnd::Quit) => Ok(()),
            ran => ran,
        };
        self.loads.truncate(depth);
        if first {
            self.loads.clear();
        }
        if let Err(stop) = ran {
            if !first {
                return Err(stop);
            }
            self.session.take_trial_back();
            return self.not_kept(stop, &name);
        }
        if first {
            let statement = job.cut.span.of(job.text);
            self.session.keep_trial(statement);
        }
        let count = (self.statements - before) as u64;
        Ok(Outcome::Done(
            report.map(|report| with_count(report, count)),
        ))
    }

    /// The error itself has been shown; notes that nothing of the file was kept.
    fn not_kept(&mut self, stop: RunEnd, name: &str) -> Result<Outcome, RunEnd> {
        // In JSON output the error object says everything.
        if matches!(stop, RunEnd::Failed | RunEnd::Interrupted) && !self.options.json {
            self.note(say!("nothing of {:typed} was kept", name))?;
        }
        match stop {
            RunEnd::Failed if self.keeps_going() => Ok(Outcome::Told),
            stop => Err(stop),
        }
    }

    /// Checks that a file may be loaded. Returns its canonical path, by which circular loads are detected.
    fn enter(&self, path: &Path, name: &str, job: Job) -> Result<PathBuf, Diagnostic> {
        let unreadable = |error| unreadable_here(name, &error, job.spot.origin);
        let real = std::fs::canonicalize(path).map_err(unreadable)?;
        let script = job.spot.origin.path.filter(|_| self.loads.is_empty());
        let itself = script
            .is_some_and(|script| std::fs::canonicalize(script).is_ok_and(|script| script == real));
        if itself {
            return Err(Diagnostic::new(format!("`{name}` would load itself")));
        }
        if let Some(first) = self.loads.iter().position(|loading| loading.real == real) {
            let mut names = self.loads[first..].iter().map(|loading| &*loading.name);
            let mut chain = format!("`{}` loads ", names.next().unwrap_or_default());
            for name in names {
                // Writing into a string cannot fail.
                let _ = write!(chain, "`{name}`, which loads ");
            }
            return Err(Diagnostic::new(format!("`{name}` is being loaded already"))
                .help(format!("{chain}`{name}`")));
        }
        if self.loads.len() >= MOST_LOADS {
            return Err(Diagnostic::new(format!(
                "files load one another more than {MOST_LOADS} deep"
            ))
            .help("load them one after the other from one file"));
        }
        Ok(real)
    }

    /// Records the running script among the files being loaded, so that they cannot load it.
    fn push_script(&mut self, origin: LineOrigin) {
        let real = origin
            .path
            .and_then(|path| std::fs::canonicalize(path).ok());
        self.loads.extend(real.map(|real| Loading {
            real,
            name: origin.name.to_owned(),
        }));
    }

    /// Reads a table and binds its columns or rows.
    fn data(
        &mut self,
        file: &FileRequest,
        given: &GivenNames,
        job: Job,
    ) -> Result<Outcome, Diagnostic> {
        let work = || {
            let bytes = self.table_bytes(&file.path, job.spot.origin)?;
            table::read(&bytes, &file.path)
        };
        let table = stop::interruptible(interrupt::pending, work)
            .map_err(|_| Diagnostic::from(session::Error::Interrupted))??;
        let (typed, place) = given;
        let word = &job.text[file.span.clone()];
        let found = table::names(typed, &table, word);
        let naming = found.map_err(|error| match typed.as_slice() {
            [] => error,
            _ => error.at(place.clone()),
        })?;
        let (statement, span) = (job.cut.span.of(job.text), job.cut.span);
        let made = self.session.made();
        let rebound = (self.session).bind_data(
            statement,
            span,
            &naming.names,
            &table.numbers,
            table.width,
        )?;
        let names = naming.names.iter().map(String::as_str);
        let given = interpret::give(&mut self.session, names, made, span)?;
        let report = DataRead {
            path: file.path.clone(),
            rows: table.rows(),
            names: naming.names,
        };
        let notes = naming
            .notes
            .into_iter()
            .chain(rebound)
            .chain(given)
            .collect();
        Ok(Outcome::Bound(report.report(), notes))
    }

    fn table_bytes(&mut self, path: &str, origin: LineOrigin) -> Result<Vec<u8>, Diagnostic> {
        let path = files::typed(path, origin.path.and_then(Path::parent))?;
        let name = path.to_string_lossy();
        let read = if files::is_input(&path) {
            let Some(input) = &self.data_input else {
                return Err(Diagnostic::new(format!(
                    "the statements are read from `{name}`, so no data can come from there"
                ))
                .help("put the statements into a file, and run `chainrule FILE.calc < DATA.csv`"));
            };
            let _waiting = interrupt::waiting();
            table::bytes(&mut input.lock())
        } else {
            files::open(&path).and_then(|mut file| table::bytes(&mut file))
        };
        match read {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(table::too_large(&name)),
            Err(error) if error.kind() == ErrorKind::IsADirectory => Err(Diagnostic::new(format!(
                "`{name}` is a folder, a table was expected"
            ))
            .help("name a file in it")),
            Err(error) => Err(unreadable_here(&name, &error, origin)),
        }
    }

    fn time(&mut self, span: Span, job: Job) -> Result<Outcome, RunEnd> {
        let cut = Cut {
            span,
            silenced: job.cut.silenced,
        };
        let made = self.session.made();
        // What is timed draws its random numbers from a copy.
        let before = self.session.begin_copy();
        let start = Instant::now();
        let answered = self.interpret(job.text, &cut);
        let mut seconds = start.elapsed().as_secs_f64();
        let reply = match answered {
            Ok(reply) => reply,
            Err(error) => {
                self.session.end_copy(before);
                return Ok(Outcome::Failed(error));
            }
        };
        let has_effect =
            (reply.effect.as_deref()).is_some_and(|effect| !matches!(effect, Effect::Quit));
        let running = self.statements;
        let answered = self.reply(reply, Job { cut, ..job });
        self.session.end_copy(before);
        answered?;
        if has_effect {
            // The effect was the actual work, so measure again.
            seconds = start.elapsed().as_secs_f64();
        }
        // The timed statement and `:time` count as one.
        self.statements = running;
        let nodes = u64::from(self.session.made().saturating_sub(made));
        // The timing is shown even after `;`, which silences only the answer of the timed statement.
        self.present(Some(&Took { seconds, nodes }.report()), &[], &[], job.spot)?;
        Ok(Outcome::Done(None))
    }
}

/// An error of the outside world, pointed at the part of the statement that caused it.
fn failed(error: Diagnostic, span: &std::ops::Range<usize>) -> Outcome {
    Outcome::Failed(if error.span.is_some() {
        error
    } else {
        error.at(span.clone())
    })
}

/// The error for a FILE of a command that could not be read. A path in a script begins at the folder of the script.
fn unreadable_here(name: &str, error: &io::Error, origin: LineOrigin) -> Diagnostic {
    let diagnostic = script::unreadable(name, error);
    match origin.path {
        Some(_) if Path::new(name).is_relative() => {
            diagnostic.help("a path in a file begins at the folder of the file")
        }
        _ => Diagnostic {
            help: None,
            ..diagnostic
        },
    }
}

fn with_count(mut report: Report, count: u64) -> Report {
    report.facts.push(("statements", Fact::Count(count)));
    if let Some(Block::Line(line)) = report.blocks.first_mut() {
        line.extend(say!(": {}", plural(count as usize, "statement")));
    }
    report
}

fn with_copy(mut report: Report, copy: String) -> Report {
    let line = say!("the file that was there is kept as {:typed}", &copy);
    report.blocks.push(Block::Line(line));
    report.facts.push(("backup", Fact::Text(copy)));
    report
}

fn with_path(mut report: Report, path: &Path) -> Report {
    let path = path.display().to_string();
    if let Some(Block::Line(line)) = report.blocks.first_mut() {
        line.extend(say!("{:typed}", &path));
    }
    report.facts.push(("path", Fact::Text(path)));
    report
}
