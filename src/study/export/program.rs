//! A root and its gradient as a program in C or Python: a function without branches or loops, and what prints its result.
//!
//! Compilers of C take too long over a very long function, so its statements are divided among several, whose variables
//! are the members of a struct.
//!
//! Values are computed upwards, then gradients downwards, in the order of a pass. Operations are spelled by
//! `study/spelling`. Where a factor of the chain rule is infinite or NaN at present, the product is the one of a
//! backward pass, in which an exact zero absorbs it; anywhere else it is a plain product.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::identifiers::Identifiers;
use super::straight::Straight;
use super::{files, mark};
use crate::graph::{Node, NodeId, Order, gradients};
use crate::ops::{Dialect, Op, Rule, library};
use crate::session::Session;
use crate::stop;
use crate::study::spelling::{self, WordMeanings, bracketed};

/// So many terms of a sum stand in one statement: a compiler reads a chain of operators by recursion.
const TERMS: usize = 8;

/// A longer formula is no remark at the end of a line.
const REMARK: usize = 60;

/// A function of C computes at most about so many nodes: the time to compile it grows with their square.
const LONGEST_FUNCTION: usize = 400;

/// How the members of the struct are reached that several functions share.
const MEMBER: &str = "m->";

/// The program, or the operation that the language lacks.
pub fn program(
    session: &Session,
    straight: &Straight,
    dialect: Dialect,
) -> Result<String, &'static Op> {
    let mut body = FunctionBody::new(session, straight, dialect);
    body.compute()?;
    body.differentiate()?;
    let bodies = body.divided();
    let library = library(dialect, bodies.iter().map(String::as_str));
    let labels = straight.leaves.iter().map(|leaf| called(session, leaf));
    let about = files::ProgramParts {
        mark: mark(),
        label: session.label(&straight.root),
        expression: session.expression(&straight.root),
        library,
        names: labels.collect(),
        start: straight
            .leaves
            .iter()
            .map(|leaf| bare(dialect, leaf.data()))
            .collect(),
        leaves: straight.leaves.iter().map(|leaf| body.name(leaf)).collect(),
        bodies,
        members: std::mem::take(&mut body.members),
        value: body.name(&straight.root),
        grads: straight.leaves.iter().map(|leaf| body.grad(leaf)).collect(),
    };
    Ok(match dialect {
        Dialect::C => files::c(&about),
        _ => files::python(&about),
    })
}

/// Whether a node is a variable with a name of its own.
pub(super) fn has_name(session: &Session, node: &Node) -> bool {
    node.is_leaf() || session.is_named(node) || session.names().former(node).is_some()
}

/// How a node with a name is called; a leaf that has lost all its names has a number.
pub(super) fn called(session: &Session, node: &Rc<Node>) -> String {
    if session.is_named(node) || session.names().former(node).is_some() {
        session.label(node)
    } else {
        format!("@{}", node.id())
    }
}

/// Whether the derivative by the operand at `place` is 0 everywhere.
fn is_flat(op: &Op, place: usize) -> bool {
    !matches!(op.rule, Rule::Many { .. }) && op.built(place) == "0"
}

/// A number that needs no brackets.
pub(super) fn bare(dialect: Dialect, number: f64) -> String {
    let text = dialect.literal(number);
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inner.unwrap_or(&text).to_string()
}

/// The statements of the function.
struct FunctionBody<'s> {
    session: &'s Session,
    straight: &'s Straight,
    dialect: Dialect,
    identifiers: Identifiers,
    names: FxHashMap<NodeId, String>,
    grads: FxHashMap<NodeId, String>,
    /// The lists of operands.
    lists: FxHashMap<NodeId, String>,
    lines: Vec<String>,
    /// Where the lines of each function but the first begin; `None` in a single function.
    cuts: Option<Vec<usize>>,
    /// The variables, if they are members of a struct.
    members: Vec<String>,
}

impl<'s> FunctionBody<'s> {
    fn new(session: &'s Session, straight: &'s Straight, dialect: Dialect) -> FunctionBody<'s> {
        let mut body = FunctionBody {
            session,
            straight,
            dialect,
            identifiers: Identifiers::except(dialect.reserved()),
            names: FxHashMap::default(),
            grads: FxHashMap::default(),
            lists: FxHashMap::default(),
            lines: Vec::new(),
            cuts: (dialect == Dialect::C && straight.computed.len() > LONGEST_FUNCTION)
                .then(Vec::new),
            members: Vec::new(),
        };
        let nodes = || straight.leaves.iter().chain(&straight.computed);
        for node in nodes().filter(|node| has_name(session, node)) {
            let name = body.variable(&called(session, node));
            body.names.insert(node.id(), name);
        }
        let unnamed = nodes().filter(|node| !has_name(session, node));
        for (node, number) in unnamed.zip(1..) {
            let name = body.variable(&format!("v{number}"));
            body.names.insert(node.id(), name);
        }
        body
    }

    /// What stands for a node: its variable, or its number.
    fn name(&self, node: &Node) -> String {
        let name = self.names.get(&node.id());
        name.map_or_else(|| self.dialect.literal(node.data()), Clone::clone)
    }

    /// What stands for its gradient.
    fn grad(&self, node: &Node) -> String {
        let grad = self.grads.get(&node.id());
        grad.map_or_else(|| "0.0".to_string(), Clone::clone)
    }

    /// The name of a node's variable, without the struct.
    fn bare_name(&self, node: &Node) -> String {
        let name = self.name(node);
        name.strip_prefix(MEMBER)
            .map_or(name.clone(), str::to_string)
    }

    /// A new name for an array that belongs to a node.
    fn array(&mut self, node: &Node, ending: &str) -> String {
        let name = format!("{}_{ending}", self.bare_name(node));
        self.identifiers.of(&name)
    }

    /// A variable with a new name.
    fn variable(&mut self, name: &str) -> String {
        let name = self.identifiers.of(name);
        if self.cuts.is_none() {
            return name;
        }
        self.members.push(name.clone());
        format!("{MEMBER}{name}")
    }

    /// Ends a function that is long enough. Arrays live no longer than that.
    fn cut(&mut self) {
        if let Some(cuts) = &mut self.cuts
            && self.lines.len() >= cuts.last().unwrap_or(&0) + LONGEST_FUNCTION
        {
            cuts.push(self.lines.len());
        }
    }

    /// The statements of each function.
    fn divided(&self) -> Vec<String> {
        let cuts = self.cuts.iter().flatten().copied();
        let ends = cuts.clone().chain([self.lines.len()]);
        let parts = [0].into_iter().chain(cuts).zip(ends);
        let parts = parts.filter(|(from, to)| from < to || self.lines.is_empty());
        parts
            .map(|(from, to)| self.lines[from..to].join("\n"))
            .collect()
    }

    fn names(&self, nodes: &[Rc<Node>]) -> Vec<String> {
        nodes.iter().map(|node| self.name(node)).collect()
    }

    fn state(&mut self, statement: &str) {
        let end = if self.dialect == Dialect::C { ";" } else { "" };
        self.lines.push(format!("    {statement}{end}"));
    }

    /// The statement that a new variable begins with this.
    fn declare(&mut self, name: &str, text: &str) {
        let kind = if self.dialect == Dialect::C && !name.starts_with(MEMBER) {
            "double "
        } else {
            ""
        };
        self.state(&format!("{kind}{name} = {text}"));
    }

    /// The values of all nodes.
    fn compute(&mut self) -> Result<(), &'static Op> {
        for node in stop::asking(self.straight.computed.iter()) {
            let Some(op) = node.op() else { continue };
            let (name, operands) = (self.name(node), self.names(node.operands()));
            if op.adds() {
                let mut terms = operands.chunks(TERMS).map(|terms| terms.join(" + "));
                self.declare(&name, &terms.next().unwrap_or_default());
                for terms in terms {
                    self.state(&format!("{name} = {name} + {terms}"));
                }
            } else {
                let list = self.list(node);
                let words = WordMeanings {
                    operands: &operands,
                    list: &list,
                    out: "",
                };
                let text = spelling::value(self.dialect, op, words)?;
                self.declare(&name, &text);
            }
            self.remark(node);
            self.cut();
        }
        Ok(())
    }

    /// Adds what a node without a name is, at the end of its line.
    fn remark(&mut self, node: &Rc<Node>) {
        if has_name(self.session, node) {
            return;
        }
        let label = self.session.label(node);
        let plain = |c: char| !c.is_control() && c != '\\';
        let short = label.chars().count() <= REMARK && label.chars().all(plain);
        if let Some(line) = self.lines.last_mut()
            && short
        {
            let sign = self.dialect.comment();
            line.extend(["  ", sign, " ", label.as_str()]);
        }
    }

    /// Declares the list of the operands, if the operation takes any number of them, and returns what stands for it.
    fn list(&mut self, node: &Node) -> String {
        let takes_any = |op: &Op| matches!(op.rule, Rule::Many { .. }) && !op.adds();
        if !node.op().is_some_and(takes_any) {
            return String::new();
        }
        let list = self.array(node, "of");
        let (declared, brackets) = match self.dialect {
            Dialect::C => (format!("double {list}[]"), ["{", "}"]),
            _ => (list.clone(), ["[", "]"]),
        };
        let text = files::listed(&self.names(node.operands()), brackets, 8);
        self.state(&format!("{declared} = {text}"));
        self.lists.insert(node.id(), list);
        self.listed(node)
    }

    /// What stands for the list of the operands in a call.
    fn listed(&self, node: &Node) -> String {
        let list = self.lists.get(&node.id()).map_or("", String::as_str);
        match self.dialect {
            Dialect::C => format!("{list}, {}", node.operands().len()),
            _ => list.to_string(),
        }
    }

    /// The gradients, from the root down to the leaves.
    fn differentiate(&mut self) -> Result<(), &'static Op> {
        let (root, straight) = (&self.straight.root, self.straight);
        let order = Order::below([root]);
        let numbers = gradients(&order, root, |_| {});
        let passing = self.passing();
        if passing.contains(&root.id()) {
            self.begin(root, "1.0");
        }
        for node in stop::asking(straight.computed.iter().rev()) {
            let Some(upstream) = self.grads.get(&node.id()).cloned() else {
                continue;
            };
            let at = order.position(node);
            let wild = at.is_none_or(|at| !numbers[at].is_finite());
            let locals = node.locals();
            if self.cuts.is_some() {
                // The array of the operands is gone with its function.
                self.list(node);
            }
            let slopes = self.slopes(node)?;
            for ((operand, slope), local) in node.operands().iter().zip(slopes).zip(locals) {
                let Some(slope) = slope.filter(|_| passing.contains(&operand.id())) else {
                    continue;
                };
                let term = match slope.as_str() {
                    "1.0" => upstream.clone(),
                    "(-1.0)" => format!("-{upstream}"),
                    _ if wild || !local.is_finite() => format!("chained({upstream}, {slope})"),
                    _ => format!("{upstream} * {}", bracketed(slope)),
                };
                self.begin(operand, &term);
            }
            self.cut();
        }
        Ok(())
    }

    /// Adds a contribution to the gradient of a node.
    fn begin(&mut self, node: &Node, term: &str) {
        if let Some(grad) = self.grads.get(&node.id()).cloned() {
            match term.strip_prefix('-') {
                Some(less) => self.state(&format!("{grad} -= {less}")),
                None => self.state(&format!("{grad} += {term}")),
            }
            return;
        }
        let grad = self.variable(&format!("d_{}", self.bare_name(node)));
        self.grads.insert(node.id(), grad.clone());
        self.declare(&grad, term);
    }

    /// The nodes through which a gradient reaches a leaf. The others would be variables that nothing uses.
    fn passing(&self) -> FxHashSet<NodeId> {
        let leaves = self.straight.leaves.iter();
        let mut passing: FxHashSet<NodeId> = leaves.map(|leaf| leaf.id()).collect();
        for node in &self.straight.computed {
            let Some(op) = node.op() else { continue };
            let mut operands = node.operands().iter().enumerate();
            if operands.any(|(at, operand)| passing.contains(&operand.id()) && !is_flat(op, at)) {
                passing.insert(node.id());
            }
        }
        passing
    }

    /// The derivative by each operand; none where it is always 0.
    fn slopes(&mut self, node: &Rc<Node>) -> Result<Vec<Option<String>>, &'static Op> {
        let Some(op) = node.op() else {
            return Ok(Vec::new());
        };
        let (name, operands) = (self.name(node), self.names(node.operands()));
        let count = operands.len();
        if op.adds() {
            return Ok(vec![Some("1.0".to_string()); count]);
        }
        let is_many = matches!(op.rule, Rule::Many { .. });
        let list = self.listed(node);
        let words = WordMeanings {
            operands: &operands,
            list: &list,
            out: &name,
        };
        let spelled = |place| spelling::slope(self.dialect, op, place, words);
        if !is_many {
            let slope = |place| (!is_flat(op, place)).then(|| spelled(place)).transpose();
            return (0..count).map(slope).collect();
        }
        let all = spelled(0)?;
        let slopes = self.array(node, "by");
        if self.dialect == Dialect::C {
            self.state(&format!("double {slopes}[{count}]"));
            let call = all.strip_suffix(')').unwrap_or(&all).to_string();
            self.state(&format!("{call}, {slopes})"));
        } else {
            self.declare(&slopes, &all);
        }
        let slope = |at| Some(format!("{slopes}[{at}]"));
        Ok((0..count).map(slope).collect())
    }
}
