//! Makes the session the environment of the code that it runs. Most methods are those of the session.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::naming::Texts;
use crate::state::{NoteOnce, Session, Write};
use crate::target::Target;
use chainrule_engine::graph::Node;
use chainrule_language::{Item, Name, Property, Span};
use chainrule_program::error::Error;
use chainrule_program::functions::Function;
use chainrule_program::values::Value;
use chainrule_program::{Environment, Program};
use chainrule_report::{Note, say};

impl Environment for Session {
    fn program(&self) -> &Program {
        &self.program
    }

    fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    fn find(&self, name: &str) -> Option<&Value> {
        let lent = (self.running.lent.iter().flatten()).find(|(parameter, _)| **parameter == *name);
        lent.map_or_else(|| self.names.find(name), |(_, leaf)| Some(leaf))
    }

    fn bound_names(&self) -> Vec<&str> {
        self.names.bound_values().map(|(name, _)| name).collect()
    }

    fn last_result(&self) -> Option<&Value> {
        self.results.last()
    }

    fn has_lost_results(&self) -> bool {
        self.recent.has_lost_results
    }

    fn value_of_reference(
        &mut self,
        text: &str,
        items: &[Item<Name>],
        at: usize,
    ) -> Result<Value, Error> {
        Session::value_of_reference(self, text, items, at)
    }

    fn bind_in_block(&mut self, name: &str, value: &Value) -> Option<Note> {
        self.bind_value(name, value)
    }

    fn bind_item(&mut self, name: &str, item: &Value) {
        let id = self.names_mut().intern(name);
        self.bind_name(id, item);
    }

    fn rebind(&mut self, name: &str, value: &Value) {
        let id = self.names_mut().intern(name);
        self.give_name(id, value.clone());
    }

    fn aim_at_name(&mut self, name: &str) {
        let id = self.names_mut().intern(name);
        self.set_target(Target::Name(self.names.shared_name(id)));
    }

    fn find_with_id(&self, name: &str) -> Option<(u32, &Value)> {
        let id = self.names.id(name)?;
        Some((id, self.names.value(id)?))
    }

    fn has_other_name(&self, node: &Node, ids: &FxHashSet<u32>) -> bool {
        self.names.has_name(node, |id| !ids.contains(&id))
    }

    fn text(&self, name: &str) -> Option<&Rc<str>> {
        self.texts.get(name)
    }

    fn bind_text(&mut self, name: &str, text: Option<Rc<str>>) {
        let mut texts = Texts::clone(&self.texts);
        texts.remove(name);
        texts.extend(text.map(|words| (Rc::from(name), words)));
        self.write(Write::Texts(texts.into()));
    }

    fn has_grad(&self, node: &Node) -> bool {
        Session::has_grad(self, node)
    }

    fn forget(&mut self, name: &str) {
        Session::forget(self, name);
    }

    fn define(&mut self, function: Function) {
        self.stop_waiting(&function.name);
        let write = Write::Function(Rc::clone(&function.name), Some(function.into()));
        self.write(write);
    }

    fn remember_call(
        &mut self,
        node: &Rc<Node>,
        name: &Rc<str>,
        function: Option<&Rc<Function>>,
        arguments: &[Value],
    ) {
        (self.names_mut()).remember_call(node, name, function, arguments);
    }

    fn waits(&self, name: &str) -> bool {
        self.waiting_for(name).is_some()
    }

    fn name_parameter(&mut self, leaf: &Rc<Node>, name: &Rc<str>) {
        self.names_mut().parameters.set(leaf, Rc::clone(name));
    }

    fn label(&self, node: &Rc<Node>) -> String {
        Session::label(self, node)
    }

    fn relabel(&mut self, node: &Rc<Node>, label: &str, span: Span) -> Result<(), Error> {
        Session::relabel(self, node, label, span)
    }

    fn deviation(&self, node: &Rc<Node>) -> f64 {
        self.names.uncertain.node_deviation(node)
    }

    fn is_uncertain(&self, leaf: &Node) -> bool {
        self.names.uncertain.of(leaf).is_some()
    }

    fn uncertain_leaf(
        &mut self,
        number: &Value,
        width: &Value,
        is_per_cent: bool,
        span: Span,
    ) -> Result<Value, Error> {
        Session::uncertain_leaf(self, number, width, is_per_cent, span)
    }

    fn property(
        &mut self,
        property: Property,
        value: &Value,
        span: Span,
    ) -> Result<(Value, bool), Error> {
        Session::property(self, property, value, span)
    }

    fn check_ties(&self, root: &Rc<Node>, by: &[Rc<Node>], span: Span) -> Result<(), Error> {
        Session::check_ties(self, root, by, span)
    }

    fn note_shown(&mut self, root: &Rc<Node>, by: &[Rc<Node>]) {
        Session::note_shown(self, root, by);
    }

    fn note_moved_root(&mut self, node: &Rc<Node>) {
        Session::note_moved_root(self, node);
    }

    fn follow_moves(&mut self) -> Option<Note> {
        Session::follow_moves(self)
    }

    fn end_inner_round(&mut self) {
        Session::end_inner_round(self);
    }

    fn add_note(&mut self, note: Note) {
        Session::add_note(self, note);
    }

    fn note_added_lists(&mut self) {
        if self.is_first(NoteOnce::AddedLists) {
            let message = say!("lists are added item by item; Python would join them");
            self.add_note(Note::new(message));
        }
    }
}
