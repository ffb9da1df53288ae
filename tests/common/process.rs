//! The program as a process, with input, output and conversations. Every wait has a time limit.
#![allow(dead_code, clippy::missing_panics_doc)]

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::project::at;

/// A time limit longer than anything takes on a slow machine, reached only by processes that hang.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

/// The program, unaffected by the environment of the tests.
pub fn program(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = isolated_command(env!("CARGO_BIN_EXE_chainrule"));
    command.args(arguments);
    command
}

/// A command line of the shell, in the same environment.
pub fn shell(line: &str) -> Command {
    let mut command = isolated_command("sh");
    command.args(["-c", line]);
    command
}

/// A command that finds the program by its name, without the variables that change the program's behaviour.
pub fn isolated_command(name: &str) -> Command {
    let mut command = Command::new(name);
    for name in [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "CLICOLOR",
        "TERM",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(name);
    }
    let folder = Path::new(env!("CARGO_BIN_EXE_chainrule")).parent();
    let folder = folder.expect("it is in a folder").display();
    let others = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{folder}:{others}"));
    // Files of a line do not go into the project.
    command.current_dir(env!("CARGO_TARGET_TMPDIR"));
    // The init script of the user who runs the tests must not take part in them.
    command.env("XDG_CONFIG_HOME", "/nowhere");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The output of a shell in a folder: the first line is the command, and the others are its input.
pub fn shell_output(folder: &Folder, text: &str) -> String {
    let (line, input) = match text.split_once('\n') {
        Some((line, input)) => (line, format!("{input}\n")),
        None => (text, String::new()),
    };
    let mut command = shell(line);
    command.current_dir(&folder.0);
    command.env("EXAMPLES", at("examples"));
    let ran = feed(command, input.as_bytes());
    let status = match ran.status {
        Some(0) => String::new(),
        status => format!("exit status {}\n", status.unwrap_or(-1)),
    };
    ran.out.replace('\r', "") + &ran.err + &status
}

/// Reads a pipe to its end in another thread.
pub fn read_to_end(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

/// Waits for the end of a process, up to the time limit.
pub fn wait_for_end(child: &mut Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the program hangs");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Runs a command to its end with this standard input.
pub fn feed(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().expect("the program can be started");
    let out = child.stdout.take().map(read_to_end);
    let err = child.stderr.take().map(read_to_end);
    let stdin = child.stdin.take();
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        // The program may end before it has read everything.
        let _ = stdin.map(|mut stdin| stdin.write_all(&input));
    });
    let status = wait_for_end(&mut child);
    writer.join().expect("the writer ends with the program");
    let text = |pipe: Option<mpsc::Receiver<Vec<u8>>>| {
        let bytes = pipe.map(|pipe| {
            pipe.recv_timeout(PATIENCE)
                .expect("the pipe ends with the program")
        });
        String::from_utf8(bytes.unwrap_or_default()).expect("output is UTF-8")
    };
    Ran {
        status: status.code(),
        out: text(out),
        err: text(err),
    }
}

pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Ran {
    feed(program(arguments), input.as_ref())
}

/// The output of a run that must succeed.
pub fn out(arguments: &[&str], input: impl AsRef<[u8]>) -> String {
    let ran = run(arguments, input);
    assert_eq!(ran.status, Some(0), "{arguments:?}: {ran:?}");
    ran.out
}

/// A temporary folder that is removed with the value.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "cli-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a file for the test");
        path.to_string_lossy().into_owned()
    }

    /// A folder with these files in it.
    pub fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        for (name, text) in files {
            folder.put(name, text);
        }
        folder
    }

    /// A copy of the folder of a script, with the path of the script in it. The script may write files there.
    pub fn of_script(path: &str) -> (Folder, String) {
        let script = at(path);
        let folder = Folder::new();
        let entries = fs::read_dir(script.parent().expect("a script is in a folder"));
        let files = entries.expect("it can be listed").flatten();
        for file in files.map(|entry| entry.path()).filter(|it| it.is_file()) {
            let copy = folder.0.join(file.file_name().expect("it has a name"));
            fs::copy(&file, copy).expect("it can be copied");
        }
        let copied = folder.0.join(script.file_name().expect("it has a name"));
        (folder, copied.to_string_lossy().into_owned())
    }

    pub fn put(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder in it");
        fs::write(path, text).expect("a file for the test");
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of the files in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it can be listed");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("it can be listed").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The program, started in this folder, which is also its home folder.
    pub fn program(&self, arguments: &[&str]) -> Command {
        let mut command = program(arguments);
        self.at_home(&mut command);
        command
    }

    pub fn at_home(&self, command: &mut Command) {
        command
            .current_dir(&self.0)
            .env("HOME", &self.0)
            .env_remove("XDG_CONFIG_HOME")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    }

    pub fn run(&self, arguments: &[&str], script: &str) -> Ran {
        feed(self.program(arguments), script.as_bytes())
    }

    /// The answers to a script that must succeed without messages.
    pub fn out(&self, script: &str) -> String {
        let ran = self.run(&[], script);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{script}");
        ran.out
    }

    /// The JSON answers to a script that goes on after failures.
    pub fn json(&self, script: &str) -> Vec<Value> {
        let ran = self.run(&["--json", "--keep-going"], script);
        assert_eq!(ran.err, "", "{script}");
        let object = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
        };
        ran.out.lines().map(object).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A conversation with the program through pipes.
pub struct Talk {
    pub child: Child,
    stdin: Option<ChildStdin>,
    answers: mpsc::Receiver<String>,
    pub err: mpsc::Receiver<Vec<u8>>,
}

impl Talk {
    pub fn start(arguments: &[&str]) -> Talk {
        Talk::with(program(arguments))
    }

    pub fn with(mut command: Command) -> Talk {
        let mut child = command.spawn().expect("the program can be started");
        let stdout: ChildStdout = child.stdout.take().expect("it is piped");
        let err = read_to_end(child.stderr.take().expect("it is piped"));
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Talk {
            stdin: child.stdin.take(),
            child,
            answers,
            err,
        }
    }

    pub fn say(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("it is open");
        stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .expect("the program reads");
    }

    pub fn hear(&self) -> String {
        self.answers
            .recv_timeout(PATIENCE)
            .expect("an answer comes before the next question")
    }

    /// Sends a signal with the system's `kill`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(
            sent.is_ok_and(|status| status.success()),
            "the signal is sent"
        );
    }

    /// Waits for the end, and returns the status and the rest of both streams.
    pub fn end(mut self) -> (Option<i32>, Vec<String>, String) {
        self.stdin = None;
        let status = wait_for_end(&mut self.child).code();
        let rest = self.answers.iter().collect();
        let err = self.err.recv_timeout(PATIENCE).unwrap_or_default();
        (status, rest, String::from_utf8_lossy(&err).into_owned())
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
