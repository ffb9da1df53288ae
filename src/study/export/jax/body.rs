//! The statements of a function, its result and what it has to be given.
//!
//! A formula that is used once and has no name stands where it is used. Everything else becomes a variable.

use rustc_hash::FxHashMap;

use super::formula::{ATOM, Formula, PRODUCT, SUM, bindings, delicate, exponent, pair};
use super::lists::Lists;
use super::module::{ArrayFunction, Module};
use super::plan::{ArrayPlan, Manner, PlanStep};
use super::scope::{Array, HowMade, ItemId, Scope};
use crate::ops::{Dialect, Op};
use crate::stop;
use crate::study::export::identifiers::Identifiers;
use crate::study::export::program::has_name;
use crate::study::spelling::{self, WordMeanings};

/// A longer formula gets a variable.
const LONGEST: usize = 88;

/// The function that computes a scope.
pub(super) fn function(scope: &Scope, module: &mut Module) -> ArrayFunction {
    written(scope, module, None)
}

/// The same; the outermost one takes what is given from lists.
pub(super) fn written(
    scope: &Scope,
    module: &mut Module,
    lists: Option<&mut Lists>,
) -> ArrayFunction {
    let before = module.operations;
    let plan = ArrayPlan::of(scope, module, function);
    let taken = Dialect::Jax.reserved().map(|word| -> &str { word });
    let taken = taken.chain(module.taken.iter().map(String::as_str));
    let mut identifiers = Identifiers::except(taken);
    if let Some(lists) = &lists {
        lists.names().for_each(|name| {
            identifiers.of(name);
        });
    }
    let mut writer = Writer {
        scope,
        plan: &plan,
        module,
        lists,
        identifiers,
        formulas: FxHashMap::default(),
        families: vec![Formula::atom(""); plan.families.len()],
        arguments: Vec::new(),
        known: FxHashMap::default(),
        lines: Vec::new(),
        broadcasts: true,
        variables: 0,
    };
    for step in stop::asking(plan.steps.iter().rev()) {
        match *step {
            PlanStep::Single(place) => writer.single(place),
            PlanStep::Family(number) => writer.family(number, &plan.families[number]),
        }
    }
    let formula = writer.formula(scope.root());
    let broadcasts = writer.broadcasts && writer.lines.is_empty();
    let (lines, mut arguments) = (writer.lines, writer.arguments);
    // What is mapped comes last.
    arguments.sort_by_key(|(array, _)| array.items.iter().any(|&hole| scope.item(hole).is_mapped));
    ArrayFunction {
        broadcasts,
        formula,
        lines,
        arguments,
        operations: module.operations - before,
    }
}

/// Where an item comes from, if there are arrays of such items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Provenance {
    Hole,
    List(usize),
    Family(usize),
    Number,
    Single,
}

pub(super) struct Writer<'w, 'm, 's> {
    pub scope: &'w Scope,
    pub plan: &'w ArrayPlan,
    pub module: &'m mut Module<'s>,
    pub lists: Option<&'m mut Lists>,
    pub identifiers: Identifiers,
    pub formulas: FxHashMap<ItemId, Formula>,
    pub families: Vec<Formula>,
    pub arguments: Vec<(Array, String)>,
    pub known: FxHashMap<Array, String>,
    pub lines: Vec<String>,
    pub broadcasts: bool,
    /// How many variables have no name of the user's.
    variables: usize,
}

impl Writer<'_, '_, '_> {
    /// What stands for an item.
    pub(super) fn formula(&mut self, place: ItemId) -> Formula {
        if let Some(formula) = self.formulas.get(&place) {
            return formula.clone();
        }
        match self.source(place) {
            (Provenance::Number, _) => match self.scope.item(place).kind {
                HowMade::Number(number) => Formula::atom(Dialect::Jax.literal(number)),
                _ => Formula::atom(""),
            },
            (Provenance::Family(family), at) => {
                self.broadcasts = false;
                let name = self.families[family].within(ATOM);
                Formula::atom(format!("{name}[{at}]"))
            }
            _ => Formula::atom(self.array(&Array {
                shape: Vec::new(),
                items: vec![place],
            })),
        }
    }

    pub(super) fn source(&self, place: ItemId) -> (Provenance, usize) {
        if let Some(&(family, at)) = self.plan.members.get(&place) {
            return (Provenance::Family(family), at);
        }
        match (&self.scope.item(place).kind, &self.lists) {
            (HowMade::Number(_), _) => (Provenance::Number, 0),
            (HowMade::Op(..), _) => (Provenance::Single, 0),
            (HowMade::Hole, None) => (Provenance::Hole, 0),
            (HowMade::Hole, Some(lists)) => {
                let (list, at) = lists.place(place);
                (Provenance::List(list), at)
            }
        }
    }

    /// Makes a formula a variable, unless it can stand where it is used.
    pub(super) fn store(&mut self, formula: Formula, name: Option<String>, uses: u32) -> Formula {
        if name.is_none() && uses == 1 && formula.text.len() <= LONGEST {
            return formula;
        }
        let name = name.unwrap_or_else(|| {
            self.variables += 1;
            format!("v{}", self.variables)
        });
        let name = self.identifiers.of(&name);
        self.lines.push(format!("{name} = {}", formula.text));
        Formula::atom(name)
    }

    fn single(&mut self, place: ItemId) {
        let HowMade::Op(op, operands) = &self.scope.item(place).kind else {
            return;
        };
        self.module.operations += 1;
        let formula = match self.plan.manners.get(&place) {
            Some(Manner::Sum(terms)) => self.sum(terms),
            Some(Manner::Dot(left, right)) => self.dot(left, right),
            Some(Manner::Whole) => self.whole(op, operands),
            _ => self.plain(place, op, operands),
        };
        let node = &self.scope.item(place).node;
        let is_root = place == self.scope.root();
        let name = has_name(self.module.session, node) && !is_root;
        let name = name
            .then(|| self.module.name(self.scope, &[place]))
            .flatten();
        let uses = if is_root {
            1
        } else {
            self.plan.uses[place as usize]
        };
        let formula = if is_root {
            formula
        } else {
            self.store(formula, name, uses)
        };
        self.formulas.insert(place, formula);
    }

    fn plain(&mut self, place: ItemId, op: &'static Op, operands: &[ItemId]) -> Formula {
        let pair = pair(op, operands.len());
        let Some(template) = pair
            .or_else(|| self.module.templates.of(op))
            .map(str::to_string)
        else {
            self.module.missing = Some(op);
            return Formula::atom("0.0");
        };
        if let Some(mean) = self.mean(&template, operands) {
            return mean;
        }
        let (binding, inner) = bindings(&template);
        let guard = self.guard(place);
        let is_whole = |&place: &ItemId| match self.scope.item(place).kind {
            HowMade::Number(number) => number >= 1.0 && number.fract() == 0.0,
            _ => false,
        };
        // A whole power is smooth.
        let is_smooth = template == "x**y" && operands.get(1).is_some_and(is_whole);
        let delicate = delicate(&template).filter(|_| guard.is_some() && !is_smooth);
        let mut texts = Vec::with_capacity(operands.len());
        for (at, &operand) in operands.iter().enumerate() {
            let formula = self.formula(operand);
            let within = inner[at.min(1)];
            texts.push(match (&self.scope.item(operand).kind, &guard) {
                (HowMade::Number(number), _) if template == "x**y" && at == 1 => exponent(*number),
                (HowMade::Hole | HowMade::Op(..), Some(guard)) if delicate == Some(at) => {
                    format!("jnp.where({guard}, {}, 1.0)", formula.text)
                }
                _ => formula.within(within),
            });
        }
        let words = WordMeanings {
            operands: &texts,
            list: "",
            out: "",
        };
        Formula {
            text: spelling::filled(&template, words),
            binding,
        }
    }

    /// The conditions under which an item is of use. Where they do not hold, what it is computed from is replaced, lest
    /// an infinite derivative meets the 0 that comes from above.
    fn guard(&mut self, place: ItemId) -> Option<String> {
        let guards = self.plan.guards.get(&place)?;
        let texts = guards.iter().map(|guard| {
            let sign = if guard.holds { "!=" } else { "==" };
            format!("{} {sign} 0", self.formula(guard.condition).text)
        });
        let texts: Vec<String> = texts.collect();
        Some(match &texts[..] {
            [text] => text.clone(),
            _ => format!("({})", texts.join(") & (")),
        })
    }

    /// `jnp.mean` of a sum over as many terms as it is divided by.
    fn mean(&mut self, template: &str, operands: &[ItemId]) -> Option<Formula> {
        let &[sum, count] = operands else { return None };
        let HowMade::Number(count) = self.scope.item(count).kind else {
            return None;
        };
        let Some(Manner::Sum(terms)) = self.plan.manners.get(&sum) else {
            return None;
        };
        let formula = self.formulas.get(&sum)?;
        let inner = formula.text.strip_prefix("jnp.sum(")?;
        let is_mean = template == "x / y" && count == terms.len() as f64 && formula.binding == ATOM;
        is_mean.then(|| Formula::atom(format!("jnp.mean({inner}")))
    }

    /// Terms that are computed together are added up together.
    fn sum(&mut self, terms: &[ItemId]) -> Formula {
        let mut pieces: Vec<Vec<ItemId>> = Vec::new();
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        for &term in terms {
            // Everything that is given is one piece.
            let key = match self.source(term).0 {
                Provenance::Family(family) => family + 1,
                Provenance::Single => {
                    pieces.push(vec![term]);
                    continue;
                }
                _ => 0,
            };
            let piece = *places.entry(key).or_insert(pieces.len());
            if piece == pieces.len() {
                pieces.push(Vec::new());
            }
            pieces[piece].push(term);
        }
        let mut texts = Vec::with_capacity(pieces.len());
        let count = pieces.len();
        let mut last = Formula::atom("0.0");
        for piece in pieces {
            last = if let [term] = piece[..] {
                self.formula(term)
            } else {
                self.broadcasts = false;
                let array = self.array(&Array {
                    shape: vec![piece.len()],
                    items: piece,
                });
                Formula::atom(format!("jnp.sum({array})"))
            };
            texts.push(last.within(if texts.is_empty() { SUM } else { PRODUCT }));
        }
        if count == 1 {
            return last;
        }
        Formula {
            text: self.joined(&texts),
            binding: SUM,
        }
    }

    /// A sum of single terms, a few of them in a statement.
    fn joined(&mut self, texts: &[String]) -> String {
        const TERMS: usize = 8;
        let Some((first, more)) = texts.split_at_checked(TERMS) else {
            return texts.join(" + ");
        };
        if more.is_empty() {
            return texts.join(" + ");
        }
        let name = self.identifiers.of("total");
        self.lines.push(format!("{name} = {}", first.join(" + ")));
        for terms in more.chunks(TERMS) {
            self.lines
                .push(format!("{name} = {name} + {}", terms.join(" + ")));
        }
        name
    }

    fn dot(&mut self, left: &[ItemId], right: &[ItemId]) -> Formula {
        self.module.operations += 1;
        let is_mapped =
            |side: &[ItemId]| side.iter().any(|&place| self.scope.item(place).is_mapped);
        let is_given = |side: &[ItemId]| {
            side.iter()
                .all(|&place| matches!(self.scope.item(place).kind, HowMade::Hole))
        };
        let (first, second) = (is_mapped(left), is_mapped(right));
        // A matrix times a vector: rows come first.
        self.broadcasts &= is_given(left) && is_given(right) && first != second;
        let (left, right) = if second && !first {
            (right, left)
        } else {
            (left, right)
        };
        let texts = [left, right].map(|side| {
            self.array(&Array {
                shape: vec![side.len()],
                items: side.to_vec(),
            })
        });
        Formula::atom(format!("jnp.dot({})", texts.join(", ")))
    }

    fn whole(&mut self, op: &'static Op, operands: &[ItemId]) -> Formula {
        self.broadcasts = false;
        let list = self.array(&Array {
            shape: vec![operands.len()],
            items: operands.to_vec(),
        });
        let words = WordMeanings {
            operands: &[],
            list: &list,
            out: "",
        };
        if let Some(template) = self.module.templates.of(op) {
            return Formula::atom(spelling::filled(template, words));
        }
        self.module.missing = Some(op);
        Formula::atom("0.0")
    }
}
