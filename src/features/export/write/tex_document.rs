//! Writes a root and its gradient as formulas of LaTeX: definitions, then a closed form for each free leaf.
//!
//! Derivatives have the form of textbooks, `1 - o^2`. A formula stops at nodes with names. If a derivative is too long to
//! read, or if there are too many, all of them are written from the nodes that compute them. A part that would be too long then becomes an
//! auxiliary quantity with its own line, so that the document grows no faster than the graph.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Computation, first_line, has_name, variable_name};
use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId, Spelling};
use chainrule_formulas::derivative_formulas;
use chainrule_language::math::{math, tex};
use chainrule_language::{ItemKind, Literal};
use chainrule_program::Environment as _;
use chainrule_program::error::Error;
use chainrule_report::tex_symbols::{symbol, typewriter};
use chainrule_session::Session;
use chainrule_session::naming::labels::{Label, name_item, operation_item};
use chainrule_stop as stop;

/// The most symbols of a formula: about as many as a line of a page holds.
const MAX_SYMBOLS: usize = 40;

/// The most leaves times computed nodes for which each derivative is a closed form. Each goes through all nodes.
const MOST_WORK: usize = 50_000;

/// Returns the formulas as an `align` environment.
pub(crate) fn tex_document(
    session: &mut Session,
    computation: &Computation,
) -> Result<String, Error> {
    let is_short = |items: &Label| items.len() <= MAX_SYMBOLS;
    let work = computation.leaves.len() * computation.computed.len();
    let closed = if work > MOST_WORK {
        None
    } else {
        derivative_formulas(session, &computation.root, &computation.leaves, false)
    };
    let lines = match closed {
        Some(closed) if closed.iter().all(is_short) => {
            let formulas = Formulas::new(session, computation, &[]);
            formulas.lines(session, computation, &closed)
        }
        _ => {
            let slopes = session
                .program_mut()
                .derivatives(&computation.root, &computation.leaves)?;
            let formulas = Formulas::new(session, computation, &slopes);
            let computed: Vec<Label> = slopes.iter().map(|it| formulas.items(it)).collect();
            formulas.lines(session, computation, &computed)
        }
    };
    Ok(format!(
        "% {}\n% In the preamble: \\usepackage{{amsmath}}\n\\begin{{align}}\n  {}\n\\end{{align}}\n",
        first_line(),
        lines.join(" \\\\\n  ")
    ))
}

/// The formulas of some nodes.
struct Formulas {
    /// The names of nodes that have one or are auxiliary quantities.
    names: FxHashMap<NodeId, String>,
    /// The symbols for these names.
    symbols: FxHashMap<String, String>,
    /// The symbols that are taken.
    taken: FxHashSet<String>,
    /// The nodes that got a symbol because the formulas of their users would be too long, operands before users.
    auxiliary: Vec<Rc<Node>>,
}

impl Formulas {
    /// Gives symbols to the nodes that have names, to the root, and to nodes whose formulas would be too long.
    fn new(session: &Session, computation: &Computation, slopes: &[Rc<Node>]) -> Formulas {
        let roots = [std::slice::from_ref(&computation.root), slopes].concat();
        let nodes = reachable(&roots, 0);
        let mut formulas = Formulas {
            names: FxHashMap::default(),
            symbols: FxHashMap::default(),
            taken: FxHashSet::default(),
            auxiliary: Vec::new(),
        };
        let is_named = |node: &&Rc<Node>| node.spelling().is_none() && has_name(session, node);
        for node in nodes.iter().filter(is_named) {
            formulas.name_symbol(session, node);
        }
        let root_symbol = match &computation.function {
            Some(call) => {
                let parameters = call.parameters.iter();
                let symbols = parameters.map(|it| formulas.name_symbol(session, it));
                let arguments = symbols.collect::<Vec<_>>().join(", ");
                format!("{}({arguments})", symbol(&call.name))
            }
            None => formulas.unused_letter('f'),
        };
        let root = computation.root.id();
        if !formulas.names.contains_key(&root) {
            formulas.add(root, "root".to_string(), root_symbol);
        }
        formulas.shorten(&nodes);
        formulas
    }

    /// Gives a node a name that is written as this symbol.
    fn add(&mut self, node: NodeId, name: String, symbol: String) {
        self.symbols.insert(name.clone(), symbol);
        self.names.insert(node, name);
    }

    /// Returns the symbol of a node with a name, and remembers it.
    fn name_symbol(&mut self, session: &Session, node: &Rc<Node>) -> String {
        let name = variable_name(session, node);
        if let Some(known) = self.names.get(&node.id()) {
            return self.symbols[known].clone();
        }
        let mut symbol = symbol(&name);
        if self.taken.contains(&symbol) {
            // `x1`, `x_1` and `x[1]` are all x_{1}.
            symbol = typewriter(&name);
        }
        self.taken.insert(symbol.clone());
        self.add(node.id(), name, symbol.clone());
        symbol
    }

    /// Returns a letter, with a tilde if a symbol begins with it.
    fn unused_letter(&self, letter: char) -> String {
        if self.taken.iter().any(|symbol| symbol.starts_with(letter)) {
            format!(r"\tilde{{{letter}}}")
        } else {
            letter.to_string()
        }
    }

    /// Gives symbols to nodes whose formulas would be too long.
    fn shorten(&mut self, nodes: &[Rc<Node>]) {
        let letter = self.unused_letter('v');
        let mut sizes: FxHashMap<NodeId, usize> = FxHashMap::default();
        for node in stop::with_checks(nodes.iter()) {
            let mut size = 1;
            if !self.names.contains_key(&node.id()) {
                let operands = node.operands().iter().map(|operand| sizes[&operand.id()]);
                size += operands.sum::<usize>();
            }
            if size > MAX_SYMBOLS {
                let number = self.auxiliary.len() + 1;
                let symbol = format!("{letter}_{{{number}}}");
                self.add(node.id(), format!("auxiliary {number}"), symbol);
                self.auxiliary.push(Rc::clone(node));
                size = 1;
            }
            sizes.insert(node.id(), size);
        }
    }

    /// The lines of the document: the definitions, and the derivatives by the leaves.
    fn lines(&self, session: &Session, computation: &Computation, slopes: &[Label]) -> Vec<String> {
        let root = &computation.root;
        let has_line = |node: &&Rc<Node>| has_name(session, node) || Rc::ptr_eq(node, root);
        let named = stop::with_checks(computation.computed.iter().rev()).filter(has_line);
        let definition = |node: &Rc<Node>| {
            let mut items = Label::new();
            self.push_operation(node, &mut items);
            format!("{} &= {}", self.tex(&self.items(node)), self.tex(&items))
        };
        let mut lines: Vec<String> = named.chain(&self.auxiliary).map(definition).collect();
        let function = self.tex(&self.items(root));
        for (leaf, slope) in computation.leaves.iter().zip(slopes) {
            let variable = self.tex(&self.items(leaf));
            let derivative = self.tex(slope);
            lines.push(format!(
                r"\frac{{\partial {function}}}{{\partial {variable}}} &= {derivative}"
            ));
        }
        lines
    }

    fn tex(&self, items: &Label) -> String {
        let written = |name: &str| self.symbols.get(name).cloned();
        tex(&math(items), &|name| {
            written(name).unwrap_or_else(|| symbol(name))
        })
    }

    /// The items of the formula by which users of a node refer to it: the name, or else the operation.
    fn items(&self, node: &Rc<Node>) -> Label<'_> {
        let mut items = Label::new();
        self.push_reference(node, &mut items);
        items
    }

    /// Nodes without a name have short formulas, so the recursion is shallow.
    fn push_reference<'f>(&'f self, node: &Rc<Node>, items: &mut Label<'f>) {
        match self.names.get(&node.id()) {
            Some(name) => items.push(name_item(name).into()),
            None => self.push_operation(node, items),
        }
    }

    /// Pushes the formula of a node in terms of its operands.
    fn push_operation<'f>(&'f self, node: &Rc<Node>, items: &mut Label<'f>) {
        let Some(op) = node.op() else {
            let value = node.data();
            return items.push(match node.spelling() {
                Some(Spelling::Named(name)) => name_item(name).into(),
                _ => ItemKind::Number(Literal {
                    value,
                    has_point: false,
                })
                .into(),
            });
        };
        for operand in node.operands() {
            self.push_reference(operand, items);
        }
        items.push(operation_item(op, node.operands().len()).into());
    }
}
