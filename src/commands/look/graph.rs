//! `:graph T [FILE]`: the graph as a picture, in the terminal or in a file.
//!
//! `study` decides what is in the picture, and `view` draws it. A graph that is too large for a picture is refused.

use std::rc::Rc;

use crate::commands::FileRequest;
use crate::commands::by_hand::page_walks::diagram_with_passes;
use crate::commands::prelude::*;
use crate::commands::signatures::graph::{DOWN, FILE, LOCALS, NAMED, RIGHT, SIGNATURE, T, WRT};
use crate::session::NoteOnce;
use crate::study;
use chainrule_engine::graph::{FullGraph, Node};
use chainrule_report::{
    Block, Diagram, Fact, Flow, Note, Picture, Report, count_text, plural, say,
};

/// The most nodes of a picture; a larger graph is refused.
pub const MOST_DRAWN: usize = 2_000;
/// The most wires of a picture.
const MOST_WIRES: usize = 50_000;
/// The longest expression in the line to type below a picture.
const LONGEST: usize = 24;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.file_if_given(FILE)?;
    let format = GraphFormat::of(session, arguments, file.as_ref());
    if let (GraphFormat::Page, Some((_, span))) = (format, arguments.first_word(NAMED)) {
        return Err(Diagnostic::new("a page shows every node, not a network")
            .at(span)
            .help("leave `named` out, or draw a picture: `FILE.svg`"));
    }
    let target = arguments.target(session, T)?;
    let singles = arguments.nodes(session, WRT)?;
    let target_line = target.line(session);
    let root = target.node;
    let label = session.label(&root);
    let graph = FullGraph::below(&root);
    let lists = match format {
        GraphFormat::Page | GraphFormat::Json => Vec::new(),
        GraphFormat::Picture | GraphFormat::List => {
            study::list_boxes(session, &graph, &singles, arguments.has(NAMED))
        }
    };
    let mut network = None;
    if arguments.has(NAMED) {
        network = study::diagram_of_network(session, &root, &graph, &lists);
        if network.is_none() {
            return Err(too_many_connections_error(&label).at(arguments.name_span));
        }
    }
    let count = graph.nodes.len();
    let merged: usize = lists.iter().map(|list| list.places.len() - 1).sum();
    let boxes = network
        .as_ref()
        .map_or(count - merged, |it| it.vertices.len());
    let place = file.as_ref().map_or(arguments.name_span, |file| file.span);
    let is_limited = matches!(format, GraphFormat::Picture | GraphFormat::Page);
    if is_limited && boxes > MOST_DRAWN {
        return Err(too_large_error(&label, &plural(count, "node"), MOST_DRAWN).at(place));
    }
    let is_hidden = file.is_none() && arguments.is_silenced;
    let mut diagram = match network {
        _ if is_hidden => None,
        Some(network) => Some(network),
        None if format == GraphFormat::Page => Some(diagram_with_passes(session, &root, &graph)),
        None => {
            let locals = arguments.has(LOCALS);
            Some(study::diagram_of_lists(
                session, &root, &graph, &lists, locals,
            ))
        }
    };
    if let Some(diagram) = &mut diagram {
        add_options(diagram, arguments, &label);
    }
    let wires = diagram.iter().flat_map(Diagram::edges).count();
    if is_limited && wires > MOST_WIRES {
        return Err(too_large_error(&label, &plural(wires, "wire"), MOST_WIRES).at(place));
    }
    let hint = if file.is_some() || is_hidden {
        None
    } else {
        no_gradients_note(session, &root)
    };
    let facts = vec![("root", Fact::Text(label))];
    let reply = match (file, diagram) {
        (Some(file), Some(diagram)) => {
            let mut reply = write_picture(session, &file, diagram, count)?;
            if let Some(report) = &mut reply.report {
                report.facts.extend(facts);
            }
            reply
        }
        (_, diagram) => {
            let mut blocks: Vec<Block> = target_line.into_iter().collect();
            blocks.extend(diagram.map(Block::Graph));
            Reply::show(Report::new("graph", facts, blocks))
        }
    };
    Ok(reply.with_notes(target.notes).with_notes(hint))
}

/// Writes the picture of a graph with this number of nodes into a file.
fn write_picture(
    session: &Session,
    file: &FileRequest,
    diagram: Diagram,
    nodes: usize,
) -> Result<Reply, Diagnostic> {
    let boxes = diagram.vertices.len();
    let mut line = say!("drew {}", plural(nodes, "node"));
    if boxes != nodes {
        line.extend(say!(" as {} boxes", boxes));
    }
    Reply::report_drawing(
        session,
        "graph",
        file,
        (line, nodes),
        Picture::Graph(diagram),
    )
}

/// What a graph is written as, which decides what is in it.
#[derive(Clone, Copy, PartialEq)]
enum GraphFormat {
    /// A picture, in the terminal or in a file.
    Picture,
    /// A page in HTML, which goes through the passes node by node.
    Page,
    /// A list of boxes and wires, of any length.
    List,
    /// JSON: every node.
    Json,
}

impl GraphFormat {
    fn of(session: &Session, arguments: &Arguments, file: Option<&FileRequest>) -> GraphFormat {
        match file.map(FileRequest::ending).as_deref() {
            Some("html") => GraphFormat::Page,
            Some("json") => GraphFormat::Json,
            Some("dot" | "mmd") => GraphFormat::List,
            None if session.show.shows_all_rows || arguments.is_silenced => GraphFormat::Json,
            _ => GraphFormat::Picture,
        }
    }
}

/// Adds the direction that the user has chosen, and the line that draws the picture into a file.
fn add_options(diagram: &mut Diagram, arguments: &Arguments, label: &str) {
    if arguments.has(RIGHT) {
        diagram.flow = Some(Flow::Right);
    } else if arguments.has(DOWN) {
        diagram.flow = Some(Flow::Down);
    }
    let is_short = label.chars().count() <= LONGEST;
    diagram.typed = format!(":graph {} FILE.svg", if is_short { label } else { "T" });
}

fn too_many_connections_error(label: &str) -> Diagnostic {
    let message = format!("the boxes of `{label}` have too many connections");
    let help = "name what many nodes use, such as a sum; `:graph NODE named` draws a part";
    Diagnostic::new(message).help(help)
}

fn too_large_error(label: &str, count: &str, most: usize) -> Diagnostic {
    let most = count_text(most);
    let message = format!("`{label}` has {count}, a picture has room for {most}");
    let help = "`:graph NODE` draws a part; a file that ends in `.dot`, `.mmd` or `.json` takes any number";
    Diagnostic::new(message).help(help)
}

/// The note that the picture has no gradients yet, once in a session.
fn no_gradients_note(session: &mut Session, root: &Rc<Node>) -> Option<Note> {
    let is_by_hand = session.walk().is_some() || session.guesses().root().is_some();
    let lacks_grads = root.varies() && session.pass().is_none() && !is_by_hand;
    (lacks_grads && session.is_first(NoteOnce::NoGradients))
        .then(|| Note::new(say!("no gradients yet: `:grad`")))
}
