//! Calls of mapped functions, and the arrays that they and sums are given.
//!
//! What is mapped over nothing but parameters is written as array arithmetic where that says the same.

use super::body::{Provenance, Writer};
use super::formula::{ATOM, Formula};
use super::lists::{literal, picked};
use super::module::{ArrayFunction, WIDTH};
use super::plan::Family;
use super::scope::{Array, HowMade, ItemId};
use crate::ops::word_by_word;
use crate::study::export::files::listed;

impl Writer<'_, '_, '_> {
    /// Calls the function of a family for all its members.
    pub(super) fn family(&mut self, number: usize, family: &Family) {
        let given = family
            .arguments
            .iter()
            .map(|argument| match argument.array.items[..] {
                [item] if argument.array.shape.is_empty() => self.formula(item),
                _ => Formula::atom(self.array(&argument.array)),
            });
        let given: Vec<Formula> = given.collect();
        let scope = self.scope;
        let is_data = |place: &ItemId| scope.item(*place).node.is_frozen();
        let mapped = || {
            let all = family.arguments.iter();
            all.filter(|argument| argument.is_mapped)
        };
        let is_mapped = mapped().next().is_some();
        let over_data = self.lists.is_some()
            && mapped().any(|argument| argument.array.items.iter().any(is_data));
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
            let function = self
                .module
                .function(&stem, body, (example, family.members.len()));
            let call = if is_mapped {
                let axes: Vec<&str> = (family.arguments.iter())
                    .map(|argument| if argument.is_mapped { "0" } else { "None" })
                    .collect();
                if let Some(lists) = &mut self.lists {
                    let mapped = mapped().map(|argument| &argument.array);
                    lists.batch(family.members.len(), mapped);
                }
                let comma = if axes.len() == 1 { "," } else { "" };
                format!("jax.vmap({function}, in_axes=({}{comma}))", axes.join(", "))
            } else {
                function
            };
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
        let formula = if is_mapped {
            formula
        } else {
            // The terms differ in nothing.
            let count = family.members.len();
            Formula::atom(format!("jnp.full(({count},), {})", formula.text))
        };
        self.broadcasts = false;
        let members = family.members.iter().map(|&member| member as usize);
        let uses =
            members.map(|member| self.plan.uses[member] + u32::from(self.plan.needed[member]));
        let uses = uses.max().unwrap_or(0);
        let is_called = formula.text.starts_with("jax.vmap(");
        let terms = (is_called && family.are_terms).then(|| "terms".to_string());
        self.families[number] = self.store(formula, name.or(terms), uses);
    }

    /// The formula of a body, with what its arguments stand for.
    fn substituted(&mut self, body: &ArrayFunction, given: Vec<Formula>) -> Formula {
        let words: Vec<&str> = word_by_word(&body.formula.text)
            .map(|part| part.0)
            .collect();
        let mut texts = Vec::with_capacity(given.len());
        for ((_, name), formula) in body.arguments.iter().zip(given) {
            // What is used twice is not written twice.
            let uses = words.iter().filter(|word| *word == name).count() as u32;
            let is_word = formula
                .text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_');
            let formula = if is_word {
                formula
            } else {
                self.store(formula, None, uses)
            };
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
    pub(super) fn array(&mut self, array: &Array) -> String {
        let (source, _) = self.source(array.items[0]);
        let same = array
            .items
            .iter()
            .all(|&item| self.source(item).0 == source);
        match source {
            _ if !same => {}
            Provenance::Hole => return self.argument(array),
            Provenance::List(list) => {
                if let Some(lists) = &mut self.lists {
                    let places = array.items.iter().map(|&item| lists.place(item).1);
                    let places: Vec<usize> = places.collect();
                    return lists.gathered(list, &array.shape, &places);
                }
            }
            Provenance::Family(family) => {
                self.broadcasts = false;
                let places: Vec<usize> = array
                    .items
                    .iter()
                    .map(|&item| self.source(item).1)
                    .collect();
                let name = self.families[family].within(ATOM);
                let all = [self.plan.families[family].members.len()];
                let bare = &self.families[family].text;
                return picked(&name, bare, &all, &array.shape, &places);
            }
            Provenance::Number => {
                self.broadcasts = false;
                let numbers = array
                    .items
                    .iter()
                    .map(|&item| match self.scope.item(item).kind {
                        HowMade::Number(number) => number,
                        _ => f64::NAN,
                    });
                let numbers: Vec<f64> = numbers.collect();
                return match &mut self.lists {
                    Some(lists) => lists.numbers(&mut self.identifiers, &array.shape, numbers),
                    None => literal(&array.shape, &numbers, 8),
                };
            }
            Provenance::Single => {}
        }
        self.broadcasts = false;
        match array.shape[..] {
            [] => self.formula(array.items[0]).text,
            [_] => self.runs(&array.items),
            _ => self.stacked(array),
        }
    }

    /// A list of items from several places.
    fn runs(&mut self, items: &[ItemId]) -> String {
        let sources: Vec<(Provenance, usize)> =
            items.iter().map(|&item| self.source(item)).collect();
        // A single item is listed with its neighbours; a run of one source is a piece of its own.
        let mut pieces: Vec<String> = Vec::new();
        let mut singles: Vec<String> = Vec::new();
        let mut start = 0;
        while start < items.len() {
            let (source, _) = sources[start];
            let mut end = start + 1;
            let goes_on = |at: usize| match source {
                Provenance::Single => false,
                Provenance::Number | Provenance::Hole => sources[at].0 == source,
                Provenance::List(_) | Provenance::Family(_) => {
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
                array
                    .items
                    .iter()
                    .skip(part)
                    .step_by(count)
                    .copied()
                    .collect()
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
        let name = self
            .identifiers
            .of(&name.unwrap_or_else(|| "x".to_string()));
        self.arguments.push((array.clone(), name.clone()));
        self.known.insert(array.clone(), name.clone());
        name
    }
}

fn array_of(items: &[String]) -> String {
    format!("jnp.array({})", listed(items, ["[", "]"], 8))
}
