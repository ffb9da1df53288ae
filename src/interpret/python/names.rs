//! What the names in a line of Python mean: the user's own, the calculator's, those of modules.
//!
//! A line that is written anew must mean what it meant: `math.e` is the constant even where `e` is a name of the user, and
//! what stands before `=` is what the user wrote there.

use super::Meaning;
use super::arguments::MODULES;
use super::line::{Foreign, word};
use crate::ops;
use crate::session::values::Value;

impl Foreign<'_> {
    /// Has the user defined this name, or the function whose body it is?
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.session.names().find(name).is_some()
            || self.session.functions().get(name).is_some()
            || self.is_local(name)
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.is_some_and(|locals| locals.contains(&name))
    }

    /// Is it one of the calculator's functions or constants?
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.session.is_function(name) || ops::constant(name).is_some()
    }

    /// Can nothing but Python be meant, so that positions count from 0? A lambda is looked at by itself.
    pub(super) fn is_python(&self) -> bool {
        if self.locals.is_some() {
            return true;
        }
        let mut python = false;
        for (at, word) in self.words() {
            if word == "lambda" {
                return false;
            }
            let rest = &self.line[at + word.len()..];
            python |= MODULES.contains(&word) && rest.starts_with('.') && !self.is_taken(word)
                // `a if c else b`, but not `if (c) a else b`.
                || word == "else" && self.first() != Some("if")
                || word == "range" && rest.starts_with('(') && !self.session.is_function(word);
        }
        python
    }

    /// A piece of the line without the modules in it.
    pub(super) fn bare(&self, text: &str) -> String {
        match super::without_modules(&self.with_line(text)) {
            Some(Meaning::Line(bare)) => bare,
            _ => text.to_string(),
        }
    }

    /// Does a text begin with a call of a module, which makes an array?
    pub(super) fn begins_array(&self, text: &str) -> bool {
        let name = word(text);
        MODULES.contains(&name) && !self.is_taken(name)
    }

    /// Can it be a list of lists, as far as its text shows?
    pub(super) fn may_be_nested(&self, text: &str) -> bool {
        let signs: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let is_list = |value: &Value| matches!(value, Value::List(_));
        let nested = |name: &str| match self.session.names().find(name) {
            _ if self.is_local(name) => true,
            Some(Value::List(list)) => list.items().next().as_ref().is_some_and(is_list),
            Some(Value::Node(_)) => false,
            None => self.session.functions().get(name).is_some(),
        };
        signs.contains("[[") || self.with_line(text).words().any(|(_, name)| nested(name))
    }

    /// A line that was written anew, unless it would mean something else.
    pub(super) fn guarded(&self, found: Meaning) -> Meaning {
        let Meaning::Line(line) = &found else {
            return found;
        };
        if let Some(target) = target(self.line).filter(|target| !line.starts_with(target)) {
            let target = target.trim_end_matches([' ', '+', '-', '*', '/', '%', '^']);
            let place = 0..target.len();
            let message = format!("`{target}` is not a name of your own");
            let help = if target.contains('(') {
                "a function of your own has a name: `f(x) = …`"
            } else {
                "a value has a name: `y = …`"
            };
            return Meaning::Refused(self.error(place, message, help.to_string()));
        }
        match self.captured(line) {
            Some(refused) => refused,
            None => found,
        }
    }

    /// Refuses a new line in which a name of the user has taken the place of a built-in one.
    fn captured(&self, line: &str) -> Option<Meaning> {
        let bound = self.bound();
        let new = self.with_line(line);
        for (at, name) in new.words() {
            let is_own = |text: &Foreign| {
                text.words()
                    .filter(|it| it.1 == name && !text.is_member(it.0))
                    .count()
            };
            let called = line[at + name.len()..].trim_start().starts_with('(');
            let own = if called {
                self.session.functions().get(name).is_some()
            } else {
                self.session.names().find(name).is_some()
            };
            let local = self.is_local(name) || bound.contains(&name);
            let known = self.session.is_function(name) || ops::constant(name).is_some();
            if !(own || local) || !known || new.is_member(at) || is_own(&new) <= is_own(self) {
                continue;
            }
            let help = match ops::constant(name) {
                Some(number) if !called && number.is_finite() => format!("write `{number}`"),
                _ if local => format!("give your own `{name}` another name"),
                _ => format!("`:del {name}` brings the built-in one back"),
            };
            let place = self
                .words()
                .find(|it| it.1 == name || super::renamed(it.1) == name);
            let place = place.map_or(0..self.line.len(), |it| it.0..it.0 + it.1.len());
            let message = format!("`{name}` is your own here, not the built-in one");
            return Some(Meaning::Refused(self.error(place, message, help)));
        }
        None
    }

    /// Does the word at this place belong to what stands before it: `exp` in `np.exp`?
    fn is_member(&self, at: usize) -> bool {
        self.line[..at].ends_with('.')
    }

    /// The names that the line itself binds: parameters, and what stands behind `for` and `lambda`.
    fn bound(&self) -> Vec<&str> {
        let head = target(self.line).filter(|head| head.contains('('));
        let head = head.map_or(0, str::len);
        let mut bound = Vec::new();
        let mut binds = false;
        for (at, word) in self.words() {
            let colon = || self.line[..at].trim_end().ends_with(':');
            match word {
                "for" | "lambda" => binds = true,
                "in" => binds = false,
                _ if colon() => binds = false,
                word if binds || at < head => bound.push(word),
                _ => {}
            }
        }
        bound
    }
}

/// What stands before the `=` of a binding or a definition.
fn target(line: &str) -> Option<&str> {
    let mut signs =
        crate::syntax::outside(line).filter(|(_, c)| matches!(c, '=' | '<' | '>' | '!'));
    let (at, _) = signs.next()?;
    let compares = line[at..].starts_with("==") || !line[at..].starts_with('=');
    (!compares && !line.starts_with(':')).then(|| &line[..at])
}
