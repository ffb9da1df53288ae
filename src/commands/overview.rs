//! The first screen of `:help`: every command in a few words, by what people want to do.
//!
//! It fits a window of 80 columns and 24 lines with the prompt, which a test holds it to. What a command does in a
//! sentence stands with the command; one that has no words here yet is only named.

use super::topics::TOPICS;
use super::{COMMANDS, Group, prose};
use crate::report::{Block, Menu, MenuGroup, Piece, Prose, Report};

/// Commands that belong together, how one of them is typed, and a few words.
type Entry = (&'static [&'static str], &'static str, &'static str);

/// In the order of the screen; two stand side by side.
const ENTRIES: &[Entry] = &[
    (&["grad"], ":grad L", "all gradients of L"),
    (&["backward"], ":backward L", "one more pass, added"),
    (&["zero"], ":zero", "forget them"),
    (&["explain"], ":explain a", "why a grad is so"),
    (&["check"], ":check L", "against differences"),
    (&["nudge"], ":nudge a", "bump it and see"),
    (&["wrong"], ":wrong", "famous mistakes"),
    (&["walk"], ":walk L", "the pass by stops"),
    (&["next", "prev"], ":next :prev", "on, and back"),
    (&["guess"], ":guess a 6", "before it is shown"),
    (&["topo"], ":topo L", "the order of nodes"),
    (&["set"], ":set a 3", "a value, in place"),
    (&["step"], ":step 0.01", "down the gradient"),
    (&["freeze"], ":freeze a", "no steps for a"),
    (&["thaw"], ":thaw a", "steps again"),
    (&["vars"], ":vars", "names and numbers"),
    (&["funcs"], ":funcs", "your functions"),
    (&["graph"], ":graph L", "the graph, drawn"),
    (&["plot"], ":plot L", "the curve over a leaf"),
    (&["tree"], ":tree L", "what is in what"),
    (&["ops"], ":ops", "built-in functions"),
    (&["time"], ":time a*b", "how long it takes"),
    (&["watch", "unwatch"], ":watch L", "as it moves; :unwatch"),
    (&["undo", "redo"], ":undo :redo", "change by change"),
    (&["log"], ":log", "the list of changes"),
    (&["del"], ":del a", "forget a name"),
    (&["reset"], ":reset", "forget everything"),
    (&["save", "load"], ":save :load", "all of it, a file"),
    (&["config"], ":config", "all settings"),
    (&["digits"], ":digits 4", "how many are shown"),
    (&["help"], ":help grad", "this screen, a page"),
    (&["tour"], ":tour", "a first walk"),
    (&["quit"], ":quit", "leave, as Ctrl-D"),
];

/// The report.
pub(super) fn report() -> Report {
    let mut start = prose::line("Type ");
    start.extend([
        Piece::typed("a, b = 2, -3"),
        Piece::plain(" then "),
        Piece::typed("L = a*b + a"),
        Piece::plain(" then "),
        Piece::typed(":grad L"),
        Piece::plain(", or be shown around: "),
        Piece::typed(":tour"),
    ]);
    let names: Vec<&str> = TOPICS.iter().map(|topic| topic.name).collect();
    let blocks = vec![
        Block::Prose(Prose::paragraph(start)),
        Block::Menu(menu()),
        row(
            ":help NAME",
            "on a command, an operation (`tanh`, `/`), a setting, or one of:",
        ),
        Block::Prose(Prose {
            column: 2,
            line: vec![Piece::formula(names.join(" "))],
            ..Prose::default()
        }),
        row(
            ":help search WORD",
            "finds it anywhere; commands may be shortened: `:gr L`",
        ),
    ];
    prose::report("help", "", blocks)
}

/// Something to type and what it does, running on.
fn row(typed: &str, words: &str) -> Block {
    let mut line = vec![Piece::typed(typed), Piece::plain("  ")];
    line.extend(prose::line(words));
    Block::Prose(Prose {
        column: 2,
        line,
        ..Prose::default()
    })
}

/// Every command, in its group.
fn menu() -> Menu {
    let told = |name: &str| ENTRIES.iter().any(|(names, ..)| names.contains(&name));
    let group = |group: Group| {
        let members: Vec<_> = COMMANDS
            .iter()
            .filter(|command| command.group == group)
            .collect();
        let mut entries: Vec<(String, String)> = ENTRIES
            .iter()
            .filter(|(names, ..)| members.iter().any(|member| member.name == names[0]))
            .map(|&(_, typed, words)| (typed.to_string(), words.to_string()))
            .collect();
        let untold = members.iter().filter(|member| !told(member.name));
        entries
            .extend(untold.map(|member| (format!(":{}", member.name), member.summary.to_string())));
        MenuGroup {
            key: group.key(),
            heading: group.heading(),
            entries,
        }
    };
    Menu {
        groups: Group::ALL.map(group).into(),
    }
}
