//! Binds names to the values of a statement or to the columns of a table of data, and notes which formulas still use the
//! old value of a rebound name.

use std::rc::Rc;

use super::run::Acts;
use super::{Evaluated, notes};
use crate::naming::NameId;
use crate::saved_text;
use crate::state::{Session, Write};
use crate::tags::{Heading, TagWrite};
use crate::uncertainty::Uncertainty;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::{Binding, ListChange, Span};
use chainrule_program::Environment as _;
use chainrule_program::compile;
use chainrule_program::error::{self, Error};
use chainrule_program::functions::AnyValue;
use chainrule_program::leaves::LeafBinding;
use chainrule_program::lists::check_list;
use chainrule_program::names::check_reserved;
use chainrule_program::run::{new_items, no_list_error, shared_list_error};
use chainrule_program::values::{ListShape, Value};
use chainrule_report::{Note, say};

/// The most nodes that the search for a user of a rebound leaf visits.
const MAX_SEARCHED_USERS: usize = 1_024;

/// A name that was bound.
struct Rebound<'v> {
    id: NameId,
    /// The old value, if a formula may still use it.
    old: Option<Value>,
    value: &'v Value,
    /// The note that a leaf with this name was meant to move.
    unmoved: Option<Note>,
}

impl Session {
    /// Binds names to expressions, and returns their values. Spans refer to `text`. `acts` performs the acts of the
    /// functions in the expressions.
    pub fn bind(
        &mut self,
        text: &str,
        binding: &Binding,
        acts: &mut dyn Acts,
    ) -> Result<Evaluated<Vec<Value>>, Error> {
        let newest_before = self.program.graph.last_id();
        check_reserved(&binding.targets)?;
        let code = compile::binding(self, text, binding)?;
        let built = self.run(text, &code, binding.targets[0].span, acts)?;
        let typed_spans = binding.values.iter().map(|it| it.expression.span);
        // The items of a list for several names are numbers.
        let spans = typed_spans.chain(std::iter::repeat(Span::default()));
        if let ([AnyValue::None | AnyValue::Text(_)], [target]) =
            (&built.values[..], &binding.targets[..])
        {
            // As in Python, the name of what a function without a value gives is `None`.
            self.forget(target.name);
            if let AnyValue::Text(words) = &built.values[0] {
                self.bind_text(target.name, Some(Rc::clone(words)));
            }
            return Ok((Vec::new(), self.with_stale_note(built.record)));
        }
        let numbers = (built.values)
            .into_iter()
            .zip(spans)
            .map(|(value, span)| value.into_numbers(span));
        let values = numbers.collect::<Result<Vec<Value>, Error>>()?;
        let mut notes = self.with_stale_note(built.record);
        let typed = binding.values.iter().map(|it| &it.expression);
        let missing = typed.filter_map(|it| notes::missing_sign_note(text, it));
        notes.splice(0..0, missing);
        let widths = self.binding_widths(text, binding, &values, newest_before, &mut notes)?;
        let ranges = self.binding_ranges(text, binding, &values, newest_before)?;
        // Nothing fails from here on. A statement that fails binds no name.
        match (&binding.targets[..], &values[..]) {
            // Most statements bind one name, and need no list of what was bound.
            ([target], [value]) => notes.extend(self.bind_value(target.name, value)),
            (targets, _) => {
                let names = targets.iter().map(|target| target.name);
                notes.extend(self.bind_values(names.zip(&values)));
            }
        }
        for (target, value) in binding.targets.iter().zip(&values) {
            if let Some(quoted) = target.heading {
                self.give_heading(
                    value,
                    Some(Heading::of_quoted(quoted.of(text), value.nodes())),
                );
            }
        }
        self.widen(widths);
        for range in ranges {
            self.write(Write::Range(Box::new(range)));
        }
        Ok((values, notes))
    }

    /// Changes the list of a name by a value. The new nodes of the value are newer than `newest_before`.
    pub fn change_list(
        &mut self,
        name: &str,
        value: Value,
        change: ListChange,
        newest_before: NodeId,
        notes: &mut Vec<Note>,
    ) -> Result<(), Error> {
        let id = self.names_mut().intern(name);
        let Some(Value::List(list)) = self.names.value(id) else {
            return Err(no_list_error(name));
        };
        let is_same = |known: &Value| known.list().is_some_and(|it| Rc::ptr_eq(it, list));
        let has_several_names = || {
            let values = self.names.bound_values().map(|(_, known)| known);
            values.filter(|known| is_same(known)).nth(1).is_some()
        };
        // The history holds lists, too, which does not matter. So the names decide; they are searched only if something
        // else holds the list at all. A call or a loop that holds it has been refused by `appended_item`.
        if list.is_shared.get() || (Rc::strong_count(list) > 1 && has_several_names()) {
            return Err(shared_list_error(name));
        }
        // Data goes on as data: its new items are frozen, unless they follow from a leaf. The last item stands for all,
        // so that an `append` takes the same time for any list.
        let is_data = list.nodes().last().is_some_and(|last| last.is_frozen());
        let is_frozen = is_data && !value.nodes().iter().any(|node| node.varies());
        let leaf_binding = LeafBinding {
            is_frozen,
            name,
            newest_before,
        };
        let leaves = leaf_binding.leaves(self, value, notes);
        if change == ListChange::Replace {
            self.bind_name(id, &leaves);
            return Ok(());
        }
        self.extend_list(id, new_items(name, leaves, change)?);
        let longer = self.names.value(id);
        let shape = longer.map_or(&ListShape::NUMBER, Value::shape);
        check_list(shape, &self.program.limits)
    }

    /// Binds an unused name to a new leaf.
    pub fn bind_leaf(&mut self, name: &str, data: f64) -> Rc<Node> {
        let leaf = self.program.graph.leaf(data, false);
        self.name_node(name, &leaf);
        leaf
    }

    /// Gives a node a name, whatever the name stood for.
    pub fn name_node(&mut self, name: &str, node: &Rc<Node>) {
        let id = self.names_mut().intern(name);
        self.give_name(id, Rc::clone(node).into());
    }

    /// Binds names to values. Returns notes about formulas that still use leaves of the old values. A formula that is
    /// bound here, too, is none.
    fn bind_values<'v>(
        &mut self,
        bindings: impl Iterator<Item = (&'v str, &'v Value)>,
    ) -> Vec<Note> {
        let rebound: Vec<_> = bindings
            .map(|(name, value)| self.bind_quietly(name, value))
            .collect();
        let notes = rebound.into_iter().map(|it| self.rebound_note(it));
        notes.flatten().collect()
    }

    /// Binds a name to a value. Returns a note if a formula still uses a leaf of the old value.
    pub(crate) fn bind_value(&mut self, name: &str, value: &Value) -> Option<Note> {
        let rebound = self.bind_quietly(name, value);
        self.rebound_note(rebound)
    }

    /// Binds a name to a value, without a note. A computed number becomes the target.
    fn bind_quietly<'v>(&mut self, name: &str, value: &'v Value) -> Rebound<'v> {
        if self.texts.contains_key(name) {
            self.bind_text(name, None);
        }
        self.stop_waiting(name);
        let id = self.names_mut().intern(name);
        let unmoved = self.unmoved_leaf_note(id, value);
        let old = self.bind_name(id, value);
        if let Value::Node(node) = value {
            self.aim_at_named(id, node);
        }
        Rebound {
            id,
            old,
            value,
            unmoved,
        }
    }

    /// The note on a name that was bound.
    fn rebound_note(&mut self, rebound: Rebound) -> Option<Note> {
        let Rebound { id, old, value, .. } = rebound;
        let note = || old.and_then(|it| self.old_leaf_note(id, &it, value));
        rebound.unmoved.or_else(note)
    }

    /// The note on `p -= 0.1*p.grad` if the leaf that `p` stood for has another name: only the name `p` changes.
    fn unmoved_leaf_note(&self, id: NameId, value: &Value) -> Option<Note> {
        let leaf = self.names.value(id)?.node()?;
        let operands = value.node()?.operands();
        let mut varying = operands.iter().filter(|it| it.varies());
        let is_update = varying.next().is_some_and(|it| Rc::ptr_eq(it, leaf));
        // A sum such as `act = act + w*x` may also begin with a leaf.
        if !is_update || varying.next().is_some() || !leaf.is_free() || !self.has_grad(leaf) {
            return None;
        }
        let names = &self.names;
        let other = names.node_names(leaf).find(|it| it.name != id)?;
        let name = names.name(id);
        let line = say!(
            "{:name} still has its old number, and only {:name} has a new one; {:typed} moves the leaf",
            names.name_without_place(other).into_owned(),
            name,
            format!("{name}.data -= 0.1*{name}.grad")
        );
        Some(Note::new(line))
    }

    /// Binds a name. Returns the old value if a formula may still use it and a note on it is due.
    pub(crate) fn bind_name(&mut self, id: NameId, value: &Value) -> Option<Value> {
        let known = self.names.value(id).cloned();
        if let Some(old) = known.as_ref().filter(|old| old.is(value)) {
            // `x = x[:]` makes another list, which grows independently.
            if let (Value::List(old_list), Value::List(new_list)) = (old, value)
                && !Rc::ptr_eq(old_list, new_list)
            {
                self.replace_list(id, value.clone());
            }
            return None;
        }
        let is_passing = known
            .as_ref()
            .is_some_and(|it| self.program.is_of_block(it.nodes()));
        self.give_name(id, value.clone());
        let old = known.filter(|_| !is_passing)?;
        let is_lost = self.retire(id, &old);
        // A list of another depth has another meaning.
        (is_lost && old.shape().depth() == value.shape().depth()).then_some(old)
    }

    /// The note that a formula still uses a leaf of the value that a name has lost for the first time. `None` if the new
    /// value uses the leaf, as in `a = a + 1`. But `a = a - 0.1*a.grad` is meant to move a leaf that has a grad, so it
    /// always has the note.
    fn old_leaf_note(&mut self, id: NameId, old: &Value, value: &Value) -> Option<Note> {
        // Only the log and `old` hold an unused leaf; in a list, only the shared array does. Then nothing is searched,
        // which matters if a script rebinds a hundred thousand leaves.
        let own_holders = if old.node().is_some() { 2 } else { 1 };
        let has_users = |node: &&Rc<Node>| node.is_leaf() && Rc::strong_count(node) > own_holders;
        let leaf = old.nodes().iter().find(has_users)?;
        let new_node = value.node();
        if new_node.is_some_and(|node| node.data().to_bits() == leaf.data().to_bits()) {
            return None;
        }
        let names = &self.names;
        let (loss_count, has_grad) = (names.loss_count(id), self.has_grad(leaf));
        if loss_count > 1 && !has_grad {
            return None;
        }
        let other_name = |node: &Node| {
            let mut others = names.node_names(node).filter(|it| it.name != id);
            others.next().map(|it| names.name(it.name))
        };
        let (mut user, mut is_used_by_itself) = (None, false);
        let mut visited = 0;
        self.program
            .graph
            .visit_users(std::slice::from_ref(leaf), |node| {
                is_used_by_itself |= names.node_names(node).any(|it| it.name == id);
                user = other_name(node).or(user);
                visited += 1;
                visited < MAX_SEARCHED_USERS
            });
        let is_due = if is_used_by_itself {
            has_grad
        } else {
            loss_count == 1
        };
        let user = user.filter(|_| is_due)?;
        // The number of `a = a - 0.1*a.grad` is meant, and not the expression.
        let new_leaf = new_node.filter(|node| node.is_leaf() || is_used_by_itself);
        let new_data = new_leaf.map(|node| node.data());
        let (name, former) = (names.name(id), format!("{}@{loss_count}", names.name(id)));
        let line = say!(
            "{:name} still uses the old {:name}, now {:name}",
            user,
            name,
            former
        );
        let change = new_data.map_or(say!("VALUE"), |data| say!("{}", data));
        Some(Note::new(if old.shape() != value.shape() {
            line
        } else if self.program.in_block() {
            say!("{}; `{}.data = …` changes it in place", line, name)
        } else {
            let how = "to change it in place: take this back by";
            say!("{}; {} `:undo`, then `:set {} {}`", line, how, name, change)
        }))
    }

    /// Binds names to a table of numbers, given row by row: each name to a column, or a single name to the list of the
    /// rows if a row has several numbers. `widths` are the uncertainties of the numbers; empty if there are none.
    /// Returns notes about formulas that use the old values.
    pub fn bind_data(
        &mut self,
        span: Span,
        names: &[String],
        mut headings: Vec<Option<Heading>>,
        numbers: &[f64],
        widths: &[f64],
        row_length: usize,
    ) -> Result<Vec<Note>, Error> {
        if self.program.graph.ids_left() as usize <= numbers.len() {
            return Err(error::no_numbers_left(span, self.program.graph.last_id()));
        }
        let rows = numbers.len() / row_length;
        // A single name takes the rows as they are.
        let (columns, row) = match names {
            [_] if row_length > 1 => (1, ListShape::rows(row_length, ListShape::NUMBER)),
            _ => (row_length, ListShape::NUMBER),
        };
        let shape = ListShape::rows(rows, row);
        let column = |at| {
            let cells = numbers.iter().skip(at).step_by(columns);
            let leaves = cells.map(|&data| self.program.graph.leaf(data, true));
            Value::of_shape(leaves.collect(), &shape)
        };
        let values: Vec<Value> = (0..columns).map(column).collect();
        let column_widths = |at| widths.iter().copied().skip(at).step_by(columns).collect();
        let all_widths: Vec<Vec<f64>> = (0..columns).map(column_widths).collect();
        headings.resize(names.len(), None);
        let numbers_text = saved_text::numbers_text(&values, &all_widths);
        let statement = data_statement(names, &headings, &numbers_text);
        self.keeping().replace(statement);
        let notes = self.bind_values(names.iter().map(String::as_str).zip(&values));
        for (value, heading) in values.iter().zip(headings) {
            self.give_heading(value, heading);
        }
        for (value, of_value) in values.iter().zip(all_widths) {
            let typed = |width| Uncertainty::of_typed(width, false);
            let uncertainties = of_value.into_iter().map(typed);
            let leaves = value.nodes().iter().map(Rc::clone);
            self.widen(leaves.zip(uncertainties).collect());
        }
        Ok(notes)
    }

    /// Gives a list its heading, if it has one.
    fn give_heading(&mut self, list: &Value, heading: Option<Heading>) {
        if let (Some(first), Some(_)) = (list.nodes().first(), &heading) {
            let write = TagWrite::new(first, heading);
            self.write(Write::Heading(Box::new(write)));
        }
    }

    /// The heading of a list: `t [s]`.
    pub fn heading(&self, list: &[Rc<Node>]) -> Option<&Heading> {
        self.names.headings.of(list.first()?)
    }
}

/// The statement that binds data: `const t "t [s]", y = [0, 1], [2, 5];`.
fn data_statement(names: &[String], headings: &[Option<Heading>], numbers: &str) -> String {
    let target = |(name, heading): (&String, &Option<Heading>)| match heading {
        Some(given) => format!("{name} {}", given.statement_text()),
        None => name.clone(),
    };
    let targets: Vec<String> = names.iter().zip(headings).map(target).collect();
    format!("const {} = {numbers};\n", targets.join(", "))
}
