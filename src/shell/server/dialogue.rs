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
use super::follow::FollowedLeaves;
use super::request::{Request, Verb};
use super::typing::TypedText;
use crate::shell::process::interrupt;
use crate::shell::script::answer_format::ObjectFormat;
use crate::shell::script::job::{Job, LineOrigin};
use crate::shell::script::runner::Runner;
use crate::shell::{RunEnd, RunResult};
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Fact, Facts};
use chainrule_session::TrialOf;
use chainrule_view::json;
use chainrule_view::read_json::Json;

/// The requests of the dialogue.
const VERBS: [Verb; 9] = [
    ("run", &["want", "width", "keep"]),
    ("complete", &["cursor"]),
    ("look", &["cursor", "want", "hint"]),
    ("inspect", &["cursor", "want", "width"]),
    ("set", &[]),
    ("get", &[]),
    ("put", &["text"]),
    ("file", &[]),
    ("follow", &["moved", "as", "want", "width"]),
];

/// The requests that both threads know.
#[derive(Default)]
struct Requests {
    /// The request that runs.
    running: Option<Json>,
    /// The requests that wait, or what is wrong with them.
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    read: Result<Request>,
    is_stopped: bool,
}

type SharedRequests = Arc<Mutex<Requests>>;

/// Answers requests until their input ends.
pub(crate) fn run(runner: Runner) -> RunResult {
    let mut server = Server::new(runner);
    server.runner.open_dialogue();
    let shared = SharedRequests::default();
    // A signal for each request that waits.
    let (sender, received) = channel();
    let reader = Arc::clone(&shared);
    std::thread::spawn(move || read_requests(&sender, &reader));
    for () in received {
        let next = lock(&shared).waiting.pop_front();
        if let Some(request) = next {
            server.answer(request, &shared)?;
        }
    }
    Ok(())
}

fn lock(requests: &SharedRequests) -> MutexGuard<'_, Requests> {
    requests.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads requests, and carries out those to stop another.
fn read_requests(sender: &Sender<()>, requests: &SharedRequests) {
    let parent = parent_process();
    for bytes in io::stdin().lock().split(b'\n').map_while(io::Result::ok) {
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let not_utf8 = |_| Diagnostic::new("this is no JSON: it is not in UTF-8");
        let text = String::from_utf8(bytes).map_err(not_utf8);
        let mut read = text.and_then(|text| Request::read(&text));
        if let Ok(request) = &mut read
            && let Some(id) = request.take_only("stop")
        {
            stop(&id, requests);
            answer_stop(request);
            continue;
        }
        let is_stopped = false;
        lock(requests)
            .waiting
            .push_back(Waiting { read, is_stopped });
        if sender.send(()).is_err() {
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
fn stop(id: &Json, requests: &SharedRequests) {
    let mut known = lock(requests);
    if known.running.as_ref() == Some(id) {
        return interrupt::request();
    }
    let has_id = |it: &&mut Waiting| it.read.as_ref().is_ok_and(|request| request.id == *id);
    if let Some(found) = known.waiting.iter_mut().find(has_id) {
        found.is_stopped = true;
    }
}

/// Answers a request to stop another at once.
fn answer_stop(request: &Request) {
    let facts = vec![("id", request.id.to_fact()), ("done", "ok".into())];
    // A line is written as a whole, so that it does not stand inside of another one. Whoever writes the next answer notices
    // that nobody reads.
    let _ = writeln!(io::stdout(), "{}", json::object(facts));
}

impl Server {
    /// Answers a request. The run ends after `:quit`, and if nobody reads the answers.
    fn answer(&mut self, next: Waiting, requests: &SharedRequests) -> RunResult {
        let id = next
            .read
            .as_ref()
            .map_or(Json::Null, |request| request.id.clone());
        let host = Rc::clone(self.runner.host());
        host.request_id.replace(Some(id.to_fact()));
        self.runner.set_objects(ObjectFormat::default());
        if next.is_stopped {
            return host.write_object(vec![("done", "stopped".into())]);
        }
        {
            let mut known = lock(requests);
            known.running = Some(id);
            // Ctrl-C does nothing while no request runs.
            interrupt::forget();
        }
        let mut facts = Facts::new();
        let carried_out = next
            .read
            .and_then(|mut request| self.carry_out(&mut request, &mut facts));
        let run = carried_out.unwrap_or_else(|error| {
            let failed = self.runner.fail(&error, Job::nowhere());
            failed.and(Err(RunEnd::Failed))
        });
        lock(requests).running = None;
        let done = match &run {
            Ok(()) | Err(RunEnd::Quit) => "ok",
            Err(RunEnd::Failed) => "error",
            Err(RunEnd::Interrupted) => "stopped",
            Err(RunEnd::Closed | RunEnd::Unwritable(_)) => return run,
        };
        // The last object comes even if the request was stopped.
        interrupt::forget();
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
            "set" => return self.set(&request.record("set")?),
            "complete" => {
                *facts = self.complete(&request.text("complete")?, request.count("cursor")?);
            }
            "look" => *facts = self.look(&TypedText::of(request)?),
            "get" => facts.push(("values", self.get(&request.texts("get")?)?)),
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
        let (text, is_kept) = (request.text("run")?, request.flag("keep")?);
        self.begin_answers(request)?;
        let before = self.state_before();
        let run = self
            .dialogue
            .enter(&text, LineOrigin::prompt(), &mut self.runner);
        let entry = (is_kept && run.is_ok()).then(|| self.note_entry(&text, &before));
        let prepared = self.dialogue.prepare_line(&mut self.runner);
        let walk = self.runner.session().walk();
        let asks = walk.is_some_and(|walk| walk.question().is_some());
        let open = match () {
            () if asks => Some("walk"),
            () if self.dialogue.statement.is_some() => Some("lesson"),
            () => None,
        };
        facts.push(("open", open.into()));
        let statement = self.dialogue.statement.as_deref();
        facts.extend(statement.map(|line| ("line", line.into())));
        facts.extend(entry.flatten().map(|number| ("entry", number.into())));
        Ok(run.and(prepared))
    }

    /// Explains the word at the cursor.
    fn inspect(&mut self, request: &mut Request, facts: &mut Facts) -> Result<RunResult> {
        let line = request.text("inspect")?;
        let cursor = request.count("cursor")?.unwrap_or(usize::MAX);
        self.begin_answers(request)?;
        let statement = self.explaining_statement(&line, cursor);
        self.runner.session_mut().begin_trial(TrialOf::Lines);
        let found = statement.map_or(Ok(false), |statement| self.run_alone(&statement));
        self.runner.session_mut().end_trial(None);
        facts.push(("found", (found == Ok(true)).into()));
        Ok(found.map(|_| ()))
    }

    /// Answers entries again.
    fn follow_request(&mut self, request: &mut Request) -> Result<RunResult> {
        let entries = request.counts("follow")?;
        let followed = FollowedLeaves::of(self.runner.session(), request)?;
        let (forms, width) = (request.forms()?, request.count("width")?);
        self.runner.set_answer_width(width);
        let mut all = entries.into_iter();
        Ok(all.try_for_each(|entry| {
            self.runner.set_objects(ObjectFormat {
                forms: forms.clone(),
                entry: Some(entry),
            });
            self.answer_again(entry, &followed)
        }))
    }

    /// Takes how the answers of a request look.
    fn begin_answers(&mut self, request: &mut Request) -> Result<()> {
        let (forms, width) = (request.forms()?, request.count("width")?);
        self.runner.set_answer_width(width);
        self.runner.set_objects(ObjectFormat { forms, entry: None });
        Ok(())
    }
}
