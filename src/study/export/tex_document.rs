//! A root and its gradient as formulas of LaTeX: definitions, then a closed form for each free leaf.
//!
//! Derivatives are those that people learn, `1 - o^2`, and products are single fractions. A formula stops at nodes with
//! names. What would be too long to read becomes an auxiliary quantity with a line of its own, so that the whole grows no
//! faster than the graph.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::UnicodeNormalization;

use super::computation::Computation;
use super::identifiers::{greek_word, plain};
use super::mark;
use super::names_and_numbers::{has_name, variable_name};
use super::tex_formula::binding::{ATOM, PRODUCT, SIGNED};
use super::tex_formula::{self, Product, TexFormula};
use crate::session::{Error, Session};
use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId, Spelling};
use chainrule_language as language;
use chainrule_stop as stop;

/// The most symbols of a formula on one line.
const LONGEST: usize = 40;

/// The formulas, as an `align` environment.
pub fn tex(session: &mut Session, computation: &Computation) -> Result<String, Error> {
    let slopes = session.textbook_derivatives(&computation.root, &computation.leaves)?;
    let mut formulas = Formulas::new(session, computation, &slopes);
    let root = &computation.root;
    let of = formulas.formula(root, false).0;
    let mut lines = Vec::new();
    for node in stop::with_checks(computation.computed.iter().rev()) {
        if has_name(session, node) || Rc::ptr_eq(node, root) {
            lines.push(formulas.definition_line(node));
        }
    }
    let auxiliary = std::mem::take(&mut formulas.auxiliary);
    lines.extend(auxiliary.iter().map(|node| formulas.definition_line(node)));
    for (leaf, slope) in computation.leaves.iter().zip(&slopes) {
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

/// The formulas of some nodes.
struct Formulas {
    /// What stands for a node: its name, or that of an auxiliary quantity.
    symbols: FxHashMap<NodeId, String>,
    /// The symbols that are taken.
    taken: FxHashSet<String>,
    /// The nodes that got a symbol because their users would be too long, operands before users.
    auxiliary: Vec<Rc<Node>>,
}

impl Formulas {
    fn new(session: &Session, computation: &Computation, slopes: &[Rc<Node>]) -> Formulas {
        let mut roots = vec![Rc::clone(&computation.root)];
        roots.extend(slopes.iter().cloned());
        let nodes = reachable(&roots, 0);
        let mut formulas = Formulas {
            symbols: FxHashMap::default(),
            taken: FxHashSet::default(),
            auxiliary: Vec::new(),
        };
        let named = |node: &&Rc<Node>| node.spelling().is_none() && has_name(session, node);
        for node in nodes.iter().filter(named) {
            formulas.symbol_of(session, node);
        }
        let of = match &computation.function {
            Some(call) => {
                let parameters = call.parameters.iter();
                let parameters = parameters.map(|it| formulas.symbol_of(session, it));
                let parameters = parameters.collect::<Vec<_>>().join(", ");
                format!("{}({parameters})", symbol(&call.name))
            }
            None => formulas.unused_letter('f'),
        };
        formulas.symbols.entry(computation.root.id()).or_insert(of);
        formulas.shorten(&nodes);
        formulas
    }

    /// The symbol of a node with a name.
    fn symbol_of(&mut self, session: &Session, node: &Rc<Node>) -> String {
        if let Some(known) = self.symbols.get(&node.id()) {
            return known.clone();
        }
        let name = variable_name(session, node);
        let mut symbol = symbol(&name);
        if !self.taken.insert(symbol.clone()) {
            // `x1`, `x_1` and `x[1]` are all x_{1}.
            symbol = typewriter(&name);
            self.taken.insert(symbol.clone());
        }
        self.symbols.insert(node.id(), symbol.clone());
        symbol
    }

    /// A letter, with a tilde if a name begins with it.
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
            if !self.symbols.contains_key(&node.id()) {
                let operands = node.operands().iter().map(|operand| sizes[&operand.id()]);
                size += operands.sum::<usize>();
            }
            if size > LONGEST {
                let symbol = format!("{letter}_{{{}}}", self.auxiliary.len() + 1);
                self.symbols.insert(node.id(), symbol);
                self.auxiliary.push(Rc::clone(node));
                size = 1;
            }
            sizes.insert(node.id(), size);
        }
    }

    /// A line that says what a symbol stands for.
    fn definition_line(&self, node: &Rc<Node>) -> String {
        let [(symbol, _), (formula, _)] = [false, true].map(|below| self.formula(node, below));
        format!("{symbol} &= {formula}")
    }

    /// The formula of a node; `below` if its own symbol does not count. What is below a node without a symbol is small.
    fn formula(&self, node: &Rc<Node>, below: bool) -> TexFormula {
        if let Some(symbol) = self.symbols.get(&node.id()).filter(|_| !below) {
            return (symbol.clone(), ATOM);
        }
        let Some(op) = node.op() else {
            return number(node);
        };
        if factors(node).is_some() {
            let mut product = Product::default();
            self.multiply(&mut product, node, 2, below);
            return product.fraction(literal);
        }
        let operands = node.operands().iter();
        let operands: Vec<TexFormula> = operands.map(|it| self.formula(it, false)).collect();
        tex_formula::tex(op, &operands)
    }

    /// Multiplies a product by a power of a node. The exponent is given in halves.
    fn multiply(&self, product: &mut Product, node: &Rc<Node>, halves: i32, below: bool) {
        let has_symbol = self.symbols.contains_key(&node.id()) && !below;
        if let Some(number) = plain_number(node).filter(|_| !has_symbol && halves.abs() == 2) {
            product.minus ^= number < 0.0;
            return product.scale(number.abs(), halves < 0);
        }
        let found = factors(node).filter(|(exponents, _)| {
            // `(a*b)^2` and the root of a product stay.
            let is_power = exponents.iter().filter(|exponent| **exponent != 0).count() == 1;
            !has_symbol && halves % 2 == 0 && (halves.abs() == 2 || is_power)
        });
        let Some((exponents, minus)) = found else {
            return product.multiply(self.formula(node, below), halves);
        };
        product.minus ^= minus && halves / 2 % 2 != 0;
        let factors = node.operands().iter().zip(exponents);
        for (operand, exponent) in factors.filter(|(_, exponent)| *exponent != 0) {
            self.multiply(product, operand, exponent * (halves / 2), false);
        }
    }
}

/// The exponents of a node's operands, in halves, if it is a product of powers; and whether it changes the sign.
fn factors(node: &Node) -> Option<(Vec<i32>, bool)> {
    let numbers: Vec<Option<f64>> = node.operands().iter().map(|it| plain_number(it)).collect();
    tex_formula::factors(node.op()?, &numbers)
}

/// A number without a name.
fn plain_number(node: &Node) -> Option<f64> {
    let is_plain = node
        .spelling()
        .is_some_and(|it| !matches!(it, Spelling::Named(_)));
    (is_plain && node.data().is_finite()).then(|| node.data())
}

/// A constant.
fn number(node: &Node) -> TexFormula {
    match node.spelling() {
        Some(Spelling::Named(name)) => (symbol(name), ATOM),
        _ => literal(node.data()),
    }
}

fn literal(number: f64) -> TexFormula {
    let text = language::literal(number, false);
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

/// A name in mathematics: `w[2]` is w_{2}, `x1` x_{1}, `loss` \mathit{loss}, `alpha` and `α` \alpha, `a@1` as it is.
fn symbol(name: &str) -> String {
    if name.contains('@') {
        return typewriter(name);
    }
    let name: String = name.chars().map(plain).nfc().collect();
    let (name, positions) = name.split_at(name.find('[').unwrap_or(name.len()));
    let digits = name.trim_end_matches(|c: char| c.is_numeric());
    let (stem, low) = match name.split_once('_') {
        Some((stem, low)) if !stem.is_empty() && !low.is_empty() => (stem, low),
        _ => (digits, &name[digits.len()..]),
    };
    let indices = positions.split(['[', ']']).map(str::to_string);
    let subscripts = [subscript(low)].into_iter().chain(indices);
    let subscripts: Vec<String> = subscripts.filter(|index| !index.is_empty()).collect();
    match subscripts.join(",") {
        none if none.is_empty() => letters(stem),
        all => format!("{}_{{{all}}}", letters(stem)),
    }
}

/// A name as it is typed.
fn typewriter(name: &str) -> String {
    format!(r"\mathtt{{{}}}", name.replace('_', r"\_"))
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

/// The lower part of a name: numbers and single letters as they are, words upright.
fn subscript(low: &str) -> String {
    if low.len() <= 1 || low.bytes().all(|digit| digit.is_ascii_digit()) {
        return low.to_string();
    }
    greek_word(low).unwrap_or_else(|| format!(r"\mathrm{{{}}}", low.replace('_', ",")))
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
            ("a@1", r"\mathtt{a@1}"),
            ("alpha", r"\alpha"),
            ("α", r"\alpha"),
            ("Δ", r"\Delta"),
            ("pi", r"\pi"),
            ("σ_x", r"\sigma_{x}"),
        ] {
            assert_eq!(symbol(name), expected, "{name}");
        }
    }
}
