//! Files that commands write: texts, tables, pictures, and the settings that are kept.
//!
//! A file is replaced as a whole or not at all. Of one that this program did not write a copy is kept, except under a
//! picture.

use std::path::PathBuf;

use crate::commands::FileRequest;
use crate::diagnostic::Diagnostic;
use crate::report::{DataSheet, Picture};
use crate::session;
use crate::shell::files;
use crate::shell::process::interrupt;
use crate::shell::process::terminal::Stream;
use crate::shell::script::init;
use crate::shell::script::job::Job;
use crate::shell::script::runner::Runner;
use crate::stop;
use crate::view;

impl Runner {
    /// Writes a text. Returns the name of the backup copy, if the file replaced was not one of our `own`.
    pub(super) fn write(
        &mut self,
        file: &FileRequest,
        text: &str,
        own: impl Fn(&[u8]) -> bool,
    ) -> Result<Option<String>, Diagnostic> {
        self.may_write()?;
        let path = files::typed(&file.path, None)?;
        let unwritable = |error| files::unwritable(&path, &error);
        let kept = files::is_foreign(&path, own).map_err(unwritable)?;
        if kept {
            let mut copy = path.clone().into_os_string();
            copy.push("~");
            let copy = PathBuf::from(copy);
            files::copy(&path, &copy).map_err(|error| {
                files::unwritable(&copy, &error).help(format!(
                    "`{}` was not written by this program: it is replaced only when a copy of it is kept",
                    file.path
                ))
            })?;
        }
        files::write(&path, text.as_bytes()).map_err(unwritable)?;
        Ok(kept.then(|| format!("{}~", file.path)))
    }

    /// Writes tables. A file that begins with the same titles is one of ours.
    pub(super) fn write_sheets(
        &mut self,
        file: &FileRequest,
        sheets: &[DataSheet],
    ) -> Result<Option<String>, Diagnostic> {
        let ending = &file.ending();
        let style = self.style(Stream::Answers);
        let text = stop::interruptible(interrupt::pending, || view::sheets(sheets, ending, &style))
            .map_err(|_| Diagnostic::from(session::Error::Interrupted))?;
        let titles = titles(text.as_bytes());
        self.write(file, &text, |beginning| {
            let found = self::titles(beginning);
            // Of a long line only the beginning is known.
            let whole = beginning.contains(&b'\n');
            titles == found || !whole && titles.starts_with(&found)
        })
    }

    /// Writes a picture.
    pub(super) fn draw(
        &mut self,
        file: &FileRequest,
        picture: &Picture,
        job: Job,
    ) -> Result<(), Diagnostic> {
        self.may_write()?;
        let path = files::typed(&file.path, None)?;
        let ending = &*file.ending();
        if ending == "png" && !cfg!(feature = "png") {
            let name = &file.path[..file.path.len() - ending.len()];
            return Err(
                Diagnostic::new("this program was built without `.png` pictures").help(format!(
                    "name the file `{name}svg`, or build the program with `--features png`"
                )),
            );
        }
        let style = self.style(Stream::Answers);
        let drawn = || view::picture(picture, ending, &style);
        let content = stop::interruptible(interrupt::pending, drawn)
            .map_err(|_| Diagnostic::from(session::Error::Interrupted))?
            .map_err(|error| undrawn(error, file, job))?;
        files::write(&path, &content).map_err(|error| files::unwritable(&path, &error))?;
        self.show_picture(&path, || view::picture_title(picture), content);
        Ok(())
    }

    pub(super) fn keep_settings(&mut self, text: &str) -> Result<PathBuf, Diagnostic> {
        self.may_write()?;
        init::keep(text)
    }

    /// A loaded file must not write files, because its effects may still be undone.
    fn may_write(&self) -> Result<(), Diagnostic> {
        let Some(loading) = self.loads.last() else {
            return Ok(());
        };
        Err(Diagnostic::new(format!(
            "`{}` is being loaded, and a file that is loaded writes none",
            loading.name
        ))
        .help("write it afterwards"))
    }
}

/// The error of a picture that cannot be drawn, mostly because it has too many pixels: a file of shapes has none.
fn undrawn(error: String, file: &FileRequest, job: Job) -> Diagnostic {
    let error = Diagnostic::new(error);
    let statement = std::ops::Range::from(job.cut.span);
    let [before, word, behind] = [
        statement.start..file.span.start,
        file.span.clone(),
        file.span.end..statement.end,
    ]
    .map(|part| job.text.get(part).unwrap_or_default());
    let ending = file.ending();
    let stem = file.path.len() - ending.len();
    match word.split_once(&file.path) {
        Some((quote, _)) if ending == "png" => {
            let name = format!("{quote}{}svg{quote}", &file.path[..stem]);
            error.help(format!(
                "write `{}`",
                format!("{before}{name}{behind}").trim()
            ))
        }
        _ => error,
    }
}

/// The first line of a table without its blanks, of which Markdown has more where entries are longer.
fn titles(text: &[u8]) -> Vec<u8> {
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    first.iter().filter(|byte| !blank(byte)).copied().collect()
}
