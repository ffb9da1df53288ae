//! The shell's implementation of the session's [`Host`]: whether work should stop, how far it has come, and the files
//! that commands read and write.
//!
//! The session calls it regularly during long work. That is also the chance to write answers that are still in the
//! buffer. A file is replaced as a whole or not at all, and a copy is kept of any file that this program did not write,
//! unless a picture replaces it.

use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::interrupt;
use super::progress::Meter;
use crate::commands::LESSON_TABLES;
use crate::session::limits::STATEMENT_NODES;
use crate::session::{CellReading, Contents, Host, NumberTable, Settings, table_diagnostic};
use crate::shell::process::{self, world};
use crate::shell::script::output::Output;
use crate::shell::{MAX_FILE, files, script};
use chainrule_report::Picture;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_view as view;
use chainrule_view::theme::Theme;
use chainrule_view::{DocumentPicture, Style};

/// The world outside of the session.
pub(crate) struct ShellHost {
    pub output: Rc<RefCell<Output>>,
    /// With `--quiet` there is none.
    pub meter: Option<RefCell<Meter>>,
    /// The file whose statements run. What they read is looked for in its folder.
    pub script: RefCell<Option<PathBuf>>,
    /// The files that run, each loaded by the one before it; none if no file is being loaded.
    pub loads: RefCell<Vec<LoadedFile>>,
    /// No statements are read from standard input, so data may be.
    pub data_from_input: Cell<bool>,
    /// The table that was pasted last: `:data -` reads it.
    pub pasted: RefCell<Option<Vec<u8>>>,
    /// The pictures that wait for their place in the document, if one is written.
    pub pictures: RefCell<Option<Vec<DocumentPicture>>>,
    /// The document is a worksheet.
    pub leaves_gaps: Cell<bool>,
}

/// The time a live result may take. A longer one would make typing feel slow.
const PATIENCE: Duration = Duration::from_millis(5);

/// The host of a live result: it stops work that takes too long. It has the time when that began.
pub(crate) struct TypingHost(Duration);

impl TypingHost {
    pub(crate) fn new() -> TypingHost {
        TypingHost(world::now())
    }
}

impl Host for TypingHost {
    fn stop(&self) -> bool {
        process::since(self.0) > PATIENCE
    }
}

/// A file that runs: it is being loaded, or it is the script that loads.
pub(crate) struct LoadedFile {
    /// The canonical path, which is the same for every path that leads to the file.
    pub real: PathBuf,
    /// The name for messages.
    pub name: String,
}

impl ShellHost {
    /// The path of a file that is to be read.
    pub(crate) fn path(&self, typed: &str) -> Result<PathBuf, Diagnostic> {
        let script = self.script.borrow();
        files::resolve_path(typed, script.as_deref().and_then(Path::parent))
    }

    /// The error for a file that could not be read.
    pub(crate) fn unreadable(&self, name: &str, error: &io::Error) -> Diagnostic {
        let in_script = self.script.borrow().is_some() && Path::new(name).is_relative();
        let help =
            in_script.then(|| "a path in a file begins at the folder of the file".to_owned());
        Diagnostic {
            help,
            ..script::unreadable(name, error)
        }
    }

    /// Is a file being loaded?
    pub(crate) fn is_loading(&self) -> bool {
        !self.loads.borrow().is_empty()
    }

    /// A loaded file must not write files, because its changes may still be undone.
    fn may_write(&self) -> Result<(), Diagnostic> {
        match self.loads.borrow().last() {
            Some(LoadedFile { name, .. }) => Err(Diagnostic::new(format!(
                "`{name}` is being loaded, and a file that is loaded writes none"
            ))
            .help("write it afterwards")),
            None => Ok(()),
        }
    }

    fn draw(
        &self,
        picture: &Picture,
        path: &str,
        target: &Path,
        style: &Style,
    ) -> Result<(), Diagnostic> {
        let ending = &*ending(path);
        let stem = &path[..path.len() - ending.len()];
        if ending == "png" && !cfg!(feature = "png") {
            let (message, or) = if cfg!(feature = "terminal") {
                let or = ", or build the program with `--features png`";
                ("this program was built without `.png` pictures", or)
            } else {
                ("a page writes no `.png` pictures", "")
            };
            return Err(Diagnostic::new(message).help(format!("name the file `{stem}svg`{or}")));
        }
        let content = view::picture(picture, ending, style).map_err(Diagnostic::new)?;
        files::write(target, &content).map_err(|error| files::unwritable(target, &error))?;
        if let Some(pictures) = &mut *self.pictures.borrow_mut()
            && DocumentPicture::can_show(ending)
        {
            let drawn = |gaps| {
                let style = Style {
                    has_gaps: gaps,
                    ..*style
                };
                view::picture(picture, "svg", &style).map_err(Diagnostic::new)
            };
            let gaps = self.leaves_gaps.get();
            // A page of stops would show on a worksheet what is asked.
            let ending = if gaps { "svg" } else { ending };
            let content = match ending {
                "html" => content,
                _ => drawn(gaps)?,
            };
            let answer = if gaps { Some(drawn(false)?) } else { None };
            pictures.push(DocumentPicture {
                title: view::picture_title(picture),
                ending: ending.to_owned(),
                path: target.to_string_lossy().into_owned(),
                answer: answer.filter(|answer| *answer != content),
                content,
            });
        }
        Ok(())
    }
}

impl Host for ShellHost {
    fn stop(&self) -> bool {
        // If the answers cannot be written any more, there is no use in finishing the work.
        let unheard = self
            .output
            .try_borrow_mut()
            .is_ok_and(|mut output| output.flush_if_overdue().is_err());
        unheard || interrupt::pending()
    }

    fn progress(&self, done: u64, of: u64, value: f64) {
        if let Some(meter) = &self.meter {
            meter.borrow_mut().progress(done, of, value);
        }
    }

    fn shows_confirmations(&self) -> bool {
        self.meter.is_some()
    }

    fn keep_leaves(&self, setting: &dyn Fn() -> String) {
        if let Some(meter) = &self.meter {
            meter.borrow().keep_leaves(setting);
        }
    }

    fn end_progress(&self) {
        if let Some(meter) = &self.meter {
            meter.borrow_mut().over();
        }
    }

    fn write(
        &self,
        path: &str,
        contents: Contents,
        settings: &Settings,
    ) -> Result<Option<String>, Diagnostic> {
        self.may_write()?;
        let target = files::resolve_path(path, None)?;
        let style = style_of(settings);
        match contents {
            Contents::Text { text, own } => write_text(path, &target, &text, own),
            Contents::Tables(sheets) => {
                let text = view::sheets(&sheets, &ending(path), &style);
                let titles = titles(text.as_bytes());
                write_text(path, &target, &text, |beginning| {
                    let found = self::titles(beginning);
                    // Of a long line only the beginning is known.
                    let whole = beginning.contains(&b'\n');
                    titles == found || !whole && titles.starts_with(&found)
                })
            }
            Contents::Picture(picture) => {
                self.draw(&picture, path, &target, &style)?;
                Ok(None)
            }
        }
    }

    fn read_table(&self, path: &str, dates: CellReading) -> Result<NumberTable, Diagnostic> {
        let table = |bytes: &[u8]| {
            let table = chainrule_tables::read(bytes, path, dates, STATEMENT_NODES as usize);
            table.map_err(|error| table_diagnostic(&error))
        };
        if let Some(pasted) = self.pasted.borrow().as_ref().filter(|_| path == INPUT) {
            return table(pasted);
        }
        let found = match path {
            INPUT => PathBuf::from("/dev/stdin"),
            _ => self.path(path)?,
        };
        let name = found.to_string_lossy();
        let read = if files::is_input(&found) {
            if !self.data_from_input.get() {
                return Err(Diagnostic::new(format!(
                    "the statements are read from `{name}`, so no data can come from there"
                ))
                .help("put the statements into a file, and run `chainrule FILE.calc < DATA.csv`"));
            }
            let _waiting = interrupt::waiting();
            read_all(&mut io::stdin().lock())
        } else {
            match files::open(&found) {
                Ok(mut file) => read_all(&mut file),
                Err(error) => lesson_table(&found).map(Some).ok_or(error),
            }
        };
        let bytes = match read {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                let most = MAX_FILE >> 20;
                let error = Diagnostic::new(format!("`{name}` is larger than {most} MiB"));
                return Err(error.help("read a part of it"));
            }
            Err(error) if error.kind() == ErrorKind::IsADirectory => {
                return Err(
                    Diagnostic::new(format!("`{name}` is a folder, a table was expected"))
                        .help("name a file in it"),
                );
            }
            Err(error) => return Err(self.unreadable(&name, &error)),
        };
        table(&bytes)
    }

    fn keep_settings(&self, statements: &str) -> Result<String, Diagnostic> {
        self.may_write()?;
        files::keep_settings(statements)
    }
}

/// The style that settings ask for, wherever it is used.
pub(super) fn style_of(settings: &Settings) -> Style {
    Style {
        digits: settings.count("digits") as u8,
        table_digits: settings.count("table-digits") as u8,
        is_dark: Theme::from_name(settings.word("theme")) == Theme::Dark,
        ..Style::default()
    }
}

/// The table of a built-in lesson, which is there where no file has its name.
fn lesson_table(path: &Path) -> Option<Vec<u8>> {
    let mut tables = LESSON_TABLES.into_iter();
    let (_, table) = tables.find(|(name, _)| path.file_name() == Some(OsStr::new(name)))?;
    (!path.exists()).then(|| table.as_bytes().to_vec())
}

/// The table that is piped into a script: `:data - as x`.
const INPUT: &str = "-";

/// What stands after the last point, in small letters: `svg`.
fn ending(path: &str) -> String {
    let ending = path.rsplit('.').next().unwrap_or_default();
    ending.to_ascii_lowercase()
}

/// Reads everything up to the end; `None` if that is more than [`MAX_FILE`].
fn read_all(source: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = source.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok((read <= MAX_FILE).then_some(bytes))
}

/// Writes a text. Of a file that is not one of our `own` a copy is kept, whose name is returned.
fn write_text(
    path: &str,
    target: &Path,
    text: &str,
    own: impl Fn(&[u8]) -> bool,
) -> Result<Option<String>, Diagnostic> {
    let unwritable = |error| files::unwritable(target, &error);
    let kept = files::is_foreign(target, own).map_err(unwritable)?;
    if kept {
        let mut copy = target.as_os_str().to_owned();
        copy.push("~");
        let copy = PathBuf::from(copy);
        files::copy(target, &copy).map_err(|error| {
            files::unwritable(&copy, &error).help(format!(
                "`{path}` was not written by this program: it is replaced only when a copy of it is kept"
            ))
        })?;
    }
    files::write(target, text.as_bytes()).map_err(unwritable)?;
    Ok(kept.then(|| format!("{path}~")))
}

/// The first line of a table without its blanks, of which Markdown has more where entries are longer.
fn titles(text: &[u8]) -> Vec<u8> {
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    first.iter().filter(|byte| !blank(byte)).copied().collect()
}
