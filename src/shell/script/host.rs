//! Implements the session's [`Host`] for the shell: tells whether work should stop, shows the progress of work, and reads
//! and writes the files of commands.
//!
//! The session calls the host regularly during long work. The host then also writes answers that are still in the buffer.
//! A file is replaced as a whole or not at all. If another program wrote the file, a copy is kept, unless a picture
//! replaces it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::interrupt;
use super::progress::Meter;
use super::worksheet::{part_to_show, picture_with_gaps};
use crate::command::ending;
use crate::commands::LESSON_TABLES;
use crate::shell::process::{self, world};
use crate::shell::script::output::Output;
use crate::shell::{MAX_FILE, RunResult, files, script};
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Facts, Picture};
use chainrule_session::limits::Limits;
use chainrule_session::{
    CellReading, Contents, Host, NumberTable, Settings, WrittenFile, table_diagnostic,
};
use chainrule_view::{self as view, AnswerSink as _, DocumentPicture, Style, Worksheet, json};

/// The host of a session that runs statements.
pub(crate) struct ShellHost {
    pub output: RefCell<Output>,
    /// The progress line; `None` with `--quiet`.
    pub meter: Option<RefCell<Meter>>,
    /// The file whose statements run. Paths that they read from begin at its folder.
    pub script: RefCell<Option<PathBuf>>,
    /// The files that run, by their canonical paths. Each is loaded by the file before it. Empty if no file is being
    /// loaded.
    pub loads: RefCell<Vec<PathBuf>>,
    /// Commands may read data from standard input, because the statements come from elsewhere.
    pub can_read_data: Cell<bool>,
    /// The table that was pasted last: `:data -` reads it.
    pub pasted: RefCell<Option<Vec<u8>>>,
    /// The pictures that are not in the document yet; `None` if no document is written.
    pub pictures: RefCell<Option<Vec<DocumentPicture>>>,
    /// The worksheet that the document is.
    pub worksheet: Cell<Option<Worksheet>>,
    /// How the objects of the dialogue begin now: with the `id` of the request. Empty if there is no dialogue.
    pub object_head: RefCell<Facts>,
    /// The files that the dialogue has put into the session.
    put_files: RefCell<BTreeMap<String, Vec<u8>>>,
}

/// The time a live result may take. A longer one would make typing feel slow.
const MAX_PREVIEW_TIME: Duration = Duration::from_millis(5);

/// The host of a live result, which stops work that takes too long. Holds the time at which the work began.
pub(crate) struct TypingHost(pub Duration);

impl Host for TypingHost {
    fn stop(&self) -> bool {
        process::since(self.0) > MAX_PREVIEW_TIME
    }
}

impl ShellHost {
    pub(crate) fn new(output: Output, meter: Option<Meter>) -> ShellHost {
        ShellHost {
            output: RefCell::new(output),
            meter: meter.map(RefCell::new),
            script: RefCell::default(),
            loads: RefCell::default(),
            can_read_data: Cell::default(),
            pasted: RefCell::default(),
            pictures: RefCell::default(),
            worksheet: Cell::default(),
            object_head: RefCell::default(),
            put_files: RefCell::default(),
        }
    }

    /// Puts a file into the session, which `:data` reads in place of one on the disk.
    #[cfg(feature = "terminal")]
    pub(crate) fn put(&self, name: &str, bytes: Vec<u8>) {
        self.put_files.borrow_mut().insert(name.to_owned(), bytes);
    }

    /// The text of a file that was put into the session, or is on the disk.
    #[cfg(feature = "terminal")]
    pub(crate) fn text_of_file(&self, name: &str) -> Result<String> {
        match self.put_files.borrow().get(name) {
            Some(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            None => files::read_text(name),
        }
    }

    /// Writes an object of the request that runs.
    pub(crate) fn write_object(&self, facts: Facts) -> RunResult {
        let mut all = self.object_head.borrow().clone();
        all.extend(facts);
        let mut output = self.output.borrow_mut();
        // Ctrl-C drops no object, so the last one comes even if the request was stopped.
        output.text().push_str(&(json::object(all) + "\n"));
        output.flush()
    }

    /// Shows how far work has come: in the terminal or in the page, or as an object of the dialogue.
    fn show_progress(&self, text: &str) {
        if !self.object_head.borrow().is_empty() {
            // Whoever writes the next answer notices that nobody reads.
            let _ = self.write_object(vec![("progress", text.into())]);
            return;
        }
        let meter = self.meter.as_ref();
        let has_color = meter.is_some_and(|meter| meter.borrow().has_color());
        world::show_progress(text, has_color);
    }

    /// Resolves the path of a file to read.
    pub(crate) fn path(&self, typed: &str) -> Result<PathBuf> {
        let script = self.script.borrow();
        files::resolve_path(typed, script.as_deref().and_then(Path::parent))
    }

    /// The error for a file that could not be read.
    pub(crate) fn unreadable(&self, name: &str, error: &io::Error) -> Diagnostic {
        let begins_at_script = self.script.borrow().is_some() && Path::new(name).is_relative();
        let help = "a path in a file begins at the folder of the file";
        Diagnostic {
            help: begins_at_script.then(|| help.to_owned()),
            ..script::unreadable(name, error)
        }
    }

    /// Is a file being loaded?
    pub(crate) fn is_loading(&self) -> bool {
        !self.loads.borrow().is_empty()
    }

    /// Fails while a file is being loaded: it must not write files, because its changes may still be undone.
    fn check_can_write(&self) -> Result<()> {
        let script = self.script.borrow();
        let Some(script) = script.as_ref().filter(|_| self.is_loading()) else {
            return Ok(());
        };
        let name = script.display();
        let message = format!("`{name}` is being loaded, and a file that is loaded writes none");
        Err(Diagnostic::new(message).help("write it afterwards"))
    }

    /// Reads a file of data, or standard input.
    fn read_data(&self, path: &Path) -> Result<Vec<u8>> {
        let name = path.to_string_lossy();
        let is_input = files::is_input(path);
        if is_input && !self.can_read_data.get() {
            let message =
                format!("the statements are read from `{name}`, so no data can come from there");
            return Err(Diagnostic::new(message)
                .help("put the statements into a file, and run `chainrule FILE.calc < DATA.csv`"));
        }
        let read = if is_input {
            let _waiting = interrupt::begin_waiting();
            read_all(&mut io::stdin().lock())
        } else {
            match files::open(path) {
                Ok(mut file) => read_all(&mut file),
                Err(error) => lesson_table(path).map(Some).ok_or(error),
            }
        };
        match read {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => {
                let message = format!("`{name}` is larger than {} MiB", MAX_FILE >> 20);
                Err(Diagnostic::new(message).help("read a part of it"))
            }
            Err(error) if error.kind() == ErrorKind::IsADirectory => {
                let message = format!("`{name}` is a folder, a table was expected");
                Err(Diagnostic::new(message).help("name a file in it"))
            }
            Err(error) => Err(self.unreadable(&name, &error)),
        }
    }

    /// Writes a picture, or its numbers, into a file, and keeps the picture for the document.
    fn draw(&self, picture: &Picture, path: &str, style: &Style) -> Result<WrittenFile> {
        let target = files::resolve_path(path, None)?;
        let ending = &*ending(path);
        let drawn = view::picture(picture, ending, style);
        let (content, cut_texts) = drawn.map_err(Diagnostic::new)?;
        let written = match ending {
            "csv" | "md" => write_table(path, &content)?,
            _ => write_text(path, &content, is_own_picture)?,
        };
        if let Some(pictures) = &mut *self.pictures.borrow_mut()
            && ending == "svg"
        {
            let kind = self.worksheet.get();
            let (shown, is_asked) = part_to_show(kind, picture, picture_with_gaps);
            pictures.push(DocumentPicture {
                title: view::picture_title(picture),
                path: target.to_string_lossy().into_owned(),
                is_asked,
                element: view::picture_element(&shown, style).map_err(Diagnostic::new)?,
            });
        }
        Ok(WrittenFile {
            cut_texts,
            ..written
        })
    }
}

impl Host for ShellHost {
    fn stop(&self) -> bool {
        // If the answers cannot be written any more, it is useless to finish the work.
        let output = self.output.try_borrow_mut();
        output.is_ok_and(|mut it| it.flush_if_overdue().is_err()) || interrupt::pending()
    }

    fn progress(&self, done: u64, of: u64, value: f64, setting: Option<&dyn Fn() -> String>) {
        let Some(meter) = &self.meter else { return };
        let line = meter.borrow_mut().next_line(done, of, value);
        if let Some(line) = line {
            self.show_progress(&line);
            if let Some(setting) = setting {
                world::keep_leaves(setting);
            }
        }
    }

    fn shows_confirmations(&self) -> bool {
        self.meter.is_some()
    }

    fn end_progress(&self) {
        let Some(meter) = &self.meter else { return };
        let must_erase = meter.borrow_mut().end();
        if must_erase {
            self.show_progress("");
        }
    }

    fn write(&self, path: &str, contents: Contents, settings: &Settings) -> Result<WrittenFile> {
        self.check_can_write()?;
        let mut style = style_of(settings);
        match contents {
            Contents::Text { text, own } => write_text(path, &text, own),
            Contents::Tables(sheets) => {
                write_table(path, &view::sheets(&sheets, &ending(path), &style))
            }
            Contents::Picture(picture, is_dark) => {
                style.is_always_dark = is_dark;
                self.draw(&picture, path, &style)
            }
        }
    }

    fn read_table(&self, path: &str, dates: CellReading) -> Result<NumberTable> {
        let read_cells = |bytes: &[u8]| {
            let most_cells = Limits::default().nodes as usize;
            let table = chainrule_tables::read(bytes, path, dates, most_cells);
            table.map_err(|error| table_diagnostic(&error))
        };
        if let Some(bytes) = self.put_files.borrow().get(path) {
            return read_cells(bytes);
        }
        if path != INPUT {
            return read_cells(&self.read_data(&self.path(path)?)?);
        }
        match &*self.pasted.borrow() {
            Some(pasted) => read_cells(pasted),
            None => read_cells(&self.read_data(Path::new("/dev/stdin"))?),
        }
    }

    fn keep_settings(&self, statements: &str) -> Result<String> {
        self.check_can_write()?;
        files::keep_settings(statements)
    }
}

/// The style that the settings ask for. It has no width and no colours.
pub(super) fn style_of(settings: &Settings) -> Style {
    Style {
        digits: settings.count("digits") as u8,
        table_digits: settings.count("table-digits") as u8,
        ..Style::default()
    }
}

/// The table of a built-in lesson with this name, unless there is a file of that name.
fn lesson_table(path: &Path) -> Option<Vec<u8>> {
    let mut tables = LESSON_TABLES.into_iter();
    let (_, table) = tables.find(|(name, _)| path.file_name() == Some(OsStr::new(name)))?;
    (!path.exists()).then(|| table.as_bytes().to_vec())
}

/// The table that is piped into a script: `:data - as x`.
const INPUT: &str = "-";

/// Reads a source to its end. Returns `None` if that is more than [`MAX_FILE`].
fn read_all(source: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = source.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok((read <= MAX_FILE).then_some(bytes))
}

/// Writes a text into a file. If another program wrote the file, its old contents are kept in a copy, whose name is
/// returned. `is_own` recognizes the beginning of our own files.
fn write_text(path: &str, text: &str, is_own: impl Fn(&[u8]) -> bool) -> Result<WrittenFile> {
    let target = files::resolve_path(path, None)?;
    let has_copy = files::keep_foreign(&target, is_own)?;
    files::write(&target, text.as_bytes()).map_err(|error| files::unwritable(&target, &error))?;
    Ok(WrittenFile {
        backup: has_copy.then(|| format!("{path}~")),
        ..WrittenFile::default()
    })
}

/// Writes a table. A file with other titles is kept as a copy.
fn write_table(path: &str, text: &str) -> Result<WrittenFile> {
    let titles = table_titles(text.as_bytes());
    write_text(path, text, |beginning| {
        let found = table_titles(beginning);
        // If the first line is long, only a part of it is known.
        let is_whole = beginning.contains(&b'\n');
        titles == found || !is_whole && titles.starts_with(&found)
    })
}

/// Whether a file that begins so is one of our pictures. A picture that changes may have another size and another title.
fn is_own_picture(beginning: &[u8]) -> bool {
    String::from_utf8_lossy(beginning).contains(" class=\"chainrule\"")
}

/// The first line of a table. Its blanks are removed, because their number in Markdown depends on the entries below.
fn table_titles(text: &[u8]) -> Vec<u8> {
    let first_line = text.iter().take_while(|byte| **byte != b'\n');
    let titles = first_line.filter(|byte| !byte.is_ascii_whitespace());
    titles.copied().collect()
}
