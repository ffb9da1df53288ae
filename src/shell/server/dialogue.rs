//! The dialogue with another program: reads requests from standard input and answers them on standard output.
//!
//! A thread reads the requests, because a `stop` must be taken while a statement runs.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::rc::Rc;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Server;
use super::request::{Request, Verb};
use super::typing::TypedText;
use crate::shell::process::interrupt;
use crate::shell::script::answer_format::{Form, ObjectFormat};
use crate::shell::script::job::{Job, LineOrigin};
use crate::shell::script::runner::Runner;
use crate::shell::{RunEnd, RunResult, files};
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Fact, Facts};
use chainrule_session::TrialOf;
use chainrule_view::json::write_fact;
use chainrule_view::read_json::Json;

/// The requests of the dialogue.
const VERBS: [Verb; 10] = [
    ("run", &["want", "width"]),
    ("complete", &["cursor"]),
    ("look", &["cursor", "want", "hint"]),
    ("inspect", &["cursor", "want", "width"]),
    ("set", &[]),
    ("get", &[]),
    ("put", &["text"]),
    ("file", &[]),
    ("follow", &["moved", "as", "want", "width"]),
    ("stop", &[]),
];

/// What the reading thread knows of the requests.
#[derive(Default)]
struct Requests {
    /// The request that runs.
    running: Option<Json>,
    /// The requests that wait.
    waiting: VecDeque<Waiting>,
}

/// A request that waits.
struct Waiting {
    id: Json,
    is_stopped: bool,
}

type SharedRequests = Arc<Mutex<Requests>>;

/// How a request has ended, with the facts of its last object.
struct Ended {
    run: RunResult,
    facts: Facts,
}

/// Answers requests until their input ends.
pub(crate) fn run(runner: Runner) -> RunResult {
    let mut server = Server::new(runner);
    server.runner.open_dialogue();
    let shared = SharedRequests::default();
    let (sender, received) = channel();
    let reader = Arc::clone(&shared);
    std::thread::spawn(move || read_requests(&sender, &reader));
    for request in received {
        server.answer(request, &shared)?;
    }
    Ok(())
}

fn lock(requests: &SharedRequests) -> MutexGuard<'_, Requests> {
    requests.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads requests, and carries out those to stop another.
fn read_requests(sender: &Sender<Result<Request>>, requests: &SharedRequests) {
    let parent = parent_process();
    pass_requests(sender, requests);
    // A process that is killed closes its pipes just before its children get another parent.
    std::thread::sleep(Duration::from_millis(100));
    if parent_process() != parent {
        // The program that has asked was ended, so nobody waits for what still runs.
        interrupt::request();
    }
}

/// The number of the process that has started this one.
fn parent_process() -> u32 {
    #[cfg(unix)]
    return std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    0
}

fn pass_requests(sender: &Sender<Result<Request>>, requests: &SharedRequests) {
    for line in io::stdin().lock().split(b'\n') {
        let Ok(bytes) = line else { return };
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let not_utf8 = |_| Diagnostic::new("this is no JSON: it is not in UTF-8");
        let text = String::from_utf8(bytes).map_err(not_utf8);
        let read = text.and_then(|text| Request::read(&text));
        let sent = match read {
            Ok(mut request) if request.is_only("stop") => {
                stop(&request.take("stop").unwrap_or(Json::Null), requests);
                answer_stop(&request)
            }
            read => {
                let id = read
                    .as_ref()
                    .map_or(Json::Null, |request| request.id.clone());
                let is_stopped = false;
                lock(requests).waiting.push_back(Waiting { id, is_stopped });
                sender.send(read).is_ok()
            }
        };
        if !sent {
            return;
        }
    }
}

/// Stops the request with this id.
fn stop(id: &Json, requests: &SharedRequests) {
    let mut known = lock(requests);
    if known.running.as_ref() == Some(id) {
        interrupt::request();
    } else if let Some(found) = known.waiting.iter_mut().find(|it| it.id == *id) {
        found.is_stopped = true;
    }
}

/// Answers a request to stop another at once. Returns whether the answer could be written.
fn answer_stop(request: &Request) -> bool {
    let mut line = String::new();
    let facts = vec![("id", request.id.to_fact()), ("done", "ok".into())];
    write_fact(&Fact::Record(facts), &mut line);
    // A line is written as a whole, so that it does not stand inside of another one.
    writeln!(io::stdout(), "{line}").is_ok()
}

impl Server {
    /// Answers a request. The run ends after `:quit`, and if nobody reads the answers.
    fn answer(&mut self, read: Result<Request>, requests: &SharedRequests) -> RunResult {
        let (mut request, refusal) = match read {
            Ok(request) => (request, None),
            Err(error) => (Request::unknown(), Some(error)),
        };
        self.runner
            .begin_objects(ObjectFormat::of(request.id.to_fact()));
        if !begin(requests) {
            return self.runner.write_object(&vec![("done", "stopped".into())]);
        }
        let ended = match refusal {
            Some(error) => Err(error),
            None => self.carry_out(&mut request),
        };
        let Ended { run, facts } = ended.or_else(|error| self.refuse(&error))?;
        lock(requests).running = None;
        self.runner.forget_failures();
        let done = match &run {
            Ok(()) | Err(RunEnd::Quit) => "ok",
            Err(RunEnd::Failed) => "error",
            Err(RunEnd::Interrupted) => "stopped",
            Err(RunEnd::Closed | RunEnd::Unwritable(_)) => return run,
        };
        // The last object comes even if the request was stopped.
        interrupt::forget();
        let last = [("done", Fact::from(done))].into_iter().chain(facts);
        self.runner.write_object(&last.collect())?;
        match run {
            Err(RunEnd::Quit) => run,
            _ => Ok(()),
        }
    }

    /// Shows the error of a request.
    fn refuse(&mut self, error: &Diagnostic) -> RunResult<Ended> {
        let run = self.runner.fail(error, Job::nowhere());
        match run {
            Err(RunEnd::Closed | RunEnd::Unwritable(_)) => Err(run.expect_err("it has ended")),
            _ => Ok(Ended {
                run: Err(RunEnd::Failed),
                facts: Facts::new(),
            }),
        }
    }

    fn carry_out(&mut self, request: &mut Request) -> Result<Ended> {
        let mut run = Ok(());
        let facts = match request.verb(&VERBS)? {
            "run" => return self.run_request(request),
            "complete" => self.complete(&request.text("complete")?, request.count("cursor")?),
            "look" => self.look(&TypedText::of(request)?),
            "inspect" => self.inspect(request)?,
            "set" => {
                run = self.set(&request.record("set")?)?;
                Facts::new()
            }
            "get" => vec![("values", self.get(&request.texts("get")?)?)],
            "put" => {
                let (name, text) = (request.text("put")?, request.text("text")?);
                self.runner.host().put(&name, text.into_bytes());
                Facts::new()
            }
            "file" => vec![("text", files::read_text(&request.text("file")?)?.into())],
            "follow" => self.follow_request(request)?,
            // A `stop` was carried out when it was read.
            _ => Facts::new(),
        };
        Ok(Ended { run, facts })
    }

    /// Runs statements.
    fn run_request(&mut self, request: &mut Request) -> Result<Ended> {
        let text = request.text("run")?;
        self.begin_answers(request)?;
        let before = self.state_before();
        let run = self
            .dialogue
            .enter(&text, LineOrigin::prompt(), &mut self.runner);
        let entry = self.note_entry(&text, &before, run.is_err());
        self.end_entries();
        let prepared = self.dialogue.prepare_line(&mut self.runner);
        let walk = self.runner.session().walk();
        let asks = walk.is_some_and(|walk| walk.question().is_some());
        let open = match () {
            () if asks => Some("walk"),
            () if self.dialogue.statement.is_some() => Some("lesson"),
            () => None,
        };
        let mut facts = vec![("open", open.into())];
        let statement = self.dialogue.statement.as_deref();
        facts.extend(statement.map(|line| ("line", line.into())));
        facts.extend(entry.map(|number| ("entry", number.into())));
        let run = run.and(prepared);
        Ok(Ended { run, facts })
    }

    /// Explains the word at the cursor.
    fn inspect(&mut self, request: &mut Request) -> Result<Facts> {
        let line = request.text("inspect")?;
        let cursor = request.count("cursor")?.unwrap_or(usize::MAX);
        self.begin_answers(request)?;
        let statement = self.explaining_statement(&line, cursor);
        self.runner.session_mut().begin_trial(TrialOf::Lines);
        let found = statement.is_some_and(|statement| self.run_alone(&statement));
        self.runner.session_mut().end_trial(None);
        Ok(vec![("found", found.into())])
    }

    /// Answers entries again.
    fn follow_request(&mut self, request: &mut Request) -> Result<Facts> {
        let entries = request.counts("follow")?;
        let moved = request.texts("moved")?;
        let tried = request.record("as")?;
        let forms = self.begin_answers(request)?;
        let settings = self.settings_of(&tried)?;
        let mut leaves = self.leaves_named(moved.iter().map(String::as_str));
        leaves.extend(settings.iter().map(|it| Rc::clone(&it.leaf)));
        for entry in entries {
            let id = request.id.to_fact();
            self.runner.begin_objects(ObjectFormat {
                forms: forms.clone(),
                entry: Some(entry),
                ..ObjectFormat::of(id)
            });
            if settings.is_empty() {
                self.answer_now(entry, &leaves);
            } else {
                self.answer_again(entry, &leaves, &settings);
            }
        }
        Ok(Facts::new())
    }

    /// Takes how the answers of a request look.
    fn begin_answers(&mut self, request: &mut Request) -> Result<Vec<Form>> {
        let forms = request.forms()?;
        self.runner.set_answer_width(request.count("width")?);
        self.runner.begin_objects(ObjectFormat {
            forms: forms.clone(),
            ..ObjectFormat::of(request.id.to_fact())
        });
        Ok(forms)
    }
}

/// Begins the request that waits longest. Returns `false` if it is to be stopped.
fn begin(requests: &SharedRequests) -> bool {
    let mut known = lock(requests);
    let Some(next) = known.waiting.pop_front().filter(|it| !it.is_stopped) else {
        return false;
    };
    known.running = Some(next.id);
    // Ctrl-C does nothing while no request runs.
    interrupt::forget();
    true
}
