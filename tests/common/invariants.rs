//! Invariants that hold whatever is typed: the checks of the fuzz targets. `cargo test` runs them on the seeds and on
//! inputs that fuzzing has found.
//!
//! Each check takes any text, and panics with a reason if an invariant does not hold. The checks examine a session from
//! outside and do not know the right answers.
#![allow(dead_code)]

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;
use std::time::{Duration, Instant};

use chainrule::command::Reply;
use chainrule_engine::graph::{Node, NodeId, Order, Plan, gradients, live_nodes};
use chainrule_language as language;
use chainrule_program::values::Value;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Line, NamedValue, Piece};
use chainrule_session::{Heading, Host, Session, Settings, TrialOf};

/// The default target of commands, as a node.
pub fn target(session: &Session) -> Option<Rc<Node>> {
    session.target_node(session.targets().look()?)
}
use chainrule::interpret;
use chainrule_language::{
    Continuation, Expression, Span, Statement, StatementSpan, StepKind, SyntaxError,
};
use chainrule_view as view;
use chainrule_view::theme::Theme;
use chainrule_view::{StatementPlace, Style};

/// The most statements of a session, and the most live nodes before the session is no longer checked.
const STATEMENTS: usize = 100;
const NODES: usize = 1_000_000;

/// Graphs up to this size are checked node by node.
const LOOKED_AT: usize = 3_000;

/// One text in `REPEATED` is repeated to the length `LONG` and must then be parsed within `PATIENCE`, because parsing
/// takes linear time.
const REPEATED: u64 = 2048;
const LONG: usize = 64 * 1024;
const PATIENCE: Duration = Duration::from_secs(4);

/// A hash of the text, which makes random choices reproducible.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    }) >> 7
}

// Reading.

/// Parses a text as a chunk of statements: spans lie inside it, and what parses can be printed and parsed again
/// unchanged.
pub fn parse(text: &str) {
    read(text);
    if !text.is_empty() && checksum(text).is_multiple_of(REPEATED) {
        let long = text.repeat(LONG / text.len() + 1);
        let start = Instant::now();
        for cut in language::statements(&long).flatten() {
            let _ = language::statement(&long, &cut);
        }
        let whole = Span::new(0, long.len());
        let _ = language::expression(&long, whole);
        let took = start.elapsed();
        assert!(took < PATIENCE, "{} bytes took {took:?}", long.len());
    }
}

fn read(text: &str) {
    let mut end = 0;
    for cut in language::statements(text) {
        match cut {
            Ok(cut) => {
                inside(text, cut.span.into());
                assert!(cut.span.start >= end, "statements overlap");
                end = cut.span.end;
                match language::statement(text, &cut) {
                    Ok(statement) => stands(text, &cut, &statement),
                    Err(error) => {
                        complaint(text, &chainrule_session::syntax_diagnostic(error));
                    }
                }
            }
            Err(error) => complaint(text, &chainrule_session::syntax_diagnostic(error)),
        }
    }
    // The text as the argument of a command.
    match language::expression(text, Span::new(0, text.len())) {
        Ok(expression) => reads_back(text, &expression),
        Err(error) => complaint(text, &chainrule_session::syntax_diagnostic(error)),
    }
    let mut continuation = Continuation::default();
    for line in text.lines() {
        continuation.push(line);
        language::begins_command(line);
    }
}

fn stands(text: &str, cut: &StatementSpan, statement: &Statement) {
    let within = |span: Span| {
        inside(text, span.into());
        assert!(
            span.start >= cut.span.start && span.end <= cut.span.end,
            "{span:?} is not in {cut:?}"
        );
    };
    match statement {
        Statement::Command(command) => {
            within(command.span);
            within(command.rest);
            assert!(!command.word.is_empty(), "a command has a word");
        }
        Statement::Binding(binding) => {
            assert!(!binding.targets.is_empty(), "a binding has a name");
            // One list may be for all names.
            assert!(
                [1, binding.targets.len()].contains(&binding.values.len()),
                "{} values",
                binding.values.len()
            );
            for (target, value) in binding.targets.iter().zip(&binding.values) {
                within(target.span);
                assert!(language::is_name(target.name), "{:?}", target.name);
                within(value.expression.span);
                reads_back(text, &value.expression);
            }
        }
        Statement::Block(steps) => {
            for step in steps {
                within(step.span);
                if let StepKind::Define(definition) = &step.kind
                    && let Some(value) = definition.formula()
                {
                    within(definition.span);
                    assert!(!definition.parameters.is_empty(), "a parameter");
                    reads_back(text, value);
                }
            }
        }
        Statement::Empty | Statement::Step(_) => {}
        Statement::Expression(expression) => {
            within(expression.span);
            reads_back(text, expression);
        }
    }
}

/// Prints an expression and parses the result again.
fn reads_back(text: &str, expression: &Expression) {
    assert!(!expression.items.is_empty(), "an expression has items");
    for item in &expression.items {
        inside(text, item.span.into());
    }
    let printed = language::infix(&expression.items);
    let again = language::expression(&printed, Span::new(0, printed.len()));
    let again = again.unwrap_or_else(|error| panic!("{printed:?}: {}", error.message));
    let kinds = |expression: &Expression| -> String {
        let kinds = expression.items.iter().map(|item| item.kind);
        format!("{:?}", kinds.collect::<Vec<_>>())
    };
    assert_eq!(kinds(expression), kinds(&again), "{printed}");
    assert_eq!(printed, language::infix(&again.items));
}

fn inside(text: &str, span: std::ops::Range<usize>) {
    assert!(
        span.start <= span.end && text.get(span.clone()).is_some(),
        "{span:?} is no part of {text:?}"
    );
}

/// An error has a message and points into the text, or into the line that was run instead.
fn complaint(text: &str, error: &Diagnostic) {
    if let Some(translated) = &error.translated {
        inside(text, translated.from.clone());
    }
    let translated = error.translated.as_ref();
    let text = translated.map_or(text, |translated| &translated.line);
    assert!(
        !error.message.is_empty() && !error.message.ends_with('.'),
        "{:?}",
        error.message
    );
    for span in error
        .span
        .iter()
        .chain(error.others.iter().map(|(span, _)| span))
    {
        inside(text, span.clone());
    }
}

// Sessions.

/// A host that says stop after a number of questions, which is reset for each statement.
struct Impatient {
    patience: u32,
    left: Cell<u32>,
}

impl Host for Impatient {
    fn stop(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left == 0
    }
}

/// The state that `:undo` restores.
#[derive(Debug, PartialEq)]
struct State {
    names: Vec<(String, NodeId, u64, bool)>,
    functions: Vec<String>,
    settings: Settings,
}

/// Everything else that a failed statement must leave unchanged.
#[derive(Debug, PartialEq)]
struct Rest {
    made: NodeId,
    formers: Vec<(NodeId, String)>,
    done: usize,
    undone: usize,
    forgotten: u64,
    target: Option<NodeId>,
    roots: Vec<NodeId>,
    grads: Vec<u64>,
    stale: bool,
    walking: bool,
}

fn bits(value: f64) -> u64 {
    if value.is_nan() {
        f64::NAN.to_bits()
    } else {
        value.to_bits()
    }
}

fn state(session: &Session) -> State {
    let name = |(name, node): (Cow<str>, &Rc<Node>)| {
        (
            name.to_string(),
            node.id(),
            bits(node.data()),
            node.is_frozen(),
        )
    };
    State {
        names: session.names().named_nodes().map(name).collect(),
        functions: session
            .functions()
            .iter()
            .map(|function| format!("{} = {}", function.head(), function.body))
            .collect(),
        settings: session.settings().clone(),
    }
}

/// The nodes with former names, by their numbers.
fn formers(session: &Session) -> Vec<Rc<Node>> {
    let names = session.names();
    let formers = (0..names.name_count() as u32).flat_map(|name| names.nodes_that_lost(name));
    let mut formers: Vec<Rc<Node>> = formers.map(|(_, node)| node).collect();
    formers.sort_by_key(|node| node.id());
    formers
}

fn rest(session: &Session) -> Rest {
    let formers = formers(session);
    let formers = formers
        .iter()
        .map(|node| (node.id(), session.label(node)))
        .collect();
    let pass = session.pass();
    Rest {
        made: session.newest_id(),
        formers,
        done: session.journal().undoable().len(),
        undone: session.journal().redoable().len(),
        forgotten: session.journal().forgotten,
        target: target(session).map(|node| node.id()),
        roots: pass.map_or_else(Vec::new, |pass| {
            pass.roots().iter().map(|root| root.id()).collect()
        }),
        grads: pass.map_or_else(Vec::new, |pass| {
            pass.grads().iter().map(|&grad| bits(grad)).collect()
        }),
        stale: session.is_stale(),
        walking: session.walk().is_some(),
    }
}

/// The chunks that the shell would make: lines are joined while a bracket is open.
fn chunks(text: &str) -> Vec<String> {
    let mut chunks: Vec<String> = Vec::new();
    let mut open: Option<Continuation> = None;
    for line in text.lines() {
        let mut continuation = match (open.take(), chunks.last_mut()) {
            (Some(continuation), Some(chunk))
                if !continuation.ends_before(line)
                    && (continuation.is_block() || !language::begins_command(line)) =>
            {
                chunk.push('\n');
                chunk.push_str(line);
                continuation
            }
            _ => {
                chunks.push(line.to_string());
                Continuation::default()
            }
        };
        if continuation.push(line) {
            open = Some(continuation);
        }
    }
    chunks
}

/// Runs a statement of a chunk.
fn run(
    session: &mut Session,
    chunk: &str,
    cut: Result<StatementSpan, SyntaxError>,
) -> Result<Reply, Diagnostic> {
    let cut = cut.map_err(chainrule_session::syntax_diagnostic)?;
    interpret::statement(session, chunk, &cut)
}

/// Types a text of several lines into a session, and checks all invariants after each statement.
pub fn session(text: &str) {
    let sum = checksum(text);
    let host = Rc::new(Impatient {
        patience: if sum.is_multiple_of(8) {
            (sum >> 3) as u32 % 8
        } else {
            64
        },
        left: Cell::new(0),
    });
    let style = Style {
        width: [None, Some(1), Some(24), Some(80)][(sum >> 8) as usize % 4],
        theme: [
            None,
            None,
            None,
            Some(Theme::Terminal),
            Some(Theme::Dark),
            Some(Theme::Plain),
        ][(sum >> 10) as usize % 6],
        ..Style::default()
    };
    let goes_back = (sum >> 13).is_multiple_of(2);
    let mut session = Session::new();
    session.set_host(Rc::clone(&host) as Rc<dyn Host>);
    let mut count = 0;
    for chunk in chunks(text) {
        let told = type_and_check(&mut session, &chunk, sum);
        for (at, cut) in language::statements(&chunk).enumerate() {
            count += 1;
            if count > STATEMENTS || live_nodes() > NODES {
                return;
            }
            let before = (state(&session), rest(&session));
            host.left.set(host.patience);
            let answer = run(&mut session, &chunk, cut);
            host.left.set(u32::MAX);
            sound(&session);
            if let (0, Some(told), Ok(reply)) = (at, &told, &answer)
                && language::statements(&chunk).count() == 1
            {
                check_live_result(&chunk, told, reply);
            }
            looks(&chunk, &answer, &style);
            match answer {
                Err(_) => {
                    assert_eq!(before.0, state(&session), "{chunk:?} failed");
                    assert_eq!(before.1, rest(&session), "{chunk:?} failed");
                    break;
                }
                Ok(_) if goes_back => there_and_back(&mut session, &before, &chunk),
                Ok(_) => {}
            }
        }
    }
}

/// Checks that completion, highlighting and preview change nothing. Returns the live result, if any.
fn type_and_check(session: &mut Session, chunk: &str, sum: u64) -> Option<Line> {
    let before = (state(session), rest(session));
    let cursor = chunk.floor_char_boundary(sum as usize % (chunk.len() + 1));
    let mut end = 0;
    for (range, _) in interpret::highlight(session, chunk, cursor) {
        assert!(
            end <= range.start && range.start < range.end,
            "{chunk:?}: {range:?} after {end}"
        );
        let _ = &chunk[range.clone()];
        end = range.end;
    }
    let patient = Rc::new(Impatient {
        patience: 0,
        left: Cell::new(1_000),
    });
    // The text before the cursor is what the line was some keys ago.
    interpret::preview(
        session,
        &chunk[..cursor],
        Rc::clone(&patient) as Rc<dyn Host>,
    );
    let told = interpret::preview(session, chunk, patient);
    sound(session);
    assert_eq!(before.0, state(session), "{chunk:?} previewed");
    assert_eq!(before.1, rest(session), "{chunk:?} previewed");
    told.answer
}

/// The live result equals the answer.
fn check_live_result(chunk: &str, told: &[Piece], reply: &Reply) {
    // The live result does not show the computed `±`.
    let numbers = |line: &[Piece]| -> Vec<u64> {
        let numbers = line.iter().flat_map(|piece| match piece {
            Piece::Number(value) => vec![*value],
            Piece::Measurement(of) if of.is_typed => vec![of.value, of.sigma],
            Piece::Measurement(of) => vec![of.value],
            _ => Vec::new(),
        });
        numbers.map(bits).collect()
    };
    let report = reply.report.as_ref().expect("what is told is shown");
    if report.kind.word() == "set" {
        return;
    }
    let [Block::Values(shown)] = report.blocks.as_slice() else {
        panic!("{chunk:?} answers {:?}", report.blocks);
    };
    let line: Vec<Piece> = shown.values.iter().flat_map(NamedValue::line).collect();
    assert_eq!(numbers(told), numbers(&line), "{chunk:?}");
}

/// Undoing a change and redoing it restores the states before and after it.
fn there_and_back(session: &mut Session, before: &(State, Rest), chunk: &str) {
    let journal = session.journal();
    let recorded = journal.undoable().len() as u64 + journal.forgotten;
    let made_undone = journal.redoable().len() < before.1.undone || before.1.undone == 0;
    if recorded != before.1.done as u64 + before.1.forgotten + 1 || !made_undone {
        return;
    }
    if session.settings().count("undo-steps") == 0 {
        return;
    }
    let after = state(session);
    session.undo().expect("something was recorded");
    sound(session);
    assert_eq!(before.0, state(session), "{chunk:?} undone");
    for former in rest(session).formers {
        assert!(
            before.1.formers.contains(&former),
            "{former:?} is new after {chunk:?} undone"
        );
    }
    session.redo().expect("something was taken back");
    sound(session);
    assert_eq!(after, state(session), "{chunk:?} done again");
}

/// Ids of nodes are unique, operands are older, data is what the operation gives, and the plan agrees with the pass.
pub fn sound(session: &Session) {
    let formers = formers(session);
    let target = target(session);
    let pass = session.pass();
    let roots = session
        .names()
        .named_nodes()
        .map(|(_, node)| node)
        .chain(&formers)
        .chain(&target)
        .chain(pass.iter().flat_map(|pass| pass.order().nodes()));
    let order = Order::below(roots);
    if order.nodes().len() > LOOKED_AT {
        return;
    }
    let mut seen: HashMap<NodeId, &Rc<Node>> = HashMap::new();
    for node in order.nodes() {
        assert!(
            node.id() <= session.newest_id(),
            "node {} is not made yet, {} is the last",
            node.id(),
            session.newest_id()
        );
        assert!(
            seen.insert(node.id(), node).is_none(),
            "two nodes are {}",
            node.id()
        );
        if let Some(op) = node.op() {
            let operands: Vec<f64> = node.operands().iter().map(|below| below.data()).collect();
            assert_eq!(
                bits(op.value(&operands)),
                bits(node.data()),
                "{} = {}",
                session.label(node),
                node.data()
            );
            assert!(node.operands().iter().all(|below| below.id() < node.id()));
        }
    }
    for (name, node) in session.names().named_nodes() {
        let bare = name.split('[').next().unwrap_or_default();
        assert!(language::is_name(bare), "{name:?} is bound");
        let mut indexed = session.names().texts_of_node(node);
        assert!(indexed.any(|own| own == name), "{name:?} is not indexed");
        let width = session.names().uncertain.width(node).unwrap_or(0.0);
        assert!((0.0..f64::INFINITY).contains(&width), "{name} ± {width}");
        let label = session.expression(node);
        if !label.is_empty() && !label.contains('…') {
            let read = language::expression(&label, Span::new(0, label.len()));
            assert!(read.is_ok(), "{name} = {label} does not read");
        }
    }
    if let Some(pass) = pass
        && !session.is_stale()
        && let [root] = pass.roots()
    {
        let mut plan = Plan::of(root);
        plan.forward(None);
        plan.backward();
        let nodes = plan.order().nodes();
        // Grads may have been set to 0, or be those of two sweeps.
        if nodes.iter().all(|node| pass.sweeps_at(node) == 1) {
            let mut pairs = nodes.iter().zip(plan.grads());
            let same = pairs.all(|(node, grad)| pass.grad(node).map(bits) == Some(bits(*grad)));
            assert!(same, "the plan differs from the pass");
        }
    }
}

/// The output does not affect a terminal; JSON is one object on one line.
fn looks(text: &str, answer: &Result<Reply, Diagnostic>, style: &Style) {
    let place = StatementPlace::new(style.width.is_some().then_some("-"), 1, text);
    let (mut shown, mut json) = (String::new(), String::new());
    match answer {
        Ok(reply) => {
            let translated = reply.translated.as_deref();
            let place = place.with_translation(translated);
            for note in &reply.notes {
                if let Some((span, _)) = &note.place {
                    inside(translated.map_or(text, |it| &it.line), span.clone());
                }
                view::note(note, &place, style, &mut shown);
            }
            if let Some(report) = &reply.report {
                view::report(report, style, &mut shown);
                view::json::report(report, &reply.notes, "-", 1, &mut json);
            } else {
                view::json::notes(&reply.notes, "-", 1, &mut json);
            }
        }
        Err(error) => {
            complaint(text, error);
            view::diagnostic(error, Some(&place), style, &mut shown);
            view::json::diagnostic(error, Some(&place), "-", 1, &mut json);
        }
    }
    if style.theme.is_some() {
        shown = without_colors(&shown);
    }
    harmless(&shown);
    let line = json.strip_suffix('\n').expect("a line");
    assert!(!line.contains('\n'), "{line:?} is more than a line");
    harmless(line);
    let object: serde_json::Value =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
    assert!(object["kind"].is_string(), "{line:?}");
}

/// The text contains no character that affects a terminal. (The list is independent of the one in the view.)
pub fn harmless(shown: &str) {
    let acts = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
            || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let found = shown.chars().find(|&c| acts(c));
    assert!(found.is_none(), "{found:?} comes out: {shown:?}");
}

pub fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (code, rest) = part.split_once('m').expect("a colour ends");
        assert!(
            code.bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b';'),
            "{code:?} is no colour"
        );
        out.push_str(rest);
    }
    out
}

// Saving.

/// The most roots from which a portrait has gradients.
const ROOTS: usize = 100;

/// Everything in a session that saving and undoing must preserve. Nodes are named by their positions, oldest first; a large
/// session has names and numbers only.
pub fn portrait(session: &Session) -> String {
    let names = session.names();
    let mut found: HashMap<NodeId, Rc<Node>> = HashMap::new();
    let bound = names.bound_values();
    let mut waiting: Vec<Rc<Node>> = bound.flat_map(|(_, it)| it.nodes().to_vec()).collect();
    while let Some(node) = waiting.pop() {
        if node.varies() && found.insert(node.id(), Rc::clone(&node)).is_none() {
            waiting.extend(node.operands().iter().map(Rc::clone));
        }
    }
    let mut nodes: Vec<Rc<Node>> = found.into_values().collect();
    nodes.sort_by_key(|node| node.id());
    let place = |node: &Node| {
        nodes
            .binary_search_by_key(&node.id(), |node| node.id())
            .ok()
    };
    let mut out = session.settings().statements(false);
    for (name, value) in names.bound_values() {
        let each = value.nodes().iter();
        let each: Vec<_> = each.map(|node| (place(node), bits(node.data()))).collect();
        let heading = session.heading(value.nodes()).map(Heading::text);
        let _ = writeln!(out, "{name} is {:?} {each:?} {heading:?}", value.shape());
    }
    // Sorted, because the order of a hash map is arbitrary.
    let lost = (0..names.name_count() as u32).map(|id| (names.name(id), names.loss_count(id)));
    let mut lost: Vec<_> = lost.filter(|(_, lost)| *lost > 0).collect();
    lost.sort_unstable();
    let _ = writeln!(out, "lost: {lost:?}");
    for function in session.functions().iter() {
        let _ = writeln!(out, "{} = {}", function.head(), function.body);
    }
    if nodes.len() > LOOKED_AT {
        return out;
    }
    let mut leaves = nodes.clone();
    leaves.retain(|node| node.is_leaf());
    let covariance = names.uncertain.covariance(&leaves);
    for node in &nodes {
        let operands: Vec<_> = node.operands().iter().map(|below| place(below)).collect();
        let called: Vec<String> = names.texts_of_node(node).map(Cow::into_owned).collect();
        let row = leaves.iter().position(|leaf| Rc::ptr_eq(leaf, node));
        let row = row.map(|row| covariance[row * leaves.len()..][..leaves.len()].iter());
        let fellows = row.into_iter().flatten().map(|it| bits(*it));
        let fellows: Vec<u64> = fellows.filter(|it| *it != 0).collect();
        if let Some(range) = session.names().ranges.of(node).copied() {
            let _ = writeln!(out, "{:?} in {range:?}", place(node));
        }
        let _ = writeln!(
            out,
            "{:?} {:x} {:?} {operands:?} {called:?} {:?} {} `{}` `{}` {:?} {:?} {fellows:?}",
            place(node),
            bits(node.data()),
            node.op().map(|op| op.name),
            (names.former_of(node)).map(|it| (names.name(it.name), it.loss, it.place)),
            node.is_frozen(),
            session.label(node),
            session.expression(node),
            names.labels.of(node),
            session.names().uncertain.width(node).map(bits),
        );
    }
    for root in nodes
        .iter()
        .rev()
        .filter(|node| !node.is_leaf())
        .take(ROOTS)
    {
        let order = Order::below([root]);
        let grads = gradients(&order, root, |_| {}).into_iter().map(bits);
        let grads: Vec<_> = order
            .nodes()
            .iter()
            .map(|node| place(node))
            .zip(grads)
            .collect();
        let _ = writeln!(out, "from {:?} {grads:?}", place(root));
    }
    out
}

/// The state that a failed statement must not change.
pub fn everything(session: &Session) -> String {
    let kept = session.results().iter_numbered();
    let nodes = kept.flat_map(|(_, value)| value.nodes().to_vec());
    let results: Vec<u64> = nodes.map(|node| bits(node.data())).collect();
    format!("{}{:?}\n{results:?}", portrait(session), rest(session))
}

/// A new session into which a saved one is loaded.
pub fn load_script(script: &str) -> Session {
    let mut session = Session::new();
    session.begin_trial(TrialOf::File);
    for line in script.lines().take_while(|line| line.starts_with('#')) {
        session.add_remark(line);
    }
    for chunk in chunks(script) {
        for cut in language::statements(&chunk) {
            if let Err(error) = run(&mut session, &chunk, cut) {
                panic!("{}: {chunk:?} of\n{script}", error.message);
            }
        }
    }
    session.end_trial(Some(":load saved"));
    session
}

/// The state that a saved session restores besides the [`portrait`]: results with their numbers, and grads.
fn results_and_grads(session: &Session) -> String {
    let results = session.results();
    let result = |(_, value): (u64, &Value)| {
        let nodes = value.nodes().iter();
        nodes.map(|node| bits(node.data())).collect::<Vec<_>>()
    };
    let last: Vec<_> = results.iter_numbered().map(result).collect();
    let Rest { grads, stale, .. } = rest(session);
    format!("{} {last:?} {grads:?} {stale}", results.count())
}

/// Saves a session and loads it into another one: both are equal, saving again gives the same script, random numbers
/// continue, and undo takes the load back. Returns the script.
pub fn comes_back(first: &mut Session) -> String {
    let saved = first.script().text;
    let mut second = load_script(&saved);
    sound(&second);
    assert_eq!(portrait(first), portrait(&second), "saved as\n{saved}");
    let [known, found] = [&*first, &second].map(results_and_grads);
    assert_eq!(known, found, "saved as\n{saved}");
    // A bare `:grad` is about the same number.
    let aim = |session: &Session| target(session).map(|it| session.label(&it));
    if aim(first).is_some() {
        assert_eq!(aim(first), aim(&second), "saved as\n{saved}");
    }
    // Statements that are typed have no comments above them.
    let statements = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::to_owned).collect()
    };
    let again = second.script().text;
    assert_eq!(statements(&again), statements(&saved), "written again");
    let before = portrait(&second);
    let mut undone = 0;
    while second.undo().is_some() {
        undone += 1;
    }
    if second.journal().forgotten == 0 {
        assert_eq!(portrait(&second), portrait(&Session::new()), "{saved}");
    }
    for _ in 0..undone {
        second.redo().expect("it was taken back");
    }
    assert_eq!(portrait(&second), before, "{saved}");
    let draw = |session: &mut Session| {
        let text = "uniform(0, 1)";
        language::statements(text).for_each(|cut| drop(run(session, text, cut)));
        session
            .results()
            .last()
            .map(|it| bits(it.nodes()[0].data()))
    };
    assert_eq!(draw(first), draw(&mut second), "{saved}");
    saved
}

/// Types a text into a session, and checks that the session can be saved and loaded.
pub fn save_load(text: &str) {
    let host = || {
        Rc::new(Impatient {
            patience: 64,
            left: Cell::new(u32::MAX),
        })
    };
    let hurried = host();
    let mut session = Session::new();
    session.set_host(Rc::clone(&hurried) as Rc<dyn Host>);
    for chunk in chunks(text).iter().take(STATEMENTS) {
        for cut in language::statements(chunk) {
            hurried.left.set(hurried.patience);
            let _ = run(&mut session, chunk, cut);
            if live_nodes() > NODES {
                return;
            }
        }
    }
    session.set_host(host() as Rc<dyn Host>);
    comes_back(&mut session);
}
