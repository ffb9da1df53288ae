//! `:walk L`: opens a pass that goes step by step, and describes its stops, also for `:next` and `:prev`.
//!
//! The session computes the stops.

use crate::command::prelude::*;
use crate::command::signatures::walk::{ALL, ASK, END, FILE, FORWARD, SIGNATURE, T};
use crate::study::{self, MOST_DRAWN, MOST_WIRES};
use chainrule_engine::graph::FullGraph;
use chainrule_formulas::local_formulas;
use chainrule_report::{Diagram, Picture, ask_numbers, characters};
use chainrule_session::by_hand::walk::{Direction, Share, Walk};
use chainrule_session::naming::labels::fraction;

/// The most characters of a label, so that a stop fits into 80 columns. A longer label loses its middle.
const LONGEST_LABEL: usize = 24;
/// The most operands of a stop, so that it fits into 24 lines.
const MOST_OPERANDS: usize = 16;
/// The most files that `all` writes.
const MOST_FILES: usize = 1_000;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    if arguments.has(END) {
        let line = if session.end_walk() {
            "the walk has ended"
        } else {
            "no walk is open"
        };
        let facts = vec![("ended", true.into())];
        let report = Report::confirming(&COMMAND, facts, say!("{}", line));
        return Ok(Reply::show(report));
    }
    let has_file = arguments.has(FILE);
    let file = has_file
        .then(|| arguments.file_with_number(FILE, "-01"))
        .transpose()?;
    if file.is_none() && arguments.has(ALL) {
        let help = "as in `… walk.svg all`; `:next all` makes all stops without files";
        return Err(Diagnostic::new("`all` is for a file")
            .at(arguments.place(ALL))
            .help(help));
    }
    let [is_forward, has_questions] = [FORWARD, ASK].map(|word| arguments.has(word));
    let goes_on = !is_forward && !arguments.has(T) && file.is_none();
    if goes_on && let Some(walk) = session.walk_mut() {
        walk.has_questions |= has_questions;
        return Ok(Reply::show(place_report(session)));
    }
    let target = arguments.target(session, T)?;
    let direction = if is_forward {
        Direction::Forward
    } else {
        Direction::Backward
    };
    session.open_walk(&target.node, direction).has_questions = has_questions;
    let reply = match file {
        Some(file) => draw_stops(session, &target.node, &file)?,
        None => Reply::show(place_report(session)),
    };
    Ok(reply.with_notes(target.notes))
}

/// Makes all stops of the open walk of a root, and draws the graph after each: into `walk-01.svg`, `walk-02.svg`, …
fn draw_stops(session: &mut Session, root: &Rc<Node>, file: &FileRequest) -> Result<Reply> {
    let stops = session.walk().map_or(0, Walk::stop_count);
    let graph = FullGraph::below(root);
    let lists = study::list_boxes(session, &graph, &[], false);
    let is_large = |it: Diagram| it.vertices.len() > MOST_DRAWN || it.edges().count() > MOST_WIRES;
    let is_possible = (1..=MOST_FILES).contains(&stops);
    let picture = is_possible.then(|| study::diagram_of_lists(session, &graph, &lists, false));
    if picture.is_none_or(is_large) {
        let (label, count) = (session.label(root), plural(stops, "stop"));
        let nodes = plural(graph.nodes.len(), "node");
        let message = format!("the walk of `{label}` has {count}, its graph {nodes}");
        let help =
            "`all` draws from 1 to 1,000 stops, of a graph that `:graph T FILE.svg` can draw";
        return Err(Diagnostic::new(message).at(file.span).help(help));
    }
    let (stem, ending) = file.path.rsplit_once('.').unwrap_or_default();
    let digits = stops.to_string().len().max(2);
    let numbered = |stop: usize| FileRequest {
        path: format!("{stem}-{stop:0digits$}.{ending}"),
        ..file.clone()
    };
    let mut reply = Reply::default();
    for stop in 1..=stops {
        session.make_next_stop();
        let drawing = Picture::Graph(study::diagram_of_lists(session, &graph, &lists, false));
        let (files, first) = (plural(stops, "file"), numbered(1).path);
        let line = say!("drew {}, the first into {:typed}, the last", files, first);
        reply = Reply::report_drawing(session, &COMMAND, &numbered(stop), (line, stops), drawing)?;
    }
    Ok(reply)
}

/// Returns the open walk, or an error if there is none.
pub(super) fn require_walk<'s>(session: &'s Session, arguments: &Arguments) -> Result<&'s Walk> {
    session.walk().ok_or_else(|| {
        Diagnostic::new("no walk is open")
            .at(arguments.name_span)
            .help("start one, as in `:walk ROOT`")
    })
}

/// The report of the current stop.
pub(crate) fn place_report(session: &Session) -> Report {
    let Some(walk) = session.walk() else {
        return Report::default();
    };
    let label = |node: Option<&Rc<Node>>| node.map(|node| walk.label(session.names(), node)).into();
    let mut facts = vec![
        ("position", walk.position.into()),
        ("of", walk.stop_count().into()),
        ("direction", walk.direction.word().into()),
        ("node", label(walk.current())),
    ];
    if let Some(node) = walk.current() {
        facts.push(("data", node.data().into()));
        facts.push(match walk.direction {
            Direction::Backward => ("upstream", walk.grad(node).unwrap_or(0.0).into()),
            Direction::Forward => ("op", node.op().map_or("", |op| op.spelling).into()),
        });
    }
    facts.push(("next", label(walk.next_node())));
    if walk.has_questions {
        facts.push(("asks", label(walk.question().as_ref())));
    }
    let words = WalkWords {
        session,
        walk,
        most: if session.show.reader == Reader::Program {
            usize::MAX
        } else {
            MOST_OPERANDS
        },
    };
    let mut blocks = words.stop_blocks();
    blocks.extend(question_line(session).map(Block::Line));
    Report::new(&COMMAND, facts, blocks)
}

/// The graph of the open walk after its last stop, unless it is too large for a picture, and the report of the stop.
#[cfg(not(feature = "terminal"))]
pub(crate) fn place_report_with_graph(session: &Session) -> Report {
    let mut report = place_report(session);
    if let Some(walk) = session.walk() {
        let graph = FullGraph::below(&walk.root);
        let lists = study::list_boxes(session, &graph, &[], false);
        let merged: usize = lists.iter().map(|list| list.places.len() - 1).sum();
        if graph.nodes.len() - merged <= MOST_DRAWN {
            let diagram = study::diagram_of_walk(session, walk, &graph, &lists);
            let is_drawn = diagram.edges().count() <= MOST_WIRES;
            report
                .blocks
                .splice(..0, is_drawn.then_some(Block::Graph(diagram)));
        }
    }
    report
}

/// The question of a walk that asks: `dL/da = ?`
pub(crate) fn question_line(session: &Session) -> Option<Line> {
    let walk = session.walk()?;
    let label = |node: &Rc<Node>| brief(&walk.label(session.names(), node));
    let asked = label(&walk.question()?);
    let quantity = match walk.direction {
        Direction::Forward => asked,
        Direction::Backward => fraction(&label(&walk.root), &asked),
    };
    Some(say!("{:formula} = ?", quantity))
}

/// Shortens a label so that it fits into a stop.
pub(crate) fn brief(label: &str) -> String {
    characters::shorten_middle(label, LONGEST_LABEL).into_owned()
}

/// The words for the stops of a walk.
struct WalkWords<'w> {
    session: &'w Session,
    walk: &'w Walk,
    /// The most operands of a stop that people see. Programs get all.
    most: usize,
}

impl WalkWords<'_> {
    fn label(&self, node: &Rc<Node>) -> String {
        self.walk.label(self.session.names(), node)
    }

    fn brief(&self, node: &Rc<Node>) -> String {
        brief(&self.label(node))
    }

    /// The last stop, or the beginning of the walk, and the line about the next node.
    fn stop_blocks(&self) -> Vec<Block> {
        let Some(node) = self.walk.current() else {
            let lines = [self.first_line(), self.next_line()];
            return lines.map(Block::Line).into();
        };
        let mut blocks = vec![Block::Line(self.heading(node))];
        if self.walk.direction == Direction::Backward {
            let upstream = ask_numbers(say!("{}", self.walk.grad(node).unwrap_or(0.0)));
            let derivative = self.derivative(node);
            let line = say!("{:dim}{:formula} = {}", "upstream ", derivative, upstream);
            blocks.push(Block::Line(line));
            blocks.push(Block::Table(self.contributions(node)));
        } else {
            blocks.push(Block::Table(self.values(node)));
        }
        blocks.push(Block::Line(self.next_line()));
        blocks
    }

    /// The derivative of the walk's root by a node: `dL/d(a*b)`
    fn derivative(&self, node: &Rc<Node>) -> String {
        fraction(&self.brief(&self.walk.root), &self.brief(node))
    }

    /// `a backward walk of L: 3 stops; dL/dL = 1, every other grad is 0`
    fn first_line(&self) -> Line {
        let walk = self.walk;
        let (root, stops) = (self.brief(&walk.root), plural(walk.stop_count(), "stop"));
        let direction = walk.direction.word();
        let line = say!("a {} walk of {:name}: {}", direction, root, stops);
        match walk.direction {
            Direction::Forward => say!("{}; the leaves have their data", line),
            Direction::Backward => {
                let own = self.derivative(&walk.root);
                let one = ask_numbers(say!("{}", 1.0));
                say!("{}; {:formula} = {}, every other grad is 0", line, own, one)
            }
        }
    }

    /// `2 of 3   d = a*b + c = 4`
    fn heading(&self, node: &Rc<Node>) -> Line {
        let place = format!("{} of {}   ", self.walk.position, self.walk.stop_count());
        let mut line = say!("{:dim}{:name} = ", place, self.brief(node));
        if self.session.names().has_any(node) {
            line.extend(say!("{:formula} = ", brief(&self.session.expression(node))));
        }
        line.extend(say!("{}", node.data()));
        line
    }

    /// The number of operands that are left out, and how to see them.
    fn omission(&self, all: usize) -> Option<(usize, String)> {
        let omitted = all.saturating_sub(self.most);
        (omitted > 0).then(|| (omitted, "--json writes all".to_string()))
    }

    /// The contributions of a node: local, upstream times local, and the operand's grad before and after.
    fn contributions(&self, node: &Rc<Node>) -> Table {
        let formulas = local_formulas(self.session, node);
        let shares = self.walk.shares();
        let mut rows = Vec::new();
        for share in shares.iter().take(self.most) {
            rows.push(vec![
                Cell::Name(self.label(&share.to)),
                Cell::Formula(formulas(share.contribution.position)),
                Cell::Number(share.contribution.local),
                Cell::Number(share.contribution.amount),
                Cell::Change(share.before, share.after),
                contribution_cell(share),
            ]);
        }
        Table {
            key: "contributions",
            columns: vec![
                Column::new("operand", "operand"),
                Column::new("formula", "local").rank(1),
                Column::new("local", "="),
                Column::new("contribution", "upstream*local").with_sign(),
                Column::change(["before", "after"], "grad").with_sign(),
                Column::new("remark", "").rank(2).for_people(),
            ],
            rows: rows.into(),
            omitted: self.omission(shares.len()),
        }
    }

    /// The table of operands at a forward stop.
    fn values(&self, node: &Node) -> Table {
        let row = |operand: &Rc<Node>| {
            let label = self.label(operand);
            vec![Cell::Name(label), Cell::Number(operand.data())]
        };
        let columns = ["operand", "data"].map(|key| Column::new(key, key));
        Table {
            key: "operands",
            columns: columns.into(),
            rows: node.operands().iter().take(self.most).map(row).collect(),
            omitted: self.omission(node.operands().len()),
        }
    }

    /// The next node, and why it is ready.
    fn next_line(&self) -> Line {
        let walk = self.walk;
        let Some(next) = walk.next_node() else {
            return dim(match walk.direction {
                Direction::Backward => say!("done: every grad is what `:grad` shows"),
                Direction::Forward => say!("done: {:name} has its data", self.brief(&walk.root)),
            });
        };
        let reason = match (walk.position, walk.direction) {
            // The first node waits for no other node.
            (0, _) => "",
            (_, Direction::Backward) => ": all its users are done",
            (_, Direction::Forward) => ": all its operands are done",
        };
        dim(say!("next: {:name}{}", self.brief(next), reason))
    }
}

/// Says which contribution to the operand's grad this is, unless it is the first.
fn contribution_cell(share: &Share) -> Cell {
    match share.nth {
        1 => Cell::Empty,
        2 => Cell::Dim("second contribution".to_string()),
        3 => Cell::Dim("third contribution".to_string()),
        nth => Cell::Dim(format!("contribution {nth}")),
    }
}
