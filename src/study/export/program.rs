//! A root and its gradient as a program in C or Python: a function without branches or loops, and what prints its result.
//!
//! Values are computed upwards, then gradients downwards, in the order of a pass. Operations are spelled by
//! `study/spelling`. Where a factor of the chain rule is infinite or NaN at present, the product is the one of a
//! backward pass, in which an exact zero absorbs it; anywhere else it is a plain product.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::identifiers::Identifiers;
use super::straight::Straight;
use super::text::{bare, called, file, has_name, listed, quoted};
use crate::graph::{Node, NodeId, Order, gradients};
use crate::ops::{Dialect, Op, Rule};
use crate::session::Session;
use crate::stop;
use crate::study::spelling::{self, WordMeanings, bracketed};

/// So many terms of a sum stand in one statement: a compiler reads a chain of operators by recursion.
const TERMS: usize = 8;

/// A longer formula is no remark at the end of a line.
const REMARK: usize = 60;

/// The program, or the operation that the language lacks.
pub fn program(
    session: &Session,
    straight: &Straight,
    dialect: Dialect,
) -> Result<String, &'static Op> {
    let identifiers = Identifiers::except(dialect.reserved());
    let leaves = FxHashMap::default();
    let mut body = FunctionBody::new(session, straight, dialect, identifiers, leaves);
    for (at, leaf) in straight.leaves.iter().enumerate() {
        body.declare(&body.name(leaf), &format!("leaves[{at}]"));
    }
    body.compute()?;
    body.differentiate()?;
    for (at, leaf) in straight.leaves.iter().enumerate() {
        let grad = body.grads.get(&leaf.id()).map_or("0.0", |grad| grad);
        body.state(&format!("grad[{at}] = {grad}"));
    }
    Ok(body.file())
}

/// The statements that compute and return only the value, where the leaves have variables already.
pub(super) fn values(
    session: &Session,
    straight: &Straight,
    dialect: Dialect,
    identifiers: Identifiers,
    leaves: FxHashMap<NodeId, String>,
) -> Result<Vec<String>, &'static Op> {
    let mut body = FunctionBody::new(session, straight, dialect, identifiers, leaves);
    body.compute()?;
    let value = body.name(&straight.root);
    body.state(&format!("return {value}"));
    Ok(body.lines)
}

/// Whether the derivative by the operand at `place` is 0 everywhere.
fn is_flat(op: &Op, place: usize) -> bool {
    !matches!(op.rule, Rule::Many { .. }) && op.built(place) == "0"
}

/// The statements of the function.
struct FunctionBody<'s> {
    session: &'s Session,
    straight: &'s Straight,
    dialect: Dialect,
    identifiers: Identifiers,
    names: FxHashMap<NodeId, String>,
    grads: FxHashMap<NodeId, String>,
    lines: Vec<String>,
}

impl<'s> FunctionBody<'s> {
    fn new(
        session: &'s Session,
        straight: &'s Straight,
        dialect: Dialect,
        mut identifiers: Identifiers,
        mut names: FxHashMap<NodeId, String>,
    ) -> FunctionBody<'s> {
        let nodes = straight.leaves.iter().chain(&straight.computed);
        let mut numbers = 1..;
        for node in nodes {
            let name = if has_name(session, node) {
                called(session, node)
            } else {
                format!("v{}", numbers.next().unwrap_or_default())
            };
            let known = names.entry(node.id());
            known.or_insert_with(|| identifiers.of(&name));
        }
        FunctionBody {
            names,
            session,
            straight,
            dialect,
            identifiers,
            grads: FxHashMap::default(),
            lines: Vec::new(),
        }
    }

    /// What stands for a node: its variable, or its number.
    fn name(&self, node: &Node) -> String {
        let name = self.names.get(&node.id());
        name.map_or_else(|| self.dialect.literal(node.data()), Clone::clone)
    }

    fn state(&mut self, statement: &str) {
        let end = if self.dialect == Dialect::C { ";" } else { "" };
        self.lines.push(format!("    {statement}{end}"));
    }

    /// The statement that a new variable begins with this.
    fn declare(&mut self, name: &str, text: &str) {
        let kind = if self.dialect == Dialect::C {
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
            let name = self.name(node);
            let operands: Vec<String> = node.operands().iter().map(|it| self.name(it)).collect();
            if op.adds() {
                let mut terms = operands.chunks(TERMS).map(|terms| terms.join(" + "));
                self.declare(&name, &terms.next().unwrap_or_default());
                for terms in terms {
                    self.state(&format!("{name} = {name} + {terms}"));
                }
            } else {
                let words = WordMeanings {
                    operands: &operands,
                    list: &spelling::list(self.dialect, &operands),
                    out: "",
                };
                let text = spelling::value(self.dialect, op, words)?;
                self.declare(&name, &text);
            }
            self.remark(node);
        }
        Ok(())
    }

    /// Adds what a node without a name is, at the end of its line.
    fn remark(&mut self, node: &Rc<Node>) {
        let label = self.session.label(node);
        let is_short = label.chars().count() <= REMARK;
        if let Some(line) = self.lines.last_mut()
            && is_short
            && !has_name(self.session, node)
        {
            line.extend(["  ", self.dialect.comment(), " ", &label]);
        }
    }

    /// The gradients, from the root down to the leaves.
    fn differentiate(&mut self) -> Result<(), &'static Op> {
        let (root, straight) = (&self.straight.root, self.straight);
        let order = Order::below([root]);
        let numbers = gradients(&order, root, |_| {});
        let passing = self.passing();
        if passing.contains(&root.id()) {
            self.contribute(root, "1.0");
        }
        for node in stop::asking(straight.computed.iter().rev()) {
            let Some(upstream) = self.grads.get(&node.id()).cloned() else {
                continue;
            };
            let at = order.position(node);
            let wild = at.is_none_or(|at| !numbers[at].is_finite());
            let slopes = self.slopes(node)?;
            let edges = node.operands().iter().zip(slopes).zip(node.locals());
            for ((operand, slope), local) in edges {
                let Some(slope) = slope.filter(|_| passing.contains(&operand.id())) else {
                    continue;
                };
                let term = match slope.as_str() {
                    "1.0" => upstream.clone(),
                    "(-1.0)" => format!("-{upstream}"),
                    _ if wild || !local.is_finite() => format!("chained({upstream}, {slope})"),
                    _ => format!("{upstream} * {}", bracketed(slope)),
                };
                self.contribute(operand, &term);
            }
        }
        Ok(())
    }

    /// Adds a contribution to the gradient of a node.
    fn contribute(&mut self, node: &Node, term: &str) {
        if let Some(grad) = self.grads.get(&node.id()).cloned() {
            match term.strip_prefix('-') {
                Some(less) => self.state(&format!("{grad} -= {less}")),
                None => self.state(&format!("{grad} += {term}")),
            }
            return;
        }
        let grad = self.identifiers.of(&format!("d_{}", self.name(node)));
        self.declare(&grad, term);
        self.grads.insert(node.id(), grad);
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
        let name = self.name(node);
        let operands: Vec<String> = node.operands().iter().map(|it| self.name(it)).collect();
        let count = operands.len();
        if op.adds() {
            return Ok(vec![Some("1.0".to_string()); count]);
        }
        let words = WordMeanings {
            operands: &operands,
            list: &spelling::list(self.dialect, &operands),
            out: &name,
        };
        let spelled = |place| spelling::slope(self.dialect, op, place, words);
        if !matches!(op.rule, Rule::Many { .. }) {
            let slope = |place| (!is_flat(op, place)).then(|| spelled(place)).transpose();
            return (0..count).map(slope).collect();
        }
        let all = spelled(0)?;
        let slopes = self.identifiers.of(&format!("{name}_by"));
        if self.dialect == Dialect::C {
            self.state(&format!("double {slopes}[{count}]"));
            let call = all.strip_suffix(')').unwrap_or(&all);
            self.state(&format!("{call}, {slopes})"));
        } else {
            self.declare(&slopes, &all);
        }
        let slope = |at| Some(format!("{slopes}[{at}]"));
        Ok((0..count).map(slope).collect())
    }

    fn file(&self) -> String {
        let leaves = &self.straight.leaves;
        let names = leaves
            .iter()
            .map(|leaf| quoted(&called(self.session, leaf)));
        let start = leaves.iter().map(|leaf| bare(self.dialect, leaf.data()));
        let parts = [
            ("count", &*leaves.len().to_string()),
            ("names", &listed(&names.collect::<Vec<_>>())),
            ("start", &listed(&start.collect::<Vec<_>>())),
            ("value", &self.name(&self.straight.root)),
        ];
        let code = self.lines.join("\n");
        file(
            self.session,
            &self.straight.root,
            self.dialect,
            &code,
            &parts,
        )
    }
}
