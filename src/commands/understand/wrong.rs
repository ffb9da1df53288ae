//! `:wrong RULE T`: shows a backward pass with a famous mistake beside the correct pass, node by node.
//!
//! `study::wrong` runs both passes and finds where they differ.

use crate::command::args::suggestions::{Offers, Word};
use crate::command::node_table::{NodeTable, TableNode};
use crate::command::prelude::*;
use crate::command::signatures::wrong::{RULE, SIGNATURE, T};
use crate::study::{self, Comparison, FAMOUS_MISTAKES, FamousMistake};
use chainrule_engine::graph::{MAX_CONTRIBUTIONS, PassFault};
use chainrule_report::ask_numbers;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[(RULE, Offers::Words(words))]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let Some((word, span)) = arguments.first_word(RULE) else {
        return Ok(Reply::show(rules_report()));
    };
    let is_node = || (session.names().find_node(word)).is_some_and(|node| node.varies());
    let known = FAMOUS_MISTAKES.iter().find(|mistake| mistake.rule == word);
    let (mistake, argument) = match known {
        Some(mistake) => (mistake, T),
        // In `:wrong L` the root stands in the place of the rule.
        None if !arguments.has(T) && is_node() => (&FAMOUS_MISTAKES[0], RULE),
        None => return Err(unknown_rule_error(word, span)),
    };
    let target = arguments.target(session, argument)?;
    let comparison = study::compare_with_mistake(&target.node, mistake)
        .ok_or_else(|| endless_error(mistake.rule, span))?;
    session.note_shown(&target.node, &[]);
    let label = session.label(&target.node);
    let mut heading = say!("{:typed}: {}", mistake.rule, mistake.summary);
    if target.is_default {
        heading.extend(dim(say!("   of {:name}", &label)));
    }
    let answer = comparison_report(session, mistake, &label, &comparison, heading);
    Ok(Reply::show(answer).with_notes(target.notes))
}

/// The words that completion offers.
fn words(_: &Session, _: &[&str]) -> Vec<Word> {
    let word = |mistake: &FamousMistake| Word::new(mistake.rule, say!("{}", mistake.summary));
    FAMOUS_MISTAKES.iter().map(word).collect()
}

/// The table of rules.
fn rules_report() -> Report {
    let row = |mistake: &FamousMistake| {
        vec![
            Cell::Formula(mistake.rule.to_string()),
            Cell::Text(mistake.summary.to_string()),
        ]
    };
    let columns = vec![
        Column::new("rule", "rule"),
        Column::new("what", "what it does"),
    ];
    let rows: Vec<_> = FAMOUS_MISTAKES.iter().map(row).collect();
    let table = Table::new("rules", columns, rows);
    Report::new(&COMMAND, Vec::new(), vec![Block::Table(table)])
}

fn unknown_rule_error(word: &str, span: Span) -> Diagnostic {
    let words = || FAMOUS_MISTAKES.iter().map(|mistake| mistake.rule);
    let near = nearest(word, words()).or_else(|| words().find(|rule| rule.starts_with(word)));
    let help = did_you_mean(near, || format!("there are {}", backtick_list(words())));
    let error = Diagnostic::new(format!("there is no mistake `{word}`"));
    error.at(span).help(help)
}

fn endless_error(rule: &str, span: Span) -> Diagnostic {
    let most = count_text(MAX_CONTRIBUTIONS);
    let message = format!("`{rule}` makes more than {most} contributions on this graph");
    let help =
        "each node that is used twice doubles what it does below: a smaller graph shows it too";
    Diagnostic::new(message).at(span).help(help)
}

/// Makes the report: the table, where the mistake shows first, and the change of code that makes it. If it does not show
/// in this graph, the report has a graph to type in which it does.
fn comparison_report(
    session: &Session,
    mistake: &FamousMistake,
    root: &str,
    comparison: &Comparison,
    heading: Line,
) -> Report {
    let first = comparison.first.map(|at| &comparison.nodes[at]);
    let result = match comparison.first {
        Some(at) => say!(
            "{:name} got {}, not {}",
            session.label(&comparison.nodes[at]),
            ask_numbers(say!("{}", comparison.wrong[at])),
            ask_numbers(say!("{}", comparison.right[at]))
        ),
        None => say!(
            "every grad is still right here; it goes wrong where {}, as in",
            mistake.needs
        ),
    };
    let mut blocks = vec![
        Block::Line(heading),
        Block::Table(table(session, comparison)),
        Block::Line(result.clone()),
    ];
    let mut facts = vec![
        ("rule", mistake.rule.into()),
        ("root", root.into()),
        ("first", first.map(|node| session.label(node)).into()),
        ("what", Fact::Sentence(result)),
    ];
    if comparison.first.is_none() {
        let call = format!(":wrong {}", mistake.rule);
        let lines = mistake.example.iter().copied().chain([&*call]);
        let line_to_type = |line| Block::Line(say!("  {:typed}", line));
        blocks.extend(lines.map(line_to_type));
        let example = mistake.example.iter().map(|line| (*line).into());
        facts.push(("example", Fact::List(example.collect())));
    }
    if let PassFault::Twice = mistake.fault {
        blocks.push(Block::Line(say!(
            "another mistake: `:backward` adds a whole pass to what is there"
        )));
    }
    blocks.push(Block::Line(say!("the change of code that does it:")));
    blocks.push(Block::Code(diff(mistake.right, mistake.wrong)));
    let change = vec![
        ("right", mistake.right.into()),
        ("wrong", mistake.wrong.into()),
    ];
    facts.push(("change", change.into()));
    Report::new(&COMMAND, facts, blocks)
}

/// The table of correct and wrong gradients, in the order of the pass.
fn table(session: &Session, comparison: &Comparison) -> Table {
    let right = |row: &TableNode| Cell::Number(comparison.right[row.place]);
    let wrong = |row: &TableNode| Cell::Number(comparison.wrong[row.place]);
    let differs = |row: &TableNode| Cell::Fact(comparison.differs[row.place].into());
    let marker = |row: &TableNode| match (comparison.differs[row.place], comparison.first) {
        (true, Some(first)) if first == row.place => Cell::Text("← first".to_string()),
        (true, _) => Cell::Text("←".to_string()),
        (false, _) => Cell::Empty,
    };
    NodeTable::of(session, comparison.nodes.as_slice())
        .id()
        .label(Column::new("node", "node"))
        .kind(1)
        .column(Column::new("right", "right").with_sign(), right)
        .column(Column::new("wrong", "wrong").with_sign(), wrong)
        .column(Column::new("marker", "").for_people(), marker)
        .column(Column::machines("differs"), differs)
        .names(session)
        .table("rows")
}

/// Marks removed lines with `-` and added ones with `+`. Unchanged lines have no mark.
fn diff(right: &str, wrong: &str) -> String {
    let before: Vec<&str> = right.lines().collect();
    let after: Vec<&str> = wrong.lines().collect();
    let mut lines = Vec::new();
    for line in before.iter().filter(|line| !after.contains(line)) {
        lines.push(format!("- {line}\n"));
    }
    for line in &after {
        let sign = if before.contains(line) { ' ' } else { '+' };
        lines.push(format!("{sign} {line}\n"));
    }
    lines.concat()
}
