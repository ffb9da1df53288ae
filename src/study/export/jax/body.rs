//! The text of a function: its statements, its result and what it has to be given.
//!
//! A formula that is used once and has no name stands where it is used. Everything else becomes a variable.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::lists::Lists;
use super::plan::{Array, Family, Manner, Plan, Step};
use super::scope::{Kind, Place, Scope, Structure};
use crate::graph::Node;
use crate::ops::{Dialect, Op, TABLE, word_by_word};
use crate::session::Session;
use crate::stop;
use crate::study::export::files::listed;
use crate::study::export::identifiers::Identifiers;
use crate::study::export::program::{called, has_name};
use crate::study::spelling::{self, WordMeanings};

/// A longer formula gets a variable.
const LONGEST: usize = 88;

/// Lines end before this column where they can.
const WIDTH: usize = 100;

/// How tightly the outermost operator of a text binds.
type Binding = u8;
const SUM: Binding = 0;
const PRODUCT: Binding = 1;
const POWER: Binding = 2;
const ATOM: Binding = 3;

/// A formula.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    pub text: String,
    binding: Binding,
}

impl Formula {
    fn atom(text: impl Into<String>) -> Formula {
        Formula {
            text: text.into(),
            binding: ATOM,
        }
    }

    /// As an operand of what binds so tightly.
    fn within(&self, binding: Binding) -> String {
        if self.binding < binding {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// What all functions of a file share.
pub(super) struct Module<'s> {
    pub session: &'s Session,
    /// The functions, each after those that it calls.
    pub functions: Vec<String>,
    /// Their names, by everything else of their text.
    names: FxHashMap<String, String>,
    taken: Vec<String>,
    /// What nodes of the user are called.
    own: Vec<String>,
    /// How each operation is written.
    templates: Vec<Option<String>>,
    /// The operations that are written.
    pub operations: usize,
    /// An operation that the language lacks.
    pub missing: Option<&'static Op>,
}

impl<'s> Module<'s> {
    pub(super) fn new(session: &'s Session, own: Vec<String>) -> Module<'s> {
        Module {
            session,
            functions: Vec::new(),
            names: FxHashMap::default(),
            taken: Vec::new(),
            own,
            templates: TABLE.iter().map(|op| Dialect::Jax.value(op)).collect(),
            operations: 0,
            missing: None,
        }
    }

    /// How an operation is written.
    pub(super) fn template(&self, op: &'static Op) -> Option<&str> {
        self.templates[op.index()].as_deref()
    }

    /// Does an operation choose between its second and its third operand by the first?
    pub(super) fn chooses(&self, op: &'static Op) -> bool {
        self.template(op) == Some("jnp.where(x != 0, y, z)")
    }

    /// How an operation of any number of operands is written between two.
    pub(super) fn pair(&self, op: &Op, count: usize) -> Option<&'static str> {
        Dialect::Jax.between_two(op).filter(|_| count == 2)
    }

    /// Can a formula stand where it is used?
    pub(super) fn is_hidden(&self, place: Place, scope: &Scope, structure: &Structure) -> bool {
        let is_named = has_name(self.session, &scope.item(place).node);
        structure.uses[place as usize] == 1 && !is_named
    }

    /// What some items are called in common: the name of their list, or what their names begin with.
    fn name(&self, scope: &Scope, items: &[Place]) -> Option<String> {
        let mut names = [items.first()?, items.last()?].map(|&place| {
            let node = &scope.item(place).node;
            let is_named = has_name(self.session, node) && node.varies();
            let name = is_named.then(|| called(self.session, node))?;
            Some(match name.split_once('[') {
                Some((list, _)) => list.to_string(),
                None => name,
            })
        });
        let (first, last) = (names[0].take()?, names[1].take()?);
        if first == last {
            return Some(first);
        }
        let common = first.chars().zip(last.chars());
        let common: String = common.take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        let stem = common.trim_end_matches(|c: char| !c.is_alphabetic());
        (!stem.is_empty()).then(|| stem.to_string())
    }

    /// Adds a function, unless there is one like it, and returns its name.
    fn function(&mut self, stem: &str, body: &Body, of: (&Rc<Node>, usize)) -> String {
        let arguments: Vec<&str> = body.arguments.iter().map(|(_, name)| &**name).collect();
        let mut text = format!("({}):\n", arguments.join(", "));
        for line in &body.lines {
            text.extend(["    ", line, "\n"]);
        }
        text.extend(["    return ", &body.formula.text]);
        if let Some(name) = self.names.get(&text) {
            return name.clone();
        }
        let taken = Dialect::Jax.reserved().map(|word| -> &str { word });
        let taken = taken.chain(self.taken.iter().map(String::as_str));
        let taken = taken.chain(self.own.iter().map(String::as_str));
        let name = Identifiers::except(taken).of(stem);
        let expression = self.session.expression(of.0);
        let is_short = expression.chars().count() < WIDTH - 30 && !expression.contains(['\n', '\r']);
        let about = match is_short {
            true => format!("# {expression} and {} more like it\n", of.1 - 1),
            false => format!("# One of {} that are alike\n", of.1),
        };
        self.functions.push(format!("{about}def {name}{text}"));
        self.taken.push(name.clone());
        self.names.insert(text, name.clone());
        name
    }
}

/// A function without its name.
#[derive(Debug)]
pub(super) struct Body {
    pub lines: Vec<String>,
    pub formula: Formula,
    pub arguments: Vec<(Array, String)>,
    /// Does the formula also hold with arrays in place of the numbers that are mapped?
    broadcasts: bool,
    operations: usize,
}

impl Body {
    /// The function that computes a scope.
    pub(super) fn of(scope: &Scope, module: &mut Module) -> Body {
        Body::with(scope, module, None)
    }

    /// The same; the outermost one takes what is given from lists.
    pub(super) fn with(scope: &Scope, module: &mut Module, lists: Option<&mut Lists>) -> Body {
        let before = module.operations;
        let plan = Plan::of(scope, module);
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
                Step::Single(place) => writer.single(place),
                Step::Family(number) => writer.family(number, &plan.families[number]),
            }
        }
        let formula = writer.formula(scope.root());
        let broadcasts = writer.broadcasts && writer.lines.is_empty();
        let (lines, mut arguments) = (writer.lines, writer.arguments);
        // What is mapped comes last.
        arguments.sort_by_key(|(array, _)| {
            array.items.iter().any(|&hole| scope.item(hole).is_mapped)
        });
        Body {
            broadcasts,
            formula,
            lines,
            arguments,
            operations: module.operations - before,
        }
    }
}

/// Where an item comes from, if there are arrays of such items.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Hole,
    List(usize),
    Family(usize),
    Number,
    Single,
}

struct Writer<'w, 'm, 's> {
    scope: &'w Scope,
    plan: &'w Plan,
    module: &'m mut Module<'s>,
    lists: Option<&'m mut Lists>,
    identifiers: Identifiers,
    formulas: FxHashMap<Place, Formula>,
    families: Vec<Formula>,
    arguments: Vec<(Array, String)>,
    known: FxHashMap<Array, String>,
    lines: Vec<String>,
    broadcasts: bool,
    /// How many variables have no name of the user's.
    variables: usize,
}

impl Writer<'_, '_, '_> {
    /// What stands for an item.
    fn formula(&mut self, place: Place) -> Formula {
        if let Some(formula) = self.formulas.get(&place) {
            return formula.clone();
        }
        match self.source(place) {
            (Source::Number, _) => match self.scope.item(place).kind {
                Kind::Number(number) => Formula::atom(Dialect::Jax.literal(number)),
                _ => Formula::atom(""),
            },
            (Source::Family(family), at) => {
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

    fn source(&self, place: Place) -> (Source, usize) {
        if let Some(&(family, at)) = self.plan.members.get(&place) {
            return (Source::Family(family), at);
        }
        match (&self.scope.item(place).kind, &self.lists) {
            (Kind::Number(_), _) => (Source::Number, 0),
            (Kind::Op(..), _) => (Source::Single, 0),
            (Kind::Hole, None) => (Source::Hole, 0),
            (Kind::Hole, Some(lists)) => {
                let (list, at) = lists.place(place);
                (Source::List(list), at)
            }
        }
    }

    /// Makes a formula a variable, unless it can stand where it is used.
    fn store(&mut self, formula: Formula, name: Option<String>, uses: u32) -> Formula {
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

    fn single(&mut self, place: Place) {
        let Kind::Op(op, operands) = &self.scope.item(place).kind else {
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
        let name = name.then(|| self.module.name(self.scope, &[place])).flatten();
        let uses = if is_root { 1 } else { self.plan.uses[place as usize] };
        let formula = if is_root { formula } else { self.store(formula, name, uses) };
        self.formulas.insert(place, formula);
    }

    fn plain(&mut self, place: Place, op: &'static Op, operands: &[Place]) -> Formula {
        let pair = self.module.pair(op, operands.len());
        let Some(template) = pair.or_else(|| self.module.template(op)).map(str::to_string) else {
            self.module.missing = Some(op);
            return Formula::atom("0.0");
        };
        if let Some(mean) = self.mean(&template, operands) {
            return mean;
        }
        let (binding, inner) = bindings(&template);
        let guard = self.guard(place);
        let delicate = delicate(&template).filter(|_| guard.is_some());
        let mut texts = Vec::with_capacity(operands.len());
        for (at, &operand) in operands.iter().enumerate() {
            let formula = self.formula(operand);
            let within = inner[at.min(1)];
            texts.push(match (&self.scope.item(operand).kind, &guard) {
                (Kind::Number(number), _) if template == "x**y" && at == 1 => exponent(*number),
                (Kind::Hole | Kind::Op(..), Some(guard)) if delicate == Some(at) => {
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
    fn guard(&mut self, place: Place) -> Option<String> {
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
    fn mean(&mut self, template: &str, operands: &[Place]) -> Option<Formula> {
        let &[sum, count] = operands else { return None };
        let Kind::Number(count) = self.scope.item(count).kind else {
            return None;
        };
        let Some(Manner::Sum(terms)) = self.plan.manners.get(&sum) else {
            return None;
        };
        let formula = self.formulas.get(&sum)?;
        let inner = formula.text.strip_prefix("jnp.sum(")?;
        let is_mean =
            template == "x / y" && count == terms.len() as f64 && formula.binding == ATOM;
        is_mean.then(|| Formula::atom(format!("jnp.mean({inner}")))
    }

    /// Terms that are computed together are added up together.
    fn sum(&mut self, terms: &[Place]) -> Formula {
        let mut pieces: Vec<Vec<Place>> = Vec::new();
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        for &term in terms {
            // Everything that is given is one piece.
            let key = match self.source(term).0 {
                Source::Family(family) => family + 1,
                Source::Single => {
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
            last = match piece[..] {
                [term] => self.formula(term),
                _ => {
                    self.broadcasts = false;
                    let array = self.array(&Array {
                        shape: vec![piece.len()],
                        items: piece,
                    });
                    Formula::atom(format!("jnp.sum({array})"))
                }
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

    fn dot(&mut self, left: &[Place], right: &[Place]) -> Formula {
        self.module.operations += 1;
        let is_mapped = |side: &[Place]| side.iter().any(|&place| self.scope.item(place).is_mapped);
        let is_given = |side: &[Place]| {
            side.iter()
                .all(|&place| matches!(self.scope.item(place).kind, Kind::Hole))
        };
        let (first, second) = (is_mapped(left), is_mapped(right));
        // A matrix times a vector: rows come first.
        self.broadcasts &= is_given(left) && is_given(right) && first != second;
        let (left, right) = if second && !first { (right, left) } else { (left, right) };
        let texts = [left, right].map(|side| {
            self.array(&Array {
                shape: vec![side.len()],
                items: side.to_vec(),
            })
        });
        Formula::atom(format!("jnp.dot({})", texts.join(", ")))
    }

    fn whole(&mut self, op: &'static Op, operands: &[Place]) -> Formula {
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
        match self.module.template(op) {
            Some(template) => Formula::atom(spelling::filled(template, words)),
            None => {
                self.module.missing = Some(op);
                Formula::atom("0.0")
            }
        }
    }

    /// Calls the function of a family for all its members.
    fn family(&mut self, number: usize, family: &Family) {
        let given = family.arguments.iter().map(|argument| match argument.array.items[..] {
            [item] if argument.array.shape.is_empty() => self.formula(item),
            _ => Formula::atom(self.array(&argument.array)),
        });
        let given: Vec<Formula> = given.collect();
        let scope = self.scope;
        let is_data = |place: &Place| scope.item(*place).node.is_frozen();
        let mut mapped = family.arguments.iter().filter(|argument| argument.is_mapped);
        let over_data = self.lists.is_some()
            && mapped.any(|argument| argument.array.items.iter().any(is_data));
        let body = &family.body;
        let name = self.module.name(scope, &family.members);
        let formula = if body.broadcasts && (!over_data || body.operations < 2) {
            self.substituted(body, given)
        } else {
            let stem = match (&name, family.are_terms) {
                (Some(name), _) => format!("one_{name}"),
                (None, true) => "term".to_string(),
                (None, false) => "unit".to_string(),
            };
            let example = &scope.item(family.members[0]).node;
            let function = self.module.function(&stem, body, (example, family.members.len()));
            let axes: Vec<String> = family
                .arguments
                .iter()
                .map(|argument| if argument.is_mapped { "0" } else { "None" }.to_string())
                .collect();
            if let Some(lists) = &mut self.lists {
                let mapped = family.arguments.iter().filter(|argument| argument.is_mapped);
                lists.batch(family.members.len(), mapped.map(|argument| &argument.array));
            }
            let comma = if axes.len() == 1 { "," } else { "" };
            let axes = axes.join(", ");
            let call = format!("jax.vmap({function}, in_axes=({axes}{comma}))");
            let given: Vec<String> = given.into_iter().map(|formula| formula.text).collect();
            let given = given.join(", ");
            let is_long = call.len() + given.len() > WIDTH - 16;
            let given = if is_long {
                format!("(\n        {given})")
            } else {
                format!("({given})")
            };
            Formula::atom(format!("{call}{given}"))
        };
        self.broadcasts = false;
        let members = family.members.iter().map(|&member| member as usize);
        let uses = members.map(|member| {
            self.plan.uses[member] + u32::from(self.plan.needed[member])
        });
        let uses = uses.max().unwrap_or(0);
        let is_called = formula.text.starts_with("jax.vmap(");
        let terms = (is_called && family.are_terms).then(|| "terms".to_string());
        self.families[number] = self.store(formula, name.or(terms), uses);
    }

    /// The formula of a body, with what its arguments stand for.
    fn substituted(&mut self, body: &Body, given: Vec<Formula>) -> Formula {
        let words: Vec<&str> = word_by_word(&body.formula.text).map(|part| part.0).collect();
        let mut texts = Vec::with_capacity(given.len());
        for ((_, name), formula) in body.arguments.iter().zip(given) {
            // What is used twice is not written twice.
            let uses = words.iter().filter(|word| *word == name).count() as u32;
            let is_word = formula.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let formula = if is_word { formula } else { self.store(formula, None, uses) };
            texts.push(formula.within(ATOM));
        }
        let mut text = String::new();
        for (word, after) in word_by_word(&body.formula.text) {
            let at = body.arguments.iter().position(|(_, name)| name == word);
            text.push_str(at.map_or(word, |at| &texts[at]));
            text.push_str(after);
        }
        Formula {
            text,
            binding: body.formula.binding,
        }
    }

    /// What stands for an array.
    fn array(&mut self, array: &Array) -> String {
        let (source, _) = self.source(array.items[0]);
        let same = array.items.iter().all(|&item| self.source(item).0 == source);
        match source {
            _ if !same => {}
            Source::Hole => return self.argument(array),
            Source::List(list) => {
                if let Some(lists) = &mut self.lists {
                    let places = array.items.iter().map(|&item| lists.place(item).1);
                    let places: Vec<usize> = places.collect();
                    return lists.gathered(list, &array.shape, &places);
                }
            }
            Source::Family(family) => {
                self.broadcasts = false;
                let places: Vec<usize> =
                    array.items.iter().map(|&item| self.source(item).1).collect();
                let name = self.families[family].within(ATOM);
                let all = [self.plan.families[family].members.len()];
                let bare = &self.families[family].text;
                return super::lists::picked(&name, bare, &all, &array.shape, &places);
            }
            Source::Number => {
                self.broadcasts = false;
                let numbers = array.items.iter().map(|&item| match self.scope.item(item).kind {
                    Kind::Number(number) => number,
                    _ => f64::NAN,
                });
                let numbers: Vec<f64> = numbers.collect();
                return match &mut self.lists {
                    Some(lists) => lists.numbers(&mut self.identifiers, &array.shape, numbers),
                    None => super::lists::literal(&array.shape, &numbers, 8),
                };
            }
            Source::Single => {}
        }
        self.broadcasts = false;
        match array.shape[..] {
            [] => self.formula(array.items[0]).text,
            [_] => self.runs(&array.items),
            _ => self.stacked(array),
        }
    }

    /// A list of items from several places.
    fn runs(&mut self, items: &[Place]) -> String {
        let sources: Vec<(Source, usize)> = items.iter().map(|&item| self.source(item)).collect();
        // A single item is listed with its neighbours; a run of one source is a piece of its own.
        let mut pieces: Vec<String> = Vec::new();
        let mut singles: Vec<String> = Vec::new();
        let mut start = 0;
        while start < items.len() {
            let (source, _) = sources[start];
            let mut end = start + 1;
            let goes_on = |at: usize| match source {
                Source::Single => false,
                Source::Number | Source::Hole => sources[at].0 == source,
                Source::List(_) | Source::Family(_) => {
                    sources[at].0 == source && sources[at].1 == sources[at - 1].1 + 1
                }
            };
            while end < items.len() && goes_on(end) {
                end += 1;
            }
            if end - start == 1 {
                let formula = self.formula(items[start]);
                singles.push(formula.text);
            } else {
                if !singles.is_empty() {
                    pieces.push(array_of(&std::mem::take(&mut singles)));
                }
                pieces.push(self.array(&Array {
                    shape: vec![end - start],
                    items: items[start..end].to_vec(),
                }));
            }
            start = end;
        }
        if !singles.is_empty() {
            pieces.push(array_of(&singles));
        }
        match &pieces[..] {
            [piece] => piece.clone(),
            _ => format!("jnp.concatenate({})", listed(&pieces, ["[", "]"], 8)),
        }
    }

    /// A table of columns, or of rows if there are fewer of them. There are no more axes than functions in functions.
    fn stacked(&mut self, array: &Array) -> String {
        let (rows, columns) = (array.shape[0], array.shape[array.shape.len() - 1]);
        let by_rows = rows < columns;
        let (count, shape) = if by_rows {
            (rows, &array.shape[1..])
        } else {
            (columns, &array.shape[..array.shape.len() - 1])
        };
        let size = array.items.len() / count;
        let parts = (0..count).map(|part| {
            let items = if by_rows {
                array.items[part * size..(part + 1) * size].to_vec()
            } else {
                array.items.iter().skip(part).step_by(count).copied().collect()
            };
            self.array(&Array {
                shape: shape.to_vec(),
                items,
            })
        });
        let parts: Vec<String> = parts.collect();
        let axis = if by_rows { "" } else { ", axis=-1" };
        format!("jnp.stack({}{axis})", listed(&parts, ["[", "]"], 8))
    }

    /// The argument for an array of holes.
    fn argument(&mut self, array: &Array) -> String {
        if let Some(name) = self.known.get(array) {
            return name.clone();
        }
        let name = self.module.name(self.scope, &array.items);
        let name = self.identifiers.of(&name.unwrap_or_else(|| "x".to_string()));
        self.arguments.push((array.clone(), name.clone()));
        self.known.insert(array.clone(), name.clone());
        name
    }
}

fn array_of(items: &[String]) -> String {
    format!("jnp.array({})", listed(items, ["[", "]"], 8))
}

/// A whole exponent as a whole number: JAX multiplies then.
fn exponent(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 100.0 && number >= 0.0 {
        format!("{number}")
    } else {
        Dialect::Jax.literal(number)
    }
}

/// The operand at which a text has infinite derivatives, or none, at some points.
pub(super) fn delicate(template: &str) -> Option<usize> {
    const CALLS: &[&str] = &["jnp.log", "jnp.sqrt", "jnp.cbrt", "rsqrt("];
    match template {
        "x / y" => Some(1),
        "1 / x" | "x**y" => Some(0),
        _ => CALLS.iter().any(|call| template.starts_with(call)).then_some(0),
    }
}

/// How tightly a text binds, and how tightly its operands have to.
fn bindings(template: &str) -> (Binding, [Binding; 2]) {
    match template {
        "x + y" | "x - y" => (SUM, [SUM, PRODUCT]),
        "x * y" | "x / y" => (PRODUCT, [PRODUCT, POWER]),
        "1 / x" | "-x" => (PRODUCT, [POWER, POWER]),
        "x**y" | "x**2" | "x**3" => (POWER, [ATOM, ATOM]),
        _ if template.starts_with('(') => (PRODUCT, [SUM, SUM]),
        _ if template.contains("**") || template.contains("!=") => (ATOM, [ATOM, SUM]),
        _ => (ATOM, [SUM, SUM]),
    }
}
