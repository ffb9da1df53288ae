//! `:graph T [FILE]`: the graph as a picture, in the terminal or in a file.
//!
//! `study` decides what is in the picture, and `view` draws it. A graph that is too large for a picture is refused.

use crate::commands::FileRequest;
use crate::commands::by_hand::page_walks::diagram_with_passes;
use crate::commands::prelude::*;
use crate::commands::signatures::graph::{DOWN, FILE, LOCALS, NAMED, RIGHT, SIGNATURE, T, WRT};
use crate::session::NoteOnce;
use crate::study;
use chainrule_engine::graph::FullGraph;
use chainrule_report::{Block, Fact, Flow, Note, Picture, Report, count_text, plural, say};

/// The most nodes of a picture; a larger graph is refused.
pub const MOST_DRAWN: usize = 2_000;
/// The most wires of a picture.
const MOST_WIRES: usize = 50_000;

/// The endings of formats that list any number of nodes and edges. The others are drawings.
const LISTS: [&str; 3] = ["dot", "mmd", "json"];

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.file_if_given(FILE)?;
    let ending = file.as_ref().map(FileRequest::ending);
    let ending = ending.as_deref();
    if let (Some("html"), Some((_, named))) = (ending, arguments.word(NAMED)) {
        return Err(Diagnostic::new("a page shows every node, not a network")
            .at(named)
            .help("leave `named` out, or draw a picture: `FILE.svg`"));
    }
    let target = arguments.target(session, T)?;
    let apart = arguments.nodes(session, WRT)?;
    let taken = target.line(session);
    let root = target.node;
    let whole = FullGraph::below(&root);
    let label = session.label(&root);
    let named = arguments.has(NAMED);
    // The page shows the passes node by node, and JSON has every node.
    let each = matches!(ending, Some("html" | "json"))
        || ending.is_none() && (session.show.shows_all_rows || arguments.is_silenced);
    let lists = if each {
        Vec::new()
    } else {
        study::list_boxes(session, &whole, &apart, named)
    };
    let mut network = None;
    if named {
        let drawn = study::diagram_of_network(session, &root, &whole, &lists);
        let drawn = drawn.ok_or_else(|| {
            let message = format!("the boxes of `{label}` have too many connections");
            let help = "name what many nodes use, such as a sum; `:graph NODE named` draws a part";
            Diagnostic::new(message).at(arguments.word).help(help)
        })?;
        network = Some(drawn);
    }
    let count = whole.nodes.len();
    let merged = lists.iter().map(|list| list.places.len() - 1);
    let boxes = match &network {
        Some(diagram) => diagram.vertices.len(),
        None => count - merged.sum::<usize>(),
    };
    let diagram = || {
        let locals = arguments.has(LOCALS);
        let mut diagram = match network {
            Some(diagram) => diagram,
            None if ending == Some("html") => diagram_with_passes(session, &root, &whole),
            None => study::diagram_of_lists(session, &root, &whole, &lists, locals),
        };
        if arguments.has(RIGHT) {
            diagram.flow = Some(Flow::Right);
        } else if arguments.has(DOWN) {
            diagram.flow = Some(Flow::Down);
        }
        let short = label.chars().count() <= LONGEST;
        diagram.typed = format!(":graph {} FILE.svg", if short { &label } else { "T" });
        diagram
    };
    let by_hand = session.walk().is_some() || session.guesses().root().is_some();
    let lacks_grads = root.varies() && session.pass().is_none() && !by_hand;
    let wants_hint = lacks_grads && file.is_none() && !arguments.is_silenced;
    let facts = vec![("root", Fact::Text(label.clone()))];
    let is_drawn = match ending {
        Some(ending) => !LISTS.contains(&ending),
        None => !session.show.shows_all_rows && !arguments.is_silenced,
    };
    let at = file.as_ref().map_or(arguments.word, |file| file.span);
    let drawable = |things: &str, count: usize, (shown, most): (usize, usize)| {
        if shown <= most || !is_drawn {
            return Ok(());
        }
        Err(Diagnostic::new(format!(
            "`{label}` has {} {things}, a picture has room for {}",
            count_text(count),
            count_text(most)
        ))
        .help("`:graph NODE` draws a part; a file that ends in `.dot`, `.mmd` or `.json` takes any number")
        .at(at))
    };
    drawable("nodes", count, (boxes, MOST_DRAWN))?;
    let drawable_diagram = || {
        let diagram = diagram();
        let wires = diagram.edges().count();
        drawable("wires", wires, (wires, MOST_WIRES)).map(|()| diagram)
    };
    let reply = if let Some(file) = file {
        let mut line = say!("drew {}", plural(count, "node"));
        if boxes != count {
            line.extend(say!(" as {} boxes", boxes));
        }
        let picture = Picture::Graph(drawable_diagram()?);
        let mut reply = Reply::report_drawing(session, "graph", &file, (line, count), picture)?;
        if let Some(report) = &mut reply.report {
            report.facts.extend(facts);
        }
        reply
    } else {
        let mut blocks: Vec<Block> = taken.into_iter().collect();
        if !arguments.is_silenced {
            blocks.push(Block::Graph(drawable_diagram()?));
        }
        Reply::show(Report::new("graph", facts, blocks))
    };
    let is_news = wants_hint && session.is_first(NoteOnce::NoGradients);
    let hint = is_news.then(|| Note::new(say!("no gradients yet: `:grad`")));
    Ok(reply.with_notes(target.notes).with_notes(hint))
}

/// The longest expression that stands in the line to type below a picture.
const LONGEST: usize = 24;
