//! `:wrong RULE T`: a backward pass with a famous mistake beside the right one, node by node.
//!
//! `study::wrong` runs both passes and finds where they differ.

use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::node_table::NodeTable;
use crate::commands::prelude::*;
use crate::commands::signatures::wrong::{RULE, SIGNATURE, T};
use crate::study;
use crate::study::{Comparison, FAMOUS_MISTAKES, FamousMistake};
use chainrule_engine::graph::{MOST_CONTRIBUTIONS, PassFault};
use chainrule_language::Span;
use chainrule_report::diagnostic::backtick_list;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};
use chainrule_report::{
    Block, Cell, Column, Fact, Line, Report, Table, count_text, dim, grads, say,
};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[(RULE, Offers::Words(words))]);

/// The mark of the first wrong row.
const FIRST: &str = "← first";

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some((word, span)) = arguments.word(RULE) else {
        return Ok(Reply::show(rules_report()));
    };
    let is_node = || (session.names().find_node(word)).is_some_and(|node| node.varies());
    let (mistake, argument) = match FAMOUS_MISTAKES.iter().find(|mistake| mistake.rule == word) {
        Some(mistake) => (mistake, T),
        // `:wrong L`
        None if !arguments.has(T) && is_node() => (&FAMOUS_MISTAKES[0], RULE),
        None => return Err(unknown_rule_error(word, span)),
    };
    let target = arguments.target(session, argument)?;
    let name = mistake.rule;
    let compared = study::compare_with_mistake(&target.node, mistake)
        .ok_or_else(|| endless_error(name, span))?;
    let label = session.label(&target.node);
    let mut heading = say!("{:typed}: {}", mistake.rule, mistake.summary);
    if target.is_default {
        heading.extend(dim(say!("   of {:name}", &label)));
    }
    let report = report(session, mistake, &label, &compared, heading);
    Ok(Reply::show(report).with_notes(target.notes))
}

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
    Report::new("wrong", Vec::new(), vec![Block::Table(table)])
}

fn unknown_rule_error(word: &str, span: Span) -> Diagnostic {
    let words = || FAMOUS_MISTAKES.iter().map(|mistake| mistake.rule);
    let near = nearest(word, words()).or_else(|| words().find(|rule| rule.starts_with(word)));
    let help = did_you_mean(near, || format!("there are {}", backtick_list(words())));
    let error = Diagnostic::new(format!("there is no mistake `{word}`"));
    error.at(span).help(help)
}

fn endless_error(rule: &str, span: Span) -> Diagnostic {
    let message = {
        let most = count_text(MOST_CONTRIBUTIONS);
        format!("`{rule}` makes more than {most} contributions on this graph")
    };
    let help =
        "each node that is used twice doubles what it does below: a smaller graph shows it too";
    Diagnostic::new(message).at(span).help(help)
}

fn report(
    session: &Session,
    mistake: &FamousMistake,
    root: &str,
    compared: &Comparison,
    heading: Line,
) -> Report {
    let first = compared.first.map(|at| &compared.nodes[at]);
    let mut facts = vec![
        ("rule", mistake.rule.into()),
        ("root", root.into()),
        ("first", first.map(|node| session.label(node)).into()),
    ];
    let mut blocks = vec![Block::Line(heading), Block::Table(table(session, compared))];
    let what = match compared.first {
        Some(first) => say!(
            "{:name} got {}, not {}",
            session.label(&compared.nodes[first]),
            grads(say!("{}", compared.wrong[first])),
            grads(say!("{}", compared.right[first]))
        ),
        None => say!(
            "every grad is still right here; it goes wrong where {}, as in",
            mistake.needs
        ),
    };
    blocks.push(Block::Line(what.clone()));
    facts.push(("what", Fact::Sentence(what)));
    if compared.first.is_none() {
        let call = format!(":wrong {}", mistake.rule);
        let lines = mistake.example.iter().copied().chain([&*call]);
        let typed = |line| Block::Line(say!("  {:typed}", line));
        blocks.extend(lines.map(typed));
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
    Report::new("wrong", facts, blocks)
}

/// The table of right and wrong gradients, in the order of the pass.
fn table(session: &Session, compared: &Comparison) -> Table {
    NodeTable::of(session, compared.nodes.as_slice())
        .id()
        .label(Column::new("node", "node"))
        .kind(1)
        .column(Column::new("right", "right").with_sign(), |row| {
            Cell::Number(compared.right[row.place])
        })
        .column(Column::new("wrong", "wrong").with_sign(), |row| {
            Cell::Number(compared.wrong[row.place])
        })
        .column(Column::people(""), |row| {
            match compared.differs[row.place] {
                true if compared.first == Some(row.place) => Cell::Text(FIRST.to_string()),
                true => Cell::Text("←".to_string()),
                false => Cell::Empty,
            }
        })
        .column(Column::machines("differs"), |row| {
            Cell::Fact(compared.differs[row.place].into())
        })
        .names(session)
        .table("rows")
}

/// Removed lines are marked `-`, added ones `+`; unchanged ones have no mark.
fn diff(right: &str, wrong: &str) -> String {
    let [gone, come]: [Vec<&str>; 2] = [right, wrong].map(|code| code.lines().collect());
    let goes = gone.iter().filter(|line| !come.contains(line));
    let goes = goes.map(|line| format!("- {line}\n"));
    let mark = |line| if gone.contains(line) { ' ' } else { '+' };
    let comes = come.iter().map(|line| format!("{} {line}\n", mark(line)));
    goes.chain(comes).collect()
}
