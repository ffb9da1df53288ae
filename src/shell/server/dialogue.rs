//! The dialogue with another program: reads requests from standard input and answers them on standard output.
//!
//! A thread reads the requests, because a `stop` must be taken while a statement runs.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::rc::Rc;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::entry::Entry;
use super::follow::FollowedLeaves;
use super::request::{Request, Verb, id_fact};
use super::{Dialogue, Server};
use crate::shell::process::interrupt;
use crate::shell::script::answer_format::ObjectFormat;
use crate::shell::script::job::Job;
use crate::shell::script::runner::Runner;
use crate::shell::{RunEnd, RunResult};
use chainrule_report::diagnostic::Result;
use chainrule_report::{Fact, Facts};
use chainrule_session::TrialOf;
use chainrule_view::json;
use serde_json::Value;

/// The requests of the dialogue.
const VERBS: [Verb; 9] = [
    ("run", &["want", "width", "keep", "letters"]),
    ("complete", &["cursor"]),
    ("look", &["cursor", "want", "hint"]),
    ("inspect", &["cursor", "want", "width"]),
    ("set", &[]),
    ("get", &[]),
    ("put", &["text"]),
    ("file", &[]),
    ("follow", &["moved", "as", "want", "width"]),
];

/// A request that runs or waits, as both threads know it.
struct KnownRequest {
    id: Value,
    is_stopped: bool,
}

/// The known requests in their order. The first one runs, or is about to run.
type KnownRequests = Arc<Mutex<VecDeque<KnownRequest>>>;

/// Answers requests until their input ends.
pub(crate) fn run(runner: Runner) -> RunResult {
    let mut server = Server::new(runner);
    server.runner.open_prompt();
    // An answer in text is the value alone, without the number of the result.
    server.runner.session_mut().show.shows_numbers = false;
    let known = KnownRequests::default();
    let (sender, received) = channel();
    let reader = Arc::clone(&known);
    std::thread::spawn(move || read_requests(&sender, &reader));
    for request in received {
        server.answer(request, &known)?;
        lock(&known).pop_front();
    }
    Ok(())
}

fn lock(known: &KnownRequests) -> MutexGuard<'_, VecDeque<KnownRequest>> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads requests, and carries out those to stop another.
fn read_requests(sender: &Sender<Result<Request>>, known: &KnownRequests) {
    let parent = parent_process();
    for line in io::stdin().lock().split(b'\n').map_while(io::Result::ok) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read = Request::read(&line);
        if let Ok(request) = &read
            && let Some(id) = request.stopped_id()
        {
            stop(id, known);
            answer_stop(request);
            continue;
        }
        let id = read.as_ref().map_or(Value::Null, |it| it.id.clone());
        let is_stopped = false;
        lock(known).push_back(KnownRequest { id, is_stopped });
        if sender.send(read).is_err() {
            return;
        }
    }
    // A process that is killed closes its pipes just before its children get another parent.
    std::thread::sleep(Duration::from_millis(100));
    if parent_process() != parent {
        // The program that has asked was ended, so nobody waits for what still runs.
        std::process::exit(0);
    }
}

/// The number of the process that has started this one.
fn parent_process() -> u32 {
    #[cfg(unix)]
    return std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    0
}

/// Stops the request with this id.
fn stop(id: &Value, known: &KnownRequests) {
    let mut requests = lock(known);
    if let Some(place) = requests.iter().position(|it| it.id == *id) {
        requests[place].is_stopped = true;
        if place == 0 {
            interrupt::request();
        }
    }
}

/// Answers a request to stop another at once.
fn answer_stop(request: &Request) {
    let facts = vec![("id", id_fact(&request.id)), ("done", "ok".into())];
    // A line is written as a whole, so that it does not stand inside of another one. Whoever writes the next answer notices
    // that nobody reads.
    let _ = writeln!(io::stdout(), "{}", json::object(facts));
}

impl Server {
    /// Answers a request. The run ends after `:quit`, and if nobody reads the answers.
    fn answer(&mut self, read: Result<Request>, known: &KnownRequests) -> RunResult {
        let host = Rc::clone(self.runner.host());
        let id = read.as_ref().map_or(Value::Null, |it| it.id.clone());
        host.object_head.replace(vec![("id", id_fact(&id))]);
        self.runner.set_objects(ObjectFormat::default());
        let is_stopped = {
            let requests = lock(known);
            // Ctrl-C does nothing while no request runs.
            interrupt::forget();
            requests.front().is_some_and(|request| request.is_stopped)
        };
        let mut facts = Facts::new();
        let run = if is_stopped {
            Err(RunEnd::Interrupted)
        } else {
            let carried_out = read.and_then(|mut it| self.carry_out(&mut it, &mut facts));
            carried_out.unwrap_or_else(|error| {
                let failed = self.runner.fail(&error, Job::nowhere());
                failed.and(Err(RunEnd::Failed))
            })
        };
        let done = match &run {
            Ok(()) | Err(RunEnd::Quit) => "ok",
            Err(RunEnd::Failed) => "error",
            Err(RunEnd::Interrupted) => "stopped",
            Err(RunEnd::Closed | RunEnd::Unwritable(_)) => return run,
        };
        facts.insert(0, ("done", done.into()));
        host.write_object(facts)?;
        match run {
            Err(RunEnd::Quit) => run,
            _ => Ok(()),
        }
    }

    /// Carries out a request, and adds to the facts of its last object.
    fn carry_out(&mut self, request: &mut Request, facts: &mut Facts) -> Result<RunResult> {
        match request.verb(&VERBS)? {
            "run" => return self.run_request(request, facts),
            "inspect" => return self.inspect(request, facts),
            "follow" => return self.follow_request(request),
            "set" => return self.set(request),
            "complete" => *facts = self.complete(request)?,
            "look" => *facts = self.look(request)?,
            "get" => facts.push(("values", self.get(request)?)),
            "put" => {
                let (name, text) = (request.text("put")?, request.text("text")?);
                self.runner.host().put(&name, text.into_bytes());
            }
            _ => {
                let text = self.runner.host().text_of_file(&request.text("file")?)?;
                facts.push(("text", Fact::Text(text)));
            }
        }
        Ok(Ok(()))
    }

    /// Runs statements.
    fn run_request(&mut self, request: &mut Request, facts: &mut Facts) -> Result<RunResult> {
        let (text, is_kept) = (request.text("run")?, request.take("keep")?);
        self.runner.session_mut().show.reads_letters = request.take("letters")?;
        self.begin_answers(request)?;
        let before = self.state_before();
        let run = self.enter(&text);
        let entry =
            (is_kept && run.is_ok()).then(|| self.note_entry(&Entry::of(&text), &before, false));
        let prepared = Dialogue::prepare_line(&mut self.runner);
        let statement = self.runner.lesson_statement();
        let open = match statement {
            _ if self.runner.has_walk_question() => Some("walk"),
            statement => statement.map(|_| "lesson"),
        };
        facts.push(("open", open.into()));
        facts.extend(statement.map(|line| ("line", line.into())));
        let followed = entry.flatten().filter(|at| !self.entries[*at].is_record);
        facts.extend(followed.map(|number| ("entry", number.into())));
        Ok(run.and(prepared))
    }

    /// Explains the word at the cursor.
    fn inspect(&mut self, request: &mut Request, facts: &mut Facts) -> Result<RunResult> {
        let statement = self.explaining_statement(request)?;
        self.begin_answers(request)?;
        self.runner.session_mut().begin_trial(TrialOf::Lines);
        let found = statement.map_or(Ok(false), |text| self.run_alone(&text));
        self.runner.session_mut().end_trial(None);
        facts.push(("found", (found == Ok(true)).into()));
        Ok(found.map(|_| ()))
    }

    /// Answers entries again.
    fn follow_request(&mut self, request: &mut Request) -> Result<RunResult> {
        let entries: Vec<usize> = request.take("follow")?;
        let followed = FollowedLeaves::of(self.runner.session(), request)?;
        self.begin_answers(request)?;
        let host = Rc::clone(self.runner.host());
        let answered = entries.into_iter().try_for_each(|entry| {
            host.object_head.borrow_mut().push(("entry", entry.into()));
            let answered = self.answer_again(entry, &followed);
            host.object_head.borrow_mut().pop();
            answered
        });
        Ok(answered)
    }

    /// Takes how the answers of a request look.
    fn begin_answers(&mut self, request: &mut Request) -> Result<()> {
        let (forms, width) = (request.forms()?, request.take("width")?);
        self.runner.set_objects(ObjectFormat { forms, width });
        Ok(())
    }
}
