//! Writes a root and its gradient as formulas of LaTeX: definitions, then a closed form for each free leaf.
//!
//! Derivatives have the form of textbooks, `1 - o^2`, and products are single fractions. A formula stops at nodes with
//! names. A part that would be too long to read becomes an auxiliary quantity with its own line, so that the document grows
//! no faster than the graph.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use unicode_normalization::UnicodeNormalization;

use super::identifiers::{greek_word, plain};
use super::tex_formula::{self, PowerProduct, TexBinding, TexFormula};
use super::{Computation, first_line, has_name, variable_name};
use crate::session::{Error, Session};
use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId, Spelling};
use chainrule_stop as stop;

/// The most symbols of a formula: about as many as a line of a page holds.
const MAX_SYMBOLS: usize = 40;

/// Powers with larger exponents are not joined: `x^{100}` is still a formula from a book.
const MOST_EXPONENT: f64 = 100.0;

/// Returns the formulas as an `align` environment.
pub fn tex(session: &mut Session, computation: &Computation) -> Result<String, Error> {
    let slopes = session.derivatives(&computation.root, &computation.leaves, true)?;
    let formulas = Formulas::new(session, computation, &slopes);
    let root = &computation.root;
    let function = formulas.formula(root).text;
    let has_line = |node: &&Rc<Node>| has_name(session, node) || Rc::ptr_eq(node, root);
    let named = stop::with_checks(computation.computed.iter().rev()).filter(has_line);
    let definitions = named.chain(&formulas.auxiliary);
    let line = |node: &Rc<Node>| {
        let (symbol, definition) = (formulas.formula(node), formulas.definition(node));
        format!("{} &= {}", symbol.text, definition.text)
    };
    let mut lines: Vec<String> = definitions.map(line).collect();
    for (leaf, slope) in computation.leaves.iter().zip(&slopes) {
        let variable = formulas.formula(leaf).text;
        let derivative = formulas.formula(slope).text;
        lines.push(format!(
            r"\frac{{\partial {function}}}{{\partial {variable}}} &= {derivative}"
        ));
    }
    Ok(format!(
        "% {}\n% In the preamble: \\usepackage{{amsmath}}\n\\begin{{align}}\n  {}\n\\end{{align}}\n",
        first_line(),
        lines.join(" \\\\\n  ")
    ))
}

/// The formulas of some nodes.
struct Formulas {
    /// The symbols of nodes that have a name or are auxiliary quantities.
    symbols: FxHashMap<NodeId, String>,
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
        formulas.symbols.entry(root).or_insert(root_symbol);
        formulas.shorten(&nodes);
        formulas
    }

    /// Returns the symbol of a node with a name, and remembers it.
    fn name_symbol(&mut self, session: &Session, node: &Rc<Node>) -> String {
        if let Some(known) = self.symbols.get(&node.id()) {
            return known.clone();
        }
        let name = variable_name(session, node);
        let mut symbol = symbol(&name);
        if self.taken.contains(&symbol) {
            // `x1`, `x_1` and `x[1]` are all x_{1}.
            symbol = typewriter(&name);
        }
        self.taken.insert(symbol.clone());
        self.symbols.insert(node.id(), symbol.clone());
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
            if !self.symbols.contains_key(&node.id()) {
                let operands = node.operands().iter().map(|operand| sizes[&operand.id()]);
                size += operands.sum::<usize>();
            }
            if size > MAX_SYMBOLS {
                let symbol = format!("{letter}_{{{}}}", self.auxiliary.len() + 1);
                self.symbols.insert(node.id(), symbol);
                self.auxiliary.push(Rc::clone(node));
                size = 1;
            }
            sizes.insert(node.id(), size);
        }
    }

    /// Returns the formula by which users of a node refer to it: the symbol, or else the definition. Nodes without a symbol
    /// have short formulas, so the recursion is shallow.
    fn formula(&self, node: &Rc<Node>) -> TexFormula {
        match self.symbols.get(&node.id()) {
            Some(symbol) => TexFormula::new(symbol.clone(), TexBinding::Atom),
            None => self.definition(node),
        }
    }

    /// Returns the formula of a node in terms of its operands.
    fn definition(&self, node: &Rc<Node>) -> TexFormula {
        let Some(op) = node.op() else {
            return match node.spelling() {
                Some(Spelling::Named(name)) => TexFormula::new(symbol(name), TexBinding::Atom),
                _ => tex_formula::literal(node.data()),
            };
        };
        if let Some(exponents) = exponents(node) {
            let mut product = PowerProduct::default();
            self.multiply_operands(&mut product, node, &exponents, 2);
            return product.fraction();
        }
        let formulas = node.operands().iter().map(|it| self.formula(it));
        let operands: Vec<TexFormula> = formulas.collect();
        tex_formula::tex(op, &operands)
    }

    /// Multiplies a product by a power of a node. The exponent is given in halves. Factors of the node become factors of
    /// the product, unless the node has a symbol.
    fn multiply(&self, product: &mut PowerProduct, node: &Rc<Node>, halves: i32) {
        let has_symbol = self.symbols.contains_key(&node.id());
        if let Some(number) = plain_number(node)
            && !has_symbol
            && halves.abs() == 2
        {
            product.has_minus ^= number < 0.0;
            return product.scale(number.abs(), halves);
        }
        match exponents(node) {
            Some(exponents) if !has_symbol && is_distributed(&exponents, halves) => {
                self.multiply_operands(product, node, &exponents, halves);
            }
            _ => product.multiply(self.formula(node), halves),
        }
    }

    /// Multiplies a product by a power of a node that is itself a product of powers of its operands.
    fn multiply_operands(
        &self,
        product: &mut PowerProduct,
        node: &Rc<Node>,
        exponents: &[i32],
        halves: i32,
    ) {
        let is_negation = node.op().is_some_and(|op| op.name == "negation");
        product.has_minus ^= is_negation && halves / 2 % 2 != 0;
        let operands = node.operands().iter().zip(exponents);
        for (operand, exponent) in operands.filter(|(_, exponent)| **exponent != 0) {
            self.multiply(product, operand, exponent * (halves / 2));
        }
    }
}

/// Returns whether an exponent, in halves, is distributed to the powers of a product. `(a*b)^2` and the root of a product
/// are not changed.
fn is_distributed(exponents: &[i32], halves: i32) -> bool {
    let powers = exponents.iter().filter(|exponent| **exponent != 0);
    halves % 2 == 0 && (halves.abs() == 2 || powers.count() == 1)
}

/// Returns the exponents of the operands, in halves, if a node is a product of powers of its operands, perhaps with a
/// minus in front.
fn exponents(node: &Node) -> Option<Vec<i32>> {
    let numbers: Vec<Option<f64>> = node.operands().iter().map(|it| plain_number(it)).collect();
    let is_exponent =
        |number: &f64| number.fract() == 0.0 && (2.0..=MOST_EXPONENT).contains(number);
    Some(match (node.op()?.name, &numbers[..]) {
        ("multiplication" | "chain" | "prod", _) => vec![2; numbers.len()],
        ("division", _) => vec![2, -2],
        ("negation", _) => vec![2],
        ("recip", _) => vec![-2],
        ("square", _) => vec![4],
        ("cube", _) => vec![6],
        ("sqrt", _) => vec![1],
        ("rsqrt", _) => vec![-1],
        ("power", [_, Some(exponent)]) if is_exponent(exponent) => vec![2 * *exponent as i32, 0],
        _ => return None,
    })
}

/// Returns the number of a constant without a name.
fn plain_number(node: &Node) -> Option<f64> {
    let spelling = node.spelling()?;
    let is_plain = !matches!(spelling, Spelling::Named(_));
    (is_plain && node.data().is_finite()).then(|| node.data())
}

/// Returns a name as mathematics writes it: `w[2]` is w_{2}, `x1` x_{1}, `loss` \mathit{loss}, `alpha` and `α` \alpha,
/// `a@1` as it is.
fn symbol(name: &str) -> String {
    if name.contains('@') {
        return typewriter(name);
    }
    // `w_out[1][2]` is the word `w_out` with positions, and the word is the stem `w` with the low part `out`. The low
    // part of `x1` is `1`.
    let plain_name: String = name.chars().map(plain).nfc().collect();
    let word_end = plain_name.find('[').unwrap_or(plain_name.len());
    let (word, positions) = plain_name.split_at(word_end);
    let without_digits = word.trim_end_matches(|c: char| c.is_numeric());
    let (stem, low) = match word.split_once('_') {
        Some((stem, low)) if !stem.is_empty() && !low.is_empty() => (stem, low),
        _ => word.split_at(without_digits.len()),
    };
    let indices = positions.split(['[', ']']).map(str::to_string);
    let parts = std::iter::once(subscript(low)).chain(indices);
    let subscripts: Vec<String> = parts.filter(|index| !index.is_empty()).collect();
    if subscripts.is_empty() {
        return letters(stem);
    }
    format!("{}_{{{}}}", letters(stem), subscripts.join(","))
}

/// Returns a name as the user types it.
fn typewriter(name: &str) -> String {
    format!(r"\mathtt{{{}}}", name.replace('_', r"\_"))
}

/// Returns the part of a name that stands for the quantity.
fn letters(stem: &str) -> String {
    if let Some(word) = greek_word(stem) {
        return word;
    }
    match stem.chars().count() {
        1 if stem.is_ascii() => stem.to_string(),
        _ => format!(r"\mathit{{{}}}", stem.replace('_', r"\_")),
    }
}

/// Returns the part of a name that becomes a subscript: numbers and single letters unchanged, words upright.
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
