//! A root and its gradient as a program in C or Python: a function without branches or loops, and what prints its result.
//!
//! The derivatives are nodes, as `grad()` builds them, so the program is a list of nodes, operands before users.
//! Operations are spelled by `study/spelling`. Where a factor of the chain rule is infinite or NaN at present, the
//! product is the one of a backward pass, in which an exact zero absorbs it; anywhere else it is a plain product.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::identifiers::Identifiers;
use super::straight::Straight;
use super::text::{bare, called, file, has_name, listed, quoted};
use crate::graph::{Node, NodeId};
use crate::ops::{Dialect, Op};
use crate::session::Session;
use crate::stop;
use crate::study::spelling::{self, WordMeanings};

/// So many terms of a sum stand in one statement: a compiler reads a chain of operators by recursion.
const TERMS: usize = 8;

/// A longer formula is no remark at the end of a line.
const REMARK: usize = 60;

/// The program for a root with these derivatives by its leaves, or the operation that the language lacks.
pub fn program(
    session: &Session,
    straight: &Straight,
    slopes: &[Rc<Node>],
    dialect: Dialect,
) -> Result<String, &'static Op> {
    let identifiers = Identifiers::except(dialect.reserved());
    let whole = Straight::with(&straight.root, slopes);
    let mut body = FunctionBody::new(session, &whole, dialect, identifiers, FxHashMap::default());
    for (at, leaf) in whole.leaves.iter().enumerate() {
        body.declare(&body.name(leaf), &format!("leaves[{at}]"));
    }
    body.compute()?;
    for (at, slope) in slopes.iter().enumerate() {
        body.state(&format!("grad[{at}] = {}", body.name(slope)));
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
    body.state(&format!("return {}", body.name(&straight.root)));
    Ok(body.lines)
}

/// The statements of the function.
struct FunctionBody<'s> {
    session: &'s Session,
    straight: &'s Straight,
    dialect: Dialect,
    names: FxHashMap<NodeId, String>,
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
            } else if op.name == "chain" && node.operands().iter().all(|it| it.data().is_finite()) {
                self.declare(&name, &operands.join(" * "));
            } else {
                let words = WordMeanings {
                    operands: &operands,
                    list: &spelling::list(self.dialect, &operands),
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
        let is_short = label.chars().count() <= REMARK && !node.is_generated();
        if let Some(line) = self.lines.last_mut()
            && is_short
            && !has_name(self.session, node)
        {
            line.extend(["  ", self.dialect.comment(), " ", &label]);
        }
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
