//! The history file of the prompt: one line per entry, the newest at the end.
//!
//! The file is never overwritten in place. An entry is appended by a single write, and a shortened history is a new
//! file renamed over the old one. So a process can be killed at any moment without losing entries, and several prompts
//! can share the file without waiting for one another.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::shell::files;

/// The first line of a file whose entries are escaped: `\n` for a line break, `\\` for a backslash. Files of older
/// versions do not have this line, and their entries are not escaped.
const HEAD: &str = "#V2";

/// How often appending is repeated if another process replaces the file at that moment.
const TRIES: usize = 1_000;

/// The history and where it is kept.
pub(crate) struct History {
    path: PathBuf,
}

impl History {
    /// Opens a history and reads its entries, the oldest first. Shortens a file that has grown well beyond `wanted`
    /// entries.
    pub(crate) fn open(path: &Path, wanted: usize) -> io::Result<(History, Vec<String>)> {
        let history = History {
            path: path.to_path_buf(),
        };
        if files::existing(path)?.is_none() {
            return Ok((history, Vec::new()));
        }
        let mut file = File::open(path)?;
        narrow(&file);
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let entries: Vec<String> = lines(&bytes)
            .map(|line| entry(line, is_escaped(&bytes)))
            .collect();
        // A margin of a tenth, so that the file is not rewritten for each entry beyond the limit.
        let too_many = entries.len() > wanted.saturating_add(wanted / 10);
        if too_many || !(is_escaped(&bytes) || bytes.is_empty()) {
            // If shortening fails, for instance on a full disk, the long file still works.
            let _ = history.shorten(&mut file, bytes, wanted);
        }
        Ok((history, entries))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn add(&self, entry: &str) -> io::Result<()> {
        let mut line = entry.replace('\\', r"\\").replace('\n', r"\n");
        line.push('\n');
        self.append(line.as_bytes())
    }

    /// Appends lines to the file by a single write.
    fn append(&self, lines: &[u8]) -> io::Result<()> {
        for _ in 0..TRIES {
            files::existing(&self.path)?;
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&self.path)?;
            let mut text = Vec::new();
            match last_byte(&mut file)? {
                None => text.extend([HEAD.as_bytes(), b"\n"].concat()),
                Some(b'\n') => {}
                // The last write was cut short, as by a full disk: end its line first.
                Some(_) => text.push(b'\n'),
            }
            text.extend(lines);
            file.write_all(&text)?;
            // Otherwise another process has replaced the file, perhaps without these lines, so append again.
            if files::is_at(&file, &self.path) {
                break;
            }
        }
        Ok(())
    }

    /// Replaces the file by one with its newest lines. `bytes` is what was read of it so far.
    fn shorten(&self, file: &mut File, mut bytes: Vec<u8>, wanted: usize) -> io::Result<()> {
        // Two processes shortening at once would lose entries. If another one holds the lock, give up rather than wait:
        // the file will be shortened at a later start.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock))
            || !files::is_at(file, &self.path)
        {
            return Ok(());
        }
        file.read_to_end(&mut bytes)?;
        files::write(&self.path, &newest(&bytes, wanted))?;
        // Lines that other processes appended to the old file in the meantime.
        let mut late = Vec::new();
        file.read_to_end(&mut late)?;
        if late.is_empty() {
            return Ok(());
        }
        self.append(&late)
    }
}

/// Restricts the file to its owner, because what the user types is private.
fn narrow(file: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = file
            .metadata()
            .map(|file| file.permissions().mode() & 0o777);
        if let Ok(rights) = rights
            && rights & 0o077 != 0
        {
            // The file may belong to another user, who then decides about its permissions.
            let _ = file.set_permissions(PermissionsExt::from_mode(rights & 0o700));
        }
    }
    #[cfg(not(unix))]
    let _ = file;
}

fn last_byte(file: &mut File) -> io::Result<Option<u8>> {
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    let mut byte = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut byte)?;
    Ok(Some(byte[0]))
}

fn is_escaped(bytes: &[u8]) -> bool {
    let first = bytes.split(|&byte| byte == b'\n').next();
    first.is_some_and(|line| line.trim_ascii_end() == HEAD.as_bytes())
}

/// The lines that are entries. The first line may occur twice if two prompts created the file at the same time.
fn lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let lines = bytes.split(|&byte| byte == b'\n');
    lines
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.is_empty() && *line != HEAD.as_bytes())
}

/// Decodes an entry. A line with an invalid escape was edited by hand and is taken literally.
fn entry(line: &[u8], escaped: bool) -> String {
    let line = String::from_utf8_lossy(line);
    let read = |line: &str| {
        let mut text = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('\\') {
            text.push_str(before);
            text.push(match after.bytes().next()? {
                b'n' => '\n',
                b'\\' => '\\',
                _ => return None,
            });
            rest = &after[1..];
        }
        Some(text + rest)
    };
    let read = if escaped { read(&line) } else { None };
    read.unwrap_or_else(|| line.into_owned())
}

/// The contents of a file with only the newest lines.
fn newest(bytes: &[u8], wanted: usize) -> Vec<u8> {
    let escaped = is_escaped(bytes);
    let mut newest: Vec<&[u8]> = lines(bytes).rev().take(wanted).collect();
    newest.push(HEAD.as_bytes());
    let mut new = Vec::with_capacity(bytes.len());
    for line in newest.into_iter().rev() {
        for &byte in line {
            if byte == b'\\' && !escaped {
                new.push(byte);
            }
            new.push(byte);
        }
        new.push(b'\n');
    }
    new
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// A file in a temporary folder that is removed with the value.
    struct Place(PathBuf);

    impl Place {
        fn new() -> Place {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            let name = format!(
                "chainrule-history-{}-{}",
                std::process::id(),
                COUNT.fetch_add(1, Ordering::Relaxed)
            );
            let folder = std::env::temp_dir().join(name);
            fs::create_dir_all(&folder).expect("a folder for the test");
            Place(folder.join("history"))
        }

        fn with(text: impl AsRef<[u8]>) -> Place {
            let place = Place::new();
            fs::write(&place.0, text).expect("a file for the test");
            place
        }

        fn entries(&self, wanted: usize) -> Vec<String> {
            History::open(&self.0, wanted).expect("it is a file").1
        }

        fn text(&self) -> String {
            fs::read_to_string(&self.0).expect("it is text")
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(self.0.parent().expect("it is in a folder"));
        }
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let place = Place::new();
        let (history, entries) = History::open(&place.0, 100).expect("there is none yet");
        assert!(entries.is_empty());
        let typed = [
            "a = 2",
            "b = (1 +\n2)",
            r"c = 1 + \",
            "\\\n\\n",
            "é∂",
            "x\ty",
        ];
        for entry in typed {
            history.add(entry).expect("the disk has room");
        }
        assert_eq!(place.entries(100), typed);
        assert!(place.text().starts_with("#V2\na = 2\nb = (1 +\\n2)\n"));
    }

    #[test]
    fn files_of_others_are_read() {
        for (text, expected) in [
            (&b""[..], &[][..]),
            (b"#V2\n", &[]),
            (b"#V2\r\na\r\n", &["a"]),
            (b"#V2\na\\nb\n\n\\\\n\n#V2\nc", &["a\nb", "\\n", "c"]),
            // Lines with invalid escapes were edited by hand and are taken literally.
            (b"#V2\n\\sin\nx\\\n", &["\\sin", "x\\"]),
            (b"#V2\na \xff\nb\n", &["a \u{fffd}", "b"]),
            // Files of older versions are not escaped.
            (b"a\\nb\n\\\\\n", &["a\\nb", "\\\\"]),
        ] {
            let place = Place::with(text);
            let shown = String::from_utf8_lossy(text);
            assert_eq!(place.entries(9), expected, "{shown}");
            let (history, _) = History::open(&place.0, 9).expect("it is a file");
            history.add("new\n\\").expect("the disk has room");
            let all = place.entries(9);
            assert_eq!(&all[..expected.len()], expected, "{shown}");
            assert_eq!(all[expected.len()..], ["new\n\\"], "{shown}");
        }
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many() {
        let text = |numbers: std::ops::Range<usize>| {
            "#V2\n".to_owned()
                + &numbers
                    .map(|at| format!("a{at} = \\\\\n"))
                    .collect::<String>()
        };
        let place = Place::with(text(0..110));
        assert_eq!(place.entries(100).len(), 110);
        assert_eq!(place.text(), text(0..110), "not for each one too many");
        fs::write(&place.0, text(0..111)).expect("a file for the test");
        assert_eq!(place.entries(100).len(), 111);
        assert_eq!(place.text(), text(11..111));
        // Another process holds the lock: the file is not replaced, and nothing waits.
        fs::write(&place.0, text(0..200)).expect("a file for the test");
        let held = File::open(&place.0).expect("it is there");
        held.lock().expect("nobody else has it");
        assert_eq!(place.entries(100).len(), 200);
        let (history, _) = History::open(&place.0, 100).expect("it is a file");
        history.add("a200 = \\").expect("the disk has room");
        assert_eq!(place.text(), text(0..201));
        drop(held);
        place.entries(100);
        assert_eq!(place.text(), text(101..201));
        assert_eq!(
            fs::read_dir(place.0.parent().expect("a folder"))
                .expect("a folder")
                .count(),
            1
        );
    }

    #[test]
    fn nothing_is_lost_that_is_added_while_the_file_is_replaced() {
        const EACH: usize = 1_000;
        let place = Place::with("#V2\n");
        let replaced = AtomicU32::new(0);
        let done = AtomicBool::new(false);
        let names = ["a", "b"];
        thread::scope(|scope| {
            let adding = names.map(|name| {
                let place = &place;
                scope.spawn(move || {
                    let (history, _) = History::open(&place.0, usize::MAX).expect("a history");
                    for at in 0..EACH {
                        history
                            .add(&format!("{name}{at}"))
                            .expect("the disk has room");
                        thread::sleep(Duration::from_micros(50));
                    }
                })
            });
            let replacing = ["one", "other"].map(|_| {
                scope.spawn(|| {
                    let (history, _) = History::open(&place.0, usize::MAX).expect("a history");
                    while !done.load(Ordering::Relaxed) {
                        let mut file = File::open(&place.0).expect("it is there");
                        history
                            .shorten(&mut file, Vec::new(), usize::MAX)
                            .expect("the disk has room");
                        replaced.fetch_add(1, Ordering::Relaxed);
                        // On a busy machine an entry would else find the file replaced each time.
                        thread::sleep(Duration::from_millis(1));
                    }
                })
            });
            for thread in adding {
                thread.join().expect("it adds");
            }
            done.store(true, Ordering::Relaxed);
            for thread in replacing {
                thread.join().expect("it replaces");
            }
        });
        assert!(replaced.load(Ordering::Relaxed) > 0);
        let there: BTreeSet<String> = place.entries(usize::MAX).into_iter().collect();
        let all = names
            .iter()
            .flat_map(|name| (0..EACH).map(move |at| format!("{name}{at}")));
        let lost: Vec<String> = all.filter(|entry| !there.contains(entry)).collect();
        assert!(lost.is_empty(), "{lost:?}");
        assert_eq!(there.len(), names.len() * EACH);
    }
}
