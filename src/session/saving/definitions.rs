//! A saved session's functions: definitions that make them again, in their order.
//!
//! A body's names must be there when it is defined, while a session may have lost some since, or have functions of the
//! same name that take other arguments. Then there are stand-ins for a while. What a body means is not looked at.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ops;
use crate::session::Session;
use crate::session::functions::{Function, is_built_in_of};
use crate::session::naming::ANSWERS;

impl Session {
    /// Writes the definitions; says whether names are bound on the way.
    pub(crate) fn define_again(&self, text: &mut String) -> bool {
        let functions: Vec<&Function> = self.functions.iter().map(|function| &**function).collect();
        if self.reads_in_order(&functions) {
            for function in functions {
                let _ = writeln!(text, "{} = {};", function.head(), function.body);
            }
            return false;
        }
        let missing = self.missing_names(&functions);
        for name in &missing {
            if ANSWERS.contains(&&**name) {
                text.push_str("0;\n");
            } else {
                let _ = writeln!(text, "{name} = 0;");
            }
        }
        for function in &functions {
            let _ = writeln!(text, "{} = 0;", function.head());
        }
        // Who calls comes before who is called, so a stand-in never takes the place of a finished function.
        let mut gone: Vec<&str> = Vec::new();
        let mut stood_in: FxHashSet<&str> = FxHashSet::default();
        for function in callers_first(&functions) {
            for (callee, count) in function.calls() {
                if self.functions.get(callee).is_none() {
                    if is_built_in_of(callee, count) && !stood_in.contains(&**callee) {
                        continue;
                    }
                    if stood_in.insert(callee) {
                        gone.push(callee);
                    }
                }
                let parameters: Vec<String> = parameters(count).collect();
                let _ = writeln!(text, "{callee}({}) = 0;", parameters.join(", "));
            }
            let _ = writeln!(text, "{} = {};", function.head(), function.body);
        }
        for name in gone {
            let _ = writeln!(text, ":del {name}();");
        }
        for name in missing.iter().filter(|name| !ANSWERS.contains(&&***name)) {
            let _ = writeln!(text, ":del {name} as unnamed;");
        }
        !missing.is_empty()
    }

    /// Does each definition find what it names, one after the other?
    fn reads_in_order(&self, functions: &[&Function]) -> bool {
        let mut arity: FxHashMap<&str, usize> = FxHashMap::default();
        for function in functions {
            let finds = |callee: &str, count: usize| match arity.get(callee) {
                Some(&takes) => takes == count,
                None => is_built_in_of(callee, count),
            };
            if !function.calls().all(|(callee, count)| finds(callee, count)) {
                return false;
            }
            arity.insert(&function.name, function.parameters.len());
        }
        self.missing_names(functions).is_empty()
    }

    /// Names in bodies that mean nothing any more.
    fn missing_names(&self, functions: &[&Function]) -> Vec<Rc<str>> {
        let mut missing: Vec<Rc<str>> = Vec::new();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for name in functions.iter().flat_map(|function| function.names()) {
            let found = self.names.get(name).is_some() || ops::constant(name).is_some();
            if !found && seen.insert(name) {
                missing.push(Rc::clone(name));
            }
        }
        missing
    }
}

/// The functions, each before those it calls. No function calls itself, not even by others, so there is such an order.
fn callers_first<'f>(functions: &[&'f Function]) -> Vec<&'f Function> {
    let by_name: FxHashMap<&str, &Function> = functions
        .iter()
        .map(|function| (&*function.name, *function))
        .collect();
    let mut done: FxHashSet<&str> = FxHashSet::default();
    let mut order: Vec<&Function> = Vec::new();
    for function in functions {
        // A function is taken up twice: first those it calls go before it, then it stands itself.
        let mut waiting = vec![(*function, false)];
        while let Some((function, ready)) = waiting.pop() {
            if ready {
                order.push(function);
            } else if done.insert(&function.name) {
                waiting.push((function, true));
                let callees = function
                    .calls()
                    .filter_map(|(name, _)| by_name.get(&**name));
                waiting.extend(callees.map(|callee| (*callee, false)));
            }
        }
    }
    order.reverse();
    order
}

/// `x0`, `x1`, `x2`
pub(crate) fn parameters(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|place| format!("x{place}"))
}
