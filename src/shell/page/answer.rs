//! Makes the answer to an entry: what it wrote, and what the page must know about the session after it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::leaves::{Leaf, leaves_below};
use super::{Page, files};
use crate::command::CommandTrait;
use crate::commands::by_hand::walk::place_report_with_graph;
use crate::shell::RunEnd;
use crate::shell::process::terminal::Stream;
use crate::shell::script::dialogue::Dialogue;
use crate::shell::script::lesson_line::{around_cursor, asks};
use crate::shell::server::StateBefore;
use crate::shell::server::entry::Entry;
use crate::shell::server::live_entry::{LiveEntry, word_for};
use chainrule_language::{self as language, Expression, Head, ItemKind, Statement, StatementSpan};
use chainrule_program::names::numbers_line;
use chainrule_program::values::WeakValue;
use chainrule_report::{Fact, Facts};
use chainrule_session::Session;
use chainrule_session::by_hand::walk::Walk;
use chainrule_view::{self as view, Style};

/// The statement that shows the answer to the question of a lesson.
const SHOW_ANSWER: &str = ":play show";

/// The values of the names of a session.
pub(super) type ValuesByName = BTreeMap<Rc<str>, WeakValue>;

impl Page {
    /// Ends the answer to an entry and prepares the next line. Returns these facts:
    ///
    /// - `html`: what the entry wrote; `words`: those of the lesson before its next statement, which are no part of the
    ///   answer;
    /// - `line`: the text that a lesson puts into the line before the cursor and after it;
    /// - `asks`: a lesson or a walk waits for a number or a word;
    /// - `walk`: the open walk;
    /// - `files` and `missing`: the files that were written, and the one that was not found;
    /// - `numbers`: the `names` for which the entry lacks numbers, and the `line` that gives them numbers;
    /// - `quit` and `failed`: the session ends; a statement failed;
    /// - `entry`: the number of the entry if it can be answered again, and `of_lesson`, `counted`, `added`, `target` and
    ///   `pass`, which the request `renew` takes;
    /// - `link`: the statements of the entry for a link;
    /// - `kept`: the statements to store; `anew`: whether they replace the stored statements;
    /// - `bound`: the names that have other values now;
    /// - `leaves`: the free leaves, as in `a` or `w[0]`; empty while a walk goes on;
    /// - `sliders`: the leaves with sliders below the entry: those that it has bound, or all for `:vars`;
    /// - `picture`: the leaves on which the picture of the entry depends; the leaves that the entry names come first;
    /// - `one_sign`: the leaves whose sliders end at 0, because a value is NaN beyond it;
    /// - `states`: the entries whose state is another one now, as `Page::take_states` says;
    /// - `lesson`: the lesson that is open or was left, with its `name` and its `place`, which the request `restore` takes. A
    ///   lesson of the user's own has a `text`. `show` is the statement that shows the answer to its question. A built-in lesson has a session, which is in use while the lesson is
    ///   `open`.
    pub(super) fn answer(
        &mut self,
        entered: &Entry,
        before: &StateBefore,
        ran: &Result<(), RunEnd>,
    ) -> Facts {
        let has_failed = *ran == Err(RunEnd::Failed);
        // `prepare_line` may end a lesson and bring back the user's own session. The entry still belongs to the session of
        // the lesson.
        let is_of_lesson = self.server.runner.lesson().runs_apart();
        let number = self.server.note_entry(entered, before, has_failed);
        let results = self.server.runner.session().results();
        let added = results.count().saturating_sub(before.result_count);
        let html = self.take_part();
        let has_picture = self.has_picture;
        // Writing into memory does not fail.
        let _ = Dialogue::prepare_line(&mut self.server.runner);
        let words = self.take_part();
        let is_in_use = is_of_lesson == self.server.runner.lesson().runs_apart();
        let shows_picture = has_picture && is_in_use;
        let files = files::take_news();
        let to_store = self.take_statements_to_store();
        let link = self.link_of(entered, before, has_failed, &to_store);
        let mut facts = vec![
            ("html", Fact::Text(html)),
            ("words", Fact::Text(words)),
            ("quit", Fact::Flag(*ran == Err(RunEnd::Quit))),
            ("failed", Fact::Flag(has_failed)),
            ("of_lesson", Fact::Flag(is_of_lesson)),
            ("counted", Fact::Count(before.result_count)),
            ("added", Fact::Count(added)),
            ("line", self.line()),
            ("asks", Fact::Flag(self.asks())),
            ("walk", self.take_walk()),
            ("lesson", self.lesson()),
            ("files", files.written.into_iter().collect()),
            ("missing", files.missing.as_deref().into()),
            ("numbers", self.missing_numbers(entered)),
            // These bring the session back: by a link, or from the storage of the browser.
            ("link", Fact::Text(link)),
            ("kept", Fact::Text(to_store.statements)),
            ("anew", Fact::Flag(to_store.must_replace)),
        ];
        let states = self.take_states();
        let entry = number.map(|at| &self.server.entries[at]);
        let inputs = entry.map(|it| it.implicit.clone()).unwrap_or_default();
        facts.extend([
            ("entry", number.into()),
            ("target", inputs.target.as_deref().into()),
            ("pass", inputs.pass.as_deref().into()),
            ("states", states),
        ]);
        facts.extend(self.facts_of_leaves(entered, number.filter(|_| shows_picture)));
        // An entry without new nodes, such as a graph, has no values that may become NaN.
        let has_new_nodes = self.server.runner.session().newest_id() > before.newest_node;
        let tried = number.filter(|_| has_new_nodes);
        let one_sign = tried.map(|at| self.leaves_of_one_sign(at));
        let names = one_sign.into_iter().flatten().map(Fact::Text);
        facts.push(("one_sign", names.collect()));
        facts
    }

    /// The entries whose state is another one than was told before. Each has the number of the `entry`, its `state`, and the
    /// `reason` why its answer is one of before, which is empty if it is not. The states are:
    ///
    /// - `live`: the session would answer the same now;
    /// - `faded`: leaves have moved or names are gone since. A slider or `:undo` can make the entry live again;
    /// - `ended`: its names mean something else now, or its number belongs to another result. It is not answered again.
    pub(super) fn take_states(&mut self) -> Fact {
        let runner = &self.server.runner;
        let changed_state = |(at, entry): (usize, &mut LiveEntry)| {
            let standing = entry.take_standing(runner.session_of(entry.is_of_lesson))?;
            let state = match standing {
                it if it.has_ended => "ended",
                it if it.reason.is_empty() => "live",
                _ => "faded",
            };
            Some(Fact::Record(vec![
                ("entry", at.into()),
                ("state", state.into()),
                ("reason", Fact::from(&*standing.reason)),
            ]))
        };
        self.server
            .entries
            .iter_mut()
            .enumerate()
            .filter_map(changed_state)
            .collect()
    }

    /// The facts about the names and leaves after an entry. `pictured` is the number of the entry if its answer has a
    /// picture.
    fn facts_of_leaves(&mut self, entered: &Entry, pictured: Option<usize>) -> Facts {
        let bound = self.take_bound_names();
        let leaves = self.leaves();
        let shows_all = entered.has(CommandTrait::ShowsAllNames);
        let has_slider = |leaf: &&Leaf| shows_all || bound.iter().any(|it| **it == *leaf.bound);
        let sliders = leaves.iter().filter(has_slider);
        let below = pictured.map(|at| leaves_below(&self.server.entries[at], &leaves));
        let name_of = |leaf: &Leaf| Fact::from(&*leaf.name);
        vec![
            (
                "bound",
                bound.iter().map(|name| Fact::from(&**name)).collect(),
            ),
            (
                "leaves",
                leaves.iter().map(|leaf| self.leaf_fact(leaf)).collect(),
            ),
            ("sliders", sliders.map(name_of).collect()),
            ("picture", below.iter().flatten().map(name_of).collect()),
        ]
    }

    /// The text that a lesson puts into the line before the cursor and after it.
    fn line(&self) -> Fact {
        let statement = self.server.runner.lesson_statement();
        let parts = statement.map(|it| <[&str; 2]>::from(around_cursor(it)));
        parts.map(Fact::from_iter).into()
    }

    /// Does a lesson or a walk ask for a number or a word?
    fn asks(&self) -> bool {
        let runner = &self.server.runner;
        runner.has_walk_question() || runner.lesson_statement().is_some_and(asks)
    }

    /// The open walk: the statements that begin it `backward` and `forward`, its `direction`, the number of stops that it has `made`, `of` how many, and whether it
    /// `asks` for numbers. If the entry has moved it, `html` is its graph with its stop, unless it asks: they would show the
    /// numbers. The entry may have `begun` the walk.
    fn take_walk(&mut self) -> Fact {
        let now = self.server.runner.session().walk().cloned();
        let before = std::mem::replace(&mut self.last_walk, now);
        let style = self.server.runner.style(Stream::Answers);
        let session = self.server.runner.session();
        let open = session.walk().and_then(|walk| {
            let is_same = |it: &Walk| walk.has_order_of(it);
            let has_root = |it: &Walk| Rc::ptr_eq(&it.root, &walk.root);
            let is_new = !before.as_ref().is_some_and(is_same);
            let is_reordered = walk.position > 0 && before.as_ref().is_some_and(has_root);
            let has_moved = is_new || before.is_some_and(|it| it.position != walk.position);
            let html = (has_moved && !walk.has_questions).then(|| stop_html(session, &style));
            let root = word_for(session, &walk.root)?;
            let ask = if walk.has_questions { " ask" } else { "" };
            let begin = |way: &str| Fact::Text(format!(":walk {root}{way}{ask}"));
            Some(vec![
                ("backward", begin("")),
                ("forward", begin(" forward")),
                ("direction", Fact::from(walk.direction.word())),
                ("made", walk.position.into()),
                ("of", walk.stop_count().into()),
                ("asks", Fact::Flag(walk.has_questions)),
                ("begun", Fact::Flag(is_new && !is_reordered)),
                ("html", html.as_deref().into()),
            ])
        });
        open.into()
    }

    /// The names for which the entry lacks numbers, and the line that gives them numbers. A lesson or a walk asks for
    /// something else.
    fn missing_numbers(&self, entered: &Entry) -> Fact {
        let runner = &self.server.runner;
        let names = runner.unknown_names();
        let can_run_again = !runner.lesson().is_open
            && !runner.has_walk_question()
            && lacks_only_numbers(entered, names);
        let line = numbers_line(runner.session(), names).filter(|_| can_run_again);
        let numbers = line.map(|it| {
            let names = names.iter().map(|name| Fact::from(&**name)).collect();
            vec![("names", names), ("line", Fact::Text(it))]
        });
        numbers.into()
    }

    /// The lesson that is open or was left.
    fn lesson(&self) -> Fact {
        let lesson = self.server.runner.lesson();
        if !lesson.is_open && lesson.aside.is_none() {
            return Fact::Null;
        }
        let own_path = lesson.path.as_ref().filter(|_| lesson.built_in.is_none());
        let text = own_path.and_then(|_| self.lesson_text());
        let name = own_path.map_or((&*lesson.name).into(), |path| path.to_string_lossy());
        Fact::Record(vec![
            ("name", Fact::from(&*name)),
            ("place", Fact::Text(lesson.place_to_keep())),
            ("text", text.as_deref().into()),
            ("open", Fact::Flag(lesson.is_open)),
            ("show", SHOW_ANSWER.into()),
        ])
    }

    /// The names whose values have changed since the last entry of the session that is in use.
    fn take_bound_names(&mut self) -> Vec<Rc<str>> {
        let is_of_lesson = self.server.runner.lesson().runs_apart();
        let last_values = &mut self.last_values[usize::from(is_of_lesson)];
        let now = values_by_name(self.server.runner.session());
        let before = std::mem::replace(last_values, now);
        let values = self.server.runner.session().names().bound_values();
        let bound = values.filter(|(name, value)| {
            let value_before = before.get(*name).and_then(WeakValue::upgrade);
            value_before.is_none_or(|it| !it.is(value))
        });
        bound.map(|(name, _)| name.into()).collect()
    }

    /// Notes the present values of all names: the next answer lists the names with other values.
    pub(super) fn note_values(&mut self) {
        self.last_values = [false, true].map(|is_of_lesson| {
            let session = self.server.runner.session_of(is_of_lesson);
            session.map(values_by_name).unwrap_or_default()
        });
    }
}

/// The graph of the open walk with its stop.
fn stop_html(session: &Session, style: &Style) -> String {
    let mut html = String::new();
    view::report_html(&place_report_with_graph(session), style, &mut html);
    html
}

/// The values of all names.
fn values_by_name(session: &Session) -> ValuesByName {
    let values = session.names().bound_values();
    let entries = values.map(|(name, value)| (name.into(), value.downgrade()));
    entries.collect()
}

/// Is an entry a single statement that needs nothing but numbers for its names? A name alone asks for its value, the name in a
/// command is that of a node, and `dL/da` is a derivative.
fn lacks_only_numbers(entered: &Entry, names: &[String]) -> bool {
    let text = entered.text.trim();
    let is_question = match language::statement(text, &StatementSpan::whole(text)) {
        Ok(Statement::Command(_)) => names.len() == 1,
        Ok(Statement::Expression(typed)) => asks_for_value(&typed),
        _ => false,
    };
    entered.statements.len() == 1 && !is_question
}

/// Does an expression ask for the value of a name, as `a` or `dL/da`?
fn asks_for_value(typed: &Expression) -> bool {
    match typed.items.iter().map(|it| it.kind).collect::<Vec<_>>()[..] {
        [ItemKind::Name(_)] => true,
        [
            ItemKind::Name(of),
            ItemKind::Name(_),
            ItemKind::Apply(Head::Operator(sign), 2),
        ] => of.starts_with('d') && sign.spelling == "/",
        _ => false,
    }
}
