//! A diagram for an HTML page, with fresh gradients and everything the page needs to run passes by itself.
//!
//! What `:walk` would show at each stop is computed in advance. The session is not changed. The operations are written as
//! JavaScript, functions of a list of operands, once for all pages.

use std::fmt::Write;
use std::rc::Rc;

use super::diagram;
use crate::graph::{FullGraph, Node, Order, gradients};
use crate::ops::{self, Dialect, Op, Rule};
use crate::report::{Diagram, Fact, Facts, Piece, Vertex};
use crate::session::Session;
use crate::session::by_hand::walk::Direction;
use crate::session::naming::formulas::fraction;
use crate::study::spelling::{self, WordMeanings};

/// The diagram of everything at and below a root, with its passes.
pub fn diagram_with_program(session: &Session, root: &Rc<Node>, whole: &FullGraph) -> Diagram {
    let mut diagram = diagram(session, root, whole);
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    for (vertex, node) in diagram.vertices.iter_mut().zip(&whole.nodes) {
        vertex.data = Some(node.data());
        vertex.grad = order.position(node).map(|place| grads[place]);
        vertex.stage = None;
        // An edit of a leaf may move the place where a NaN begins, so the page finds it by itself.
        vertex.first = false;
    }
    diagram.program = Some(program(session, root, whole, &diagram));
    diagram.caption.clear();
    diagram
}

/// The nodes, each with the formulas and numbers of its local derivatives, where the page begins, and a note on why its
/// pass differs from the session's last one.
fn program(session: &Session, root: &Rc<Node>, whole: &FullGraph, diagram: &Diagram) -> Facts {
    let name = &diagram.vertices[0].label;
    let node = |(node, vertex): (&Rc<Node>, &Vertex)| {
        let operation = node.op().map(|op| usize::from(op.row));
        let locals = Some(node)
            .filter(|node| node.varies())
            .map(|node| node.locals());
        let local = |(operand, number): (usize, f64)| {
            let formula = session.local_formula(node, operand);
            Fact::Record(vec![("formula", formula.into()), ("number", number.into())])
        };
        let locals = locals.unwrap_or_default().into_iter().enumerate();
        Fact::Record(vec![
            ("id", vertex.id.into()),
            ("label", vertex.label.as_str().into()),
            ("formula", vertex.formula.as_str().into()),
            ("kind", vertex.kind.word().into()),
            ("data", node.data().into()),
            ("varies", node.varies().into()),
            ("fraction", fraction(name, &vertex.label).into()),
            ("operation", operation.into()),
            ("operands", vertex.operands.iter().copied().collect()),
            ("formulas", locals.map(local).collect()),
        ])
    };
    let nodes = whole
        .nodes
        .iter()
        .zip(&diagram.vertices)
        .map(node)
        .collect();
    let walk = session.walk().filter(|walk| Rc::ptr_eq(&walk.root, root));
    let forward = walk.is_some_and(|walk| walk.direction == Direction::Forward);
    let differs = walk.is_none() && !diagram.caption.is_empty();
    let note = differs.then(|| {
        let session: String = diagram.caption.iter().map(Piece::words).collect();
        format!("grads here are of one fresh pass from {name}; in the session, {session}")
    });
    vec![
        ("forward", forward.into()),
        ("made", walk.map_or(0, |walk| walk.position).into()),
        ("note", note.unwrap_or_default().into()),
        ("nodes", nodes),
    ]
}

/// The table of operations in JavaScript, which the pages of all graphs have. One that cannot be spelled has no functions.
pub fn page_operations() -> String {
    let texts: Vec<_> = ops::TABLE.iter().map(page_operation).collect();
    let all = texts.iter().flatten().flatten().map(String::as_str);
    let library = ops::library(Dialect::JavaScript, all);
    let mut out = format!(
        "// The operations of the program's table, as `UPDATE=1 cargo test pictures::` writes them.\n\n\
         const operations = (() => {{\n{library}\nreturn [\n"
    );
    for (op, texts) in ops::TABLE.iter().zip(&texts) {
        let texts = texts
            .as_ref()
            .map(|texts| texts.each_ref().map(String::as_str));
        let [value, locals] = texts.unwrap_or(["null"; 2]);
        let _ = writeln!(
            out,
            "  {{ name: \"{}\", value: {value}, locals: {locals} }},",
            op.name
        );
    }
    out + "];\n})();\n"
}

/// JavaScript for the value of an operation, a function of the list of its operands, and for its derivatives, a function
/// of that list and the value; nothing if one of them cannot be spelled.
pub fn page_operation(op: &'static Op) -> Option<[String; 2]> {
    let (operands, count) = match op.rule {
        Rule::Unary { .. } => ("[x]", 1),
        Rule::Binary { .. } => ("[x, y]", 2),
        Rule::Ternary { .. } => ("[x, y, z]", 3),
        Rule::Many { .. } => ("a", 1),
    };
    let words = WordMeanings {
        operands: &["x", "y", "z"].map(String::from),
        list: "a",
        out: "out",
    };
    let script = Dialect::JavaScript;
    let value = spelling::value(script, op, words).ok()?;
    let locals: Vec<String> = (0..count)
        .map(|place| spelling::slope(op, place, words))
        .collect::<Result<_, _>>()
        .ok()?;
    let locals = match op.rule {
        Rule::Many { .. } => locals.concat(),
        _ => format!("[{}]", locals.join(", ")),
    };
    Some([
        format!("({operands}) => {value}"),
        format!("({operands}, out) => {locals}"),
    ])
}
