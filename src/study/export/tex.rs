//! A root and its gradient as formulas of LaTeX: definitions, then a closed form for each free leaf.
//!
//! Derivatives are those that people learn, `1 - o^2`, wherever they come to the same number here. A formula stops at
//! nodes with names. What would be too long to read becomes an auxiliary quantity with a line of its own, so that the
//! whole grows no faster than the graph.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::UnicodeNormalization;

use super::identifiers::greek_word;
use super::mark;
use super::straight::Straight;
use super::text::{called, has_name};
use crate::graph::structure::reachable;
use crate::graph::{Node, NodeId, Order, Spelling, gradients};
use crate::ops::tex::binding::{ATOM, POWER, PRODUCT, SIGNED};
use crate::session::{Error, Session};
use crate::{stop, syntax};

/// The most symbols of a formula on one line.
const LONGEST: usize = 40;

/// How far the number of a learned derivative may be from the gradient.
const TOLERANCE: f64 = 1e-12;

/// The formulas, as an `align` environment.
pub fn tex(session: &mut Session, straight: &Straight) -> Result<String, Error> {
    let slopes = slopes(session, straight)?;
    let mut formulas = Formulas::new(session, straight, &slopes);
    let root = &straight.root;
    let of = match formulas.symbols.get(&root.id()) {
        Some((symbol, _)) => symbol.clone(),
        None => formulas.unused(&["f", "F", "T", "y"]),
    };
    let mut lines = Vec::new();
    if !root.is_leaf() {
        lines.push(format!("{of} &= {}", formulas.written(root)));
    }
    for node in stop::asking(straight.computed.iter().rev()) {
        if has_name(session, node) && !Rc::ptr_eq(node, root) {
            lines.push(formulas.defined(node));
        }
    }
    let auxiliary = std::mem::take(&mut formulas.auxiliary);
    lines.extend(auxiliary.iter().map(|node| formulas.defined(node)));
    for (leaf, slope) in straight.leaves.iter().zip(&slopes) {
        let by = formulas.formula(leaf, false).0;
        let text = formulas.formula(slope, false).0;
        lines.push(format!(
            r"\frac{{\partial {of}}}{{\partial {by}}} &= {text}"
        ));
    }
    Ok(format!(
        "% {}\n% In the preamble: \\usepackage{{amsmath}}\n\\begin{{align}}\n  {}\n\\end{{align}}\n",
        mark(),
        lines.join(" \\\\\n  ")
    ))
}

/// The derivative by each free leaf, as a node.
fn slopes(session: &mut Session, straight: &Straight) -> Result<Vec<Rc<Node>>, Error> {
    let root = &straight.root;
    let learned = session.learned_derivatives(root, &straight.leaves)?;
    let built = session.derivatives(root, &straight.leaves)?;
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    let pairs = straight.leaves.iter().zip(learned.into_iter().zip(built));
    let better = pairs.map(|(leaf, (learned, built))| {
        let grad = order.position(leaf).map_or(0.0, |at| grads[at]);
        let far = (learned.data() - grad).abs() > TOLERANCE * grad.abs();
        if far || learned.data().is_nan() {
            built
        } else {
            learned
        }
    });
    Ok(better.collect())
}

/// The formulas of some nodes.
struct Formulas {
    /// What stands for a node: its name, or that of an auxiliary quantity.
    symbols: FxHashMap<NodeId, (String, u8)>,
    /// The symbols that are taken.
    taken: FxHashSet<String>,
    /// The nodes that got a symbol because their users would be too long, operands before users.
    auxiliary: Vec<Rc<Node>>,
}

impl Formulas {
    fn new(session: &Session, straight: &Straight, slopes: &[Rc<Node>]) -> Formulas {
        let mut roots = vec![Rc::clone(&straight.root)];
        roots.extend(slopes.iter().cloned());
        let nodes = reachable(&roots, 0);
        let mut formulas = Formulas {
            symbols: FxHashMap::default(),
            taken: FxHashSet::default(),
            auxiliary: Vec::new(),
        };
        let named = |node: &&Rc<Node>| node.spelling().is_none() && has_name(session, node);
        for node in nodes.iter().filter(named) {
            let name = called(session, node);
            let mut symbol = symbol(&name);
            if !formulas.taken.insert(symbol.0.clone()) {
                // `x1`, `x_1` and `x[1]` are all x_{1}.
                symbol = (format!(r"\mathtt{{{}}}", name.replace('_', r"\_")), ATOM);
                formulas.taken.insert(symbol.0.clone());
            }
            formulas.symbols.insert(node.id(), symbol);
        }
        formulas.shorten(&nodes, &straight.root);
        formulas
    }

    /// The first of these letters that no name begins with.
    fn unused(&self, letters: &[&str]) -> String {
        let begins = |letter: &&&str| {
            let mut taken = self.taken.iter();
            !taken.any(|symbol| {
                let rest = symbol.strip_prefix(**letter);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '^']))
            })
        };
        let found = letters.iter().find(begins);
        found.map_or_else(|| r"\mathcal{A}".to_string(), ToString::to_string)
    }

    /// Gives symbols to nodes whose formulas would be too long.
    fn shorten(&mut self, nodes: &[Rc<Node>], root: &Rc<Node>) {
        let letter = self.unused(&["v", "u", "s", "q", "h", "g", "p", "r", "z"]);
        let mut sizes: FxHashMap<NodeId, usize> = FxHashMap::default();
        for node in stop::asking(nodes.iter()) {
            let known = self.symbols.contains_key(&node.id());
            let operands = node.operands().iter().map(|operand| sizes[&operand.id()]);
            let mut size = if known {
                1
            } else {
                1 + operands.sum::<usize>()
            };
            if size > LONGEST && !Rc::ptr_eq(node, root) {
                let symbol = format!("{letter}_{{{}}}", self.auxiliary.len() + 1);
                self.symbols.insert(node.id(), (symbol, ATOM));
                self.auxiliary.push(Rc::clone(node));
                size = 1;
            }
            sizes.insert(node.id(), size);
        }
    }

    /// A line that says what a symbol stands for.
    fn defined(&self, node: &Rc<Node>) -> String {
        let (symbol, _) = self.formula(node, false);
        format!("{symbol} &= {}", self.written(node))
    }

    /// The formula of a node, even if it has a symbol.
    fn written(&self, node: &Rc<Node>) -> String {
        self.formula(node, true).0
    }

    /// The formula of a node and how tightly it binds; `below` if its own symbol does not count.
    fn formula(&self, node: &Rc<Node>, below: bool) -> (String, u8) {
        let mut done: Vec<(String, u8)> = Vec::new();
        // Each node comes twice: first to put its operands before it, then to be written.
        let mut waiting = vec![(node, false, below)];
        while let Some((node, ready, below)) = waiting.pop() {
            if ready {
                let operands = done.split_off(done.len() - node.operands().len());
                done.extend(node.op().map(|op| op.tex(&operands)));
            } else if let Some(symbol) = self.symbols.get(&node.id()).filter(|_| !below) {
                done.push(symbol.clone());
            } else if node.op().is_none() {
                done.push(number(node));
            } else {
                waiting.push((node, true, false));
                let operands = node.operands().iter().rev();
                waiting.extend(operands.map(|operand| (operand, false, false)));
            }
        }
        done.pop().unwrap_or_default()
    }
}

/// A constant.
fn number(node: &Node) -> (String, u8) {
    if let Some(Spelling::Named(name)) = node.spelling() {
        return symbol(name);
    }
    let text = syntax::literal(node.data(), false);
    let binds = if text.starts_with('-') { SIGNED } else { ATOM };
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let power = format!(r"{mantissa} \cdot 10^{{{exponent}}}");
            (power, binds.min(PRODUCT))
        }
        None if text.ends_with("inf") => (text.replace("inf", r"\infty"), binds),
        None if text == "nan" => (r"\mathrm{nan}".to_string(), ATOM),
        None => (text, binds),
    }
}

/// A name in mathematics: `w[2]` is w_{2}, `a@1` a^{(1)}, `x1` x_{1}, `loss` \mathit{loss}, `alpha` and `α` \alpha.
fn symbol(name: &str) -> (String, u8) {
    let name: String = name.nfkc().collect();
    let (name, positions) = name.split_at(name.find('[').unwrap_or(name.len()));
    let (name, former) = match name.split_once('@') {
        Some(("", id)) => (format!("node{id}"), None),
        Some((name, former)) => (name.to_string(), Some(former)),
        None => (name.to_string(), None),
    };
    let digits = name.trim_end_matches(|c: char| c.is_numeric());
    let (stem, low) = match name.split_once('_') {
        Some((stem, low)) if !stem.is_empty() && !low.is_empty() => (stem, low),
        _ => (digits, &name[digits.len()..]),
    };
    let indices = positions
        .split(['[', ']'])
        .filter(|index| !index.is_empty());
    let subscripts = (!low.is_empty()).then(|| subscript(low)).into_iter();
    let subscripts: Vec<String> = subscripts.chain(indices.map(str::to_string)).collect();
    let mut text = letters(stem);
    if !subscripts.is_empty() {
        text = format!("{text}_{{{}}}", subscripts.join(","));
    }
    match former {
        Some(former) => (format!("{text}^{{({former})}}"), POWER),
        None => (text, ATOM),
    }
}

/// The part of a name that stands for the quantity.
fn letters(stem: &str) -> String {
    if let Some(word) = greek_word(stem) {
        return word;
    }
    match stem.chars().count() {
        1 if stem.is_ascii() => stem.to_string(),
        _ => format!(r"\mathit{{{}}}", stem.replace('_', r"\_")),
    }
}

/// The lower part of a name: digits and single letters as they are, words upright.
fn subscript(low: &str) -> String {
    let digits: String = low
        .chars()
        .map(|c| {
            c.to_digit(10)
                .map_or(c, |digit| char::from(b'0' + digit as u8))
        })
        .collect();
    if digits.len() == 1 || digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return digits;
    }
    greek_word(&digits).unwrap_or_else(|| format!(r"\mathrm{{{}}}", digits.replace('_', ",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_in_mathematics() {
        for (name, expected) in [
            ("a", "a"),
            ("w[2]", "w_{2}"),
            ("W[1][2]", "W_{1,2}"),
            ("x1", "x_{1}"),
            ("x1w1", r"\mathit{x1w}_{1}"),
            ("loss", r"\mathit{loss}"),
            ("w_out", r"w_{\mathrm{out}}"),
            ("w_out[3]", r"w_{\mathrm{out},3}"),
            ("a@1", "a^{(1)}"),
            ("w@1[2]", "w_{2}^{(1)}"),
            ("alpha", r"\alpha"),
            ("α", r"\alpha"),
            ("Δ", r"\Delta"),
            ("pi", r"\pi"),
            ("σ_x", r"\sigma_{x}"),
        ] {
            assert_eq!(symbol(name).0, expected, "{name}");
        }
    }
}
