//! `:graph T [FILE]`: the graph as a picture, in the terminal or in a file.
//!
//! `study` says what is on the picture, the views draw it. A graph that is too large to be read as a picture is summed
//! up in words.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, FileRequest, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::{FullGraph, Node};
use crate::report::{Block, Diagram, Fact, Flow, Note, Picture, Report, dim, join, plural, say};
use crate::session::naming::folds::Fold;
use crate::session::{Contents, Session};
use crate::study;
use crate::syntax::Span;

/// The most nodes of a picture; a larger graph is summarized.
pub const MOST_DRAWN: usize = 2_000;

/// The endings of file names, and whether the format is a drawing. The others list nodes and edges, in any number.
const ENDINGS: &[(&str, bool)] = &[
    ("svg", true),
    ("png", true),
    ("dot", false),
    ("mmd", false),
    ("html", true),
    ("json", false),
];

pub(crate) const COMMAND: Command = Command {
    name: "graph",
    aliases: &[],
    group: Group::Look,
    looks: true,
    entry: (":graph L", "the graph, drawn"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression),
        Argument::optional("FILE", ArgumentKind::File)
            .means(
                "a picture: `.svg .png .html .dot .mmd .json`; without it, the graph is drawn here",
            )
            .offering(Offers::Files(endings)),
        Argument::flag("right")
            .means("the picture runs from left to right")
            .not_with(&["down"]),
        Argument::flag("down").means("the picture runs from top to bottom"),
        Argument::flag("locals").means("the local derivatives on the wires; in a walk, what flows"),
        Argument::flag("named")
            .means("only named nodes and lists are boxes, weights are wires")
            .not_with(&["locals"]),
        Argument::flag("grads")
            .means("with `named`: the wires show the grads of the weights")
            .needs("named"),
        Argument::after("wrt", "NODE", ArgumentKind::Nodes),
    ],
    summary: "draw the graph of T, here or into FILE",
    page: page!("commands/graph"),
    run,
};

fn endings() -> Vec<&'static str> {
    ENDINGS.iter().map(|(ending, _)| *ending).collect()
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.file("FILE")?;
    let flow = flow(arguments);
    let made = session.made();
    let target = arguments.target(session, "T")?;
    let picked = arguments.nodes(session, "NODE")?;
    let apart: Vec<Rc<Node>> = picked.iter().map(|(node, _)| Rc::clone(node)).collect();
    session.pass_shown();
    let whole = FullGraph::below(&target.node);
    let label = session.label(&target.node);
    let facts = vec![("root", Fact::Text(label.clone()))];
    let count = whole.nodes.len();
    let ending = file.as_ref().map(FileRequest::ending);
    let ending = ending.as_deref();
    let locals = arguments.has("locals");
    // The page runs the passes node by node, and JSON has every node.
    let each = matches!(ending, Some("html" | "json"))
        || ending.is_none() && (session.all_rows || arguments.silenced);
    let boxes_apart_from = |apart: &[Rc<Node>]| {
        if each {
            return Vec::new();
        }
        study::boxes(session, &whole, apart, arguments.has("named"))
    };
    let lists = boxes_apart_from(&apart);
    let mut notes = target.notes;
    if !each && !apart.is_empty() {
        let all = boxes_apart_from(&[]);
        notes.extend(no_items(arguments, &picked, &whole, &all));
    }
    if let (Some((_, named)), Some("html")) = (arguments.word("named"), ending) {
        return Err(Diagnostic::new("a page shows every node, not a network")
            .at(named)
            .help("a network is drawn into `.svg` or `.png`"));
    }
    let network = network(session, arguments, &target.node, &whole, &lists)?;
    let merged = || lists.iter().map(|list| list.places.len() - 1);
    let boxes = match &network {
        Some(diagram) => diagram.vertices.len(),
        None => count - merged().sum::<usize>(),
    };
    let is_drawn = ENDINGS
        .iter()
        .any(|(known, drawn)| *drawn && ending == Some(*known));
    let reply = match file {
        Some(file) if boxes > MOST_DRAWN && is_drawn => {
            return Err(Diagnostic::new(format!(
                "`{label}` has {count} nodes, a picture has room for {MOST_DRAWN}"
            ))
            .help("`.dot`, `.mmd` and `.json` take any number; `:graph NODE` draws a part")
            .at(file.span));
        }
        Some(file) => {
            let nodes = plural(count, "node");
            let line = if boxes == count {
                say!("drew {} into {:typed}", nodes, &*file.path)
            } else {
                say!(
                    "drew {} as {} boxes into {:typed}",
                    nodes,
                    boxes,
                    &*file.path
                )
            };
            let facts = [
                facts,
                vec![
                    ("path", Fact::Text(file.path.clone())),
                    ("count", Fact::Count(count as u64)),
                ],
            ];
            let page = ending == Some("html");
            let root = &target.node;
            let mut diagram = match network {
                Some(diagram) => diagram,
                None if page => study::diagram_with_program(session, root, &whole),
                None => study::diagram_of_lists(session, root, &whole, &lists, locals),
            };
            diagram.flow = flow;
            let contents = Contents::Picture(Picture::Graph(diagram));
            let report = Report::done("graph", facts.concat(), line);
            Reply::show(report).write(session, &file, contents)?
        }
        None => {
            let mut blocks = Vec::new();
            if target.taken {
                blocks.push(Block::Line(dim(say!("of {:name}", &label))));
            }
            if arguments.silenced {
            } else if boxes > MOST_DRAWN && !session.all_rows {
                blocks.extend(summary(&label, &whole));
            } else {
                let root = &target.node;
                let mut diagram = network.unwrap_or_else(|| {
                    study::diagram_of_lists(session, root, &whole, &lists, locals)
                });
                diagram.flow = flow;
                diagram.typed = line_into_file(arguments);
                blocks.push(Block::Graph(diagram));
            }
            Reply::show(Report::new("graph", facts, blocks))
        }
    };
    drop((whole, apart, picked));
    drop(target.node);
    session.rewind(made);
    Ok(reply.notes(notes))
}

/// The longest expression that is repeated in a line to type below a picture.
const LONGEST: usize = 24;

/// The line that draws the same picture into a file.
fn line_into_file(arguments: &Arguments) -> String {
    let into = arguments.added("T", "FILE.svg");
    match arguments.stretch("T") {
        Some(words) if words.of(arguments.text).chars().count() > LONGEST => {
            arguments.retyped(&[(words, "T FILE.svg")])
        }
        _ => into,
    }
}

/// Notes on words behind `wrt` that are no part of a list that would be one box.
fn no_items(
    arguments: &Arguments,
    picked: &[(Rc<Node>, Span)],
    whole: &FullGraph,
    lists: &[Fold],
) -> Vec<Note> {
    let places: HashSet<usize> = lists.iter().flat_map(|list| list.places.clone()).collect();
    let is_item = |node: &Rc<Node>| {
        whole
            .place(node)
            .is_some_and(|place| places.contains(&place))
    };
    let mut notes = Vec::new();
    for words in picked.chunk_by(|(_, one), (_, other)| one == other) {
        let (_, word) = words[0];
        if !words.iter().any(|(node, _)| is_item(node)) {
            notes.push(Note::new(say!(
                "{:typed} changes nothing here: it draws the items of a list that is one box otherwise",
                format!("wrt {}", word.of(arguments.text))
            )));
        }
    }
    notes
}

/// Which way the picture runs, if a word says so.
fn flow(arguments: &Arguments) -> Option<Flow> {
    let words = [("right", Flow::Right), ("down", Flow::Down)];
    let mut asked = words.into_iter().filter(|(word, _)| arguments.has(word));
    asked.next().map(|(_, flow)| flow)
}

/// The network below a root, in which these lists are boxes.
fn network(
    session: &Session,
    arguments: &Arguments,
    root: &Rc<Node>,
    whole: &FullGraph,
    lists: &[Fold],
) -> Result<Option<Diagram>, Diagnostic> {
    let Some((_, named)) = arguments.word("named") else {
        return Ok(None);
    };
    let label = session.label(root);
    let grads = arguments.word("grads");
    if let Some((_, grads)) = grads
        && session.grad_to_show(root).is_none()
    {
        let message = format!("`{label}` has no gradients yet");
        let help = format!("`:grad {label}` computes them");
        return Err(Diagnostic::new(message).at(grads).help(help));
    }
    let diagram = study::diagram_of_network(session, root, whole, lists, grads.is_some());
    diagram.map(Some).ok_or_else(|| {
        Diagnostic::new(format!("the boxes of `{label}` have too many connections"))
            .at(named)
            .help("name what many nodes use, such as a sum; `:graph NODE named` draws a part")
    })
}

/// A graph that is too large to be drawn, in words.
fn summary(label: &str, whole: &FullGraph) -> Vec<Block> {
    let leaves = whole.nodes.iter().filter(|node| node.is_leaf()).count();
    let computed: Vec<_> = whole.nodes.iter().filter_map(|node| node.op()).collect();
    let constants = whole.nodes.len() - leaves - computed.len();
    let levels = whole.levels.iter().max().map_or(0, |most| most + 1);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for op in &computed {
        *kinds.entry(op.name).or_default() += 1;
    }
    let mut kinds: Vec<(&str, usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let operations = kinds
        .iter()
        .map(|(name, count)| say!("{} {}", *count, *name));
    vec![
        Block::Line(say!(
            "{:name} has {} nodes on {} levels: {} leaves, {} constants, {} computed",
            label,
            whole.nodes.len(),
            levels,
            leaves,
            constants,
            computed.len()
        )),
        Block::Line(say!("operations: {}", join(operations, ", "))),
        Block::Line(dim(say!(
            "a picture has room for {} nodes; `:graph NODE` draws a part, `:graph {} FILE.dot` has \
             all of it",
            MOST_DRAWN,
            label
        ))),
    ]
}
