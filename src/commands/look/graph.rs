//! `:graph T [FILE]`: shows the graph below T as a picture, in the terminal or in a file.
//!
//! This file chooses the format and refuses a graph that is too large for a picture. `study` makes the diagram, and
//! `view` draws it.

use crate::command::ending;
use crate::command::prelude::*;
use crate::command::signatures::graph::{DOWN, FILE, LOCALS, NAMED, RIGHT, SIGNATURE, T, WRT};
use crate::study::{self, MOST_DRAWN, MOST_WIRES};
use chainrule_engine::graph::FullGraph;
use chainrule_report::{Diagram, Flow, Picture};
use chainrule_session::NoteOnce;
use chainrule_session::naming::labels::long_lists::Fold;

/// The most characters of the expression in the line to type below a picture.
const MAX_TYPED_LENGTH: usize = 24;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let file = arguments.file_if_given(FILE)?;
    let format = GraphFormat::of(session, arguments, file.as_ref());
    let target = arguments.target(session, T)?;
    let singles = arguments.nodes(session, WRT)?;
    let target_line = target.line(session);
    let root = target.node;
    let request = GraphRequest {
        arguments,
        format,
        graph: &FullGraph::below(&root),
        root: &root,
        size_span: file.as_ref().map_or(arguments.name_span, |file| file.span),
    };
    // Nobody sees a silenced graph without a file, and a large one takes long. Only a network can be refused.
    if arguments.is_silenced && file.is_none() && !arguments.has(NAMED) {
        return Ok(Reply::default().with_notes(target.notes));
    }
    let diagram = request.diagram(session, &singles)?;
    session.note_shown_of_pass(&[]);
    let root_fact = ("root", Fact::Text(session.label(&root)));
    if let Some(file) = file {
        let mut reply = write_picture(session, &file, diagram, request.graph.nodes.len())?;
        if let Some(written) = &mut reply.report {
            written.facts.push(root_fact);
        }
        return Ok(reply.with_notes(target.notes));
    }
    let mut notes = target.notes;
    if !arguments.is_silenced {
        notes.extend(no_gradients_note(session, &root));
    }
    let blocks = target_line.into_iter().chain([Block::Graph(diagram)]);
    Ok(Reply::show(Report::new(&COMMAND, vec![root_fact], blocks.collect())).with_notes(notes))
}

/// A graph to draw, and the format in which to draw it.
struct GraphRequest<'g> {
    arguments: &'g Arguments<'g>,
    format: GraphFormat,
    root: &'g Rc<Node>,
    graph: &'g FullGraph,
    /// The place of errors about the size: the file, or the name of the command.
    size_span: Span,
}

impl GraphRequest<'_> {
    /// Makes the diagram. Long lists are one box each, but the nodes of `singles` stay out of them. Refuses a diagram that
    /// is too large for its format.
    fn diagram(&self, session: &mut Session, singles: &[Rc<Node>]) -> Result<Diagram> {
        let is_network = self.arguments.has(NAMED);
        let lists = match self.format {
            GraphFormat::Data => Vec::new(),
            GraphFormat::Picture | GraphFormat::Unseen => {
                study::list_boxes(session, self.graph, singles, is_network)
            }
        };
        let network = is_network
            .then(|| self.network(session, &lists))
            .transpose()?;
        // The number of boxes of other diagrams is known before they are made.
        let merged: usize = lists.iter().map(|list| list.places.len() - 1).sum();
        let boxes =
            (network.as_ref()).map_or(self.graph.nodes.len() - merged, |it| it.vertices.len());
        // The error counts nodes, because the user knows these.
        let nodes = plural(self.graph.nodes.len(), "node");
        self.check_size(session, boxes, MOST_DRAWN, &nodes)?;
        let shows_locals = self.arguments.has(LOCALS);
        let mut diagram = network
            .unwrap_or_else(|| study::diagram_of_lists(session, self.graph, &lists, shows_locals));
        add_options(&mut diagram, self.arguments, &session.label(self.root));
        let wires = diagram.edges().count();
        self.check_size(session, wires, MOST_WIRES, &plural(wires, "wire"))?;
        Ok(diagram)
    }

    /// Makes the diagram of a network, or fails if it has too many connections.
    fn network(&self, session: &Session, lists: &[Fold]) -> Result<Diagram> {
        let network = study::diagram_of_network(session, self.graph, lists);
        network.ok_or_else(|| {
            let label = session.label(self.root);
            Diagnostic::new(format!("the boxes of `{label}` have too many connections"))
                .at(self.arguments.name_span)
                .help("name what many nodes use, such as a sum; `:graph NODE named` draws a part")
        })
    }

    /// Refuses a picture with more boxes or wires than `most`. `counted` is their number in the error.
    fn check_size(
        &self,
        session: &Session,
        count: usize,
        most: usize,
        counted: &str,
    ) -> Result<()> {
        if !matches!(self.format, GraphFormat::Picture) || count <= most {
            return Ok(());
        }
        let (label, limit) = (session.label(self.root), count_text(most));
        let message = format!("`{label}` has {counted}, a picture has room for {limit}");
        let help = "`:graph NODE` draws a part";
        Err(Diagnostic::new(message).at(self.size_span).help(help))
    }
}

/// Writes the picture of a graph with this number of nodes into a file.
fn write_picture(
    session: &Session,
    file: &FileRequest,
    diagram: Diagram,
    nodes: usize,
) -> Result<Reply> {
    let boxes = diagram.vertices.len();
    let mut line = say!("drew {}", plural(nodes, "node"));
    if boxes != nodes {
        line.extend(say!(" as {} boxes", boxes));
    }
    let picture = Picture::Graph(diagram);
    Reply::report_drawing(session, &COMMAND, file, (line, nodes), picture)
}

/// The format of a graph, which decides whether long lists are boxes and whether the size is limited.
#[derive(Clone, Copy)]
enum GraphFormat {
    /// A picture, in the terminal or in a file.
    Picture,
    /// Nothing: a silenced network, which may have any size.
    Unseen,
    /// JSON with every node, as the answer.
    Data,
}

impl GraphFormat {
    fn of(session: &Session, arguments: &Arguments, file: Option<&FileRequest>) -> GraphFormat {
        match file.map(|it| ending(&it.path)).as_deref() {
            None if arguments.is_silenced => GraphFormat::Unseen,
            None if session.show.reader == Reader::Program => GraphFormat::Data,
            Some(_) | None => GraphFormat::Picture,
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
    let typed = (arguments.span_of(T)).map_or(label, |span| span.of(arguments.text));
    let is_short = typed.chars().count() <= MAX_TYPED_LENGTH;
    diagram.typed = format!(":graph {} FILE.svg", if is_short { typed } else { "T" });
}

/// The note that the picture has no gradients yet, once in a session.
fn no_gradients_note(session: &mut Session, root: &Rc<Node>) -> Option<Note> {
    let is_by_hand = session.walk().is_some() || session.guesses().root().is_some();
    let lacks_grads = root.varies() && session.pass().is_none() && !is_by_hand;
    (lacks_grads && session.is_first(NoteOnce::NoGradients))
        .then(|| Note::new(say!("no gradients yet: `:grad`")))
}
