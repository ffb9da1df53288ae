//! Reads a request of the dialogue: an object whose fields are checked.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::shell::script::answer_format::FORMS;
use chainrule_report::Fact;
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::diagnostic::{Diagnostic, Result};

/// A request, whose fields are taken out of it.
pub(crate) struct Request {
    /// The number or the text that all objects of its answer repeat.
    pub(crate) id: Value,
    fields: Map<String, Value>,
}

/// The field that says what is wanted, and the other fields of such a request.
pub(crate) type Verb = (&'static str, &'static [&'static str]);

impl Request {
    /// Reads an object with an `id`.
    pub(crate) fn read(line: &[u8]) -> Result<Request> {
        let refused = |message: &str| {
            let help = "as in `{\"id\": 1, \"run\": \"a = 2\"}`, on one line";
            Diagnostic::new(message).help(help)
        };
        let value = serde_json::from_slice(line)
            .map_err(|error| refused(&format!("this is no JSON: {error}")))?;
        let Value::Object(mut fields) = value else {
            return Err(refused("a request is an object"));
        };
        match fields.remove("id") {
            Some(id @ (Value::Number(_) | Value::String(_))) => Ok(Request { id, fields }),
            _ => Err(refused("a request has an `id`, a number or a text")),
        }
    }

    /// The `id` of the request that this one stops, if it does nothing else.
    pub(crate) fn stopped_id(&self) -> Option<&Value> {
        let stopped = self.fields.get("stop");
        stopped.filter(|_| self.fields.len() == 1)
    }

    /// The word that says which of these is wanted. Refuses fields that such a request does not have.
    pub(crate) fn verb(&self, verbs: &[Verb]) -> Result<&'static str> {
        let mut keys = self.fields.keys();
        let is_given = |(verb, _): &&Verb| self.fields.contains_key(*verb);
        let Some((verb, others)) = verbs.iter().find(is_given) else {
            let error = Diagnostic::new("the request does not say what is wanted");
            let key = keys.next().map_or("", String::as_str);
            return Err(with_words(error, key, verbs.iter().map(|(verb, _)| *verb)));
        };
        match keys.find(|key| key != verb && !others.contains(&&***key)) {
            None => Ok(verb),
            Some(key) => {
                let error = Diagnostic::new(format!("`{key}` is no field of this request"));
                let known = ["id", verb].into_iter().chain(others.iter().copied());
                Err(with_words(error, key, known))
            }
        }
    }

    /// Takes a field. One that is missing has the default value.
    pub(crate) fn take<T: DeserializeOwned + Default>(&mut self, key: &str) -> Result<T> {
        let Some(value) = self.fields.remove(key) else {
            return Ok(T::default());
        };
        serde_json::from_value(value).map_err(|error| {
            let message = format!("the field `{key}` has another type: {error}");
            Diagnostic::new(message).help("the page of the manual on the dialogue has an example")
        })
    }

    /// Takes a text that must be there.
    pub(crate) fn text(&mut self, key: &str) -> Result<String> {
        let text: Option<String> = self.take(key)?;
        text.ok_or_else(|| Diagnostic::new(format!("the request lacks the text `{key}`")))
    }

    /// Takes the forms that the request wants, each once.
    pub(crate) fn forms(&mut self) -> Result<Vec<&'static str>> {
        let wanted: Vec<String> = self.take("want")?;
        if let Some(word) = wanted.iter().find(|word| !FORMS.contains(&&***word)) {
            let error = Diagnostic::new(format!("`{word}` is no form of an answer"));
            return Err(with_words(error, word, FORMS.into_iter()));
        }
        if wanted.is_empty() {
            return Ok(vec!["text"]);
        }
        let is_wanted = |form: &&str| wanted.iter().any(|word| word == form);
        Ok(FORMS.into_iter().filter(is_wanted).collect())
    }
}

/// Adds to an error about a word the word that is meant, or those that are possible.
fn with_words<'w>(
    error: Diagnostic,
    typed: &str,
    words: impl Iterator<Item = &'w str> + Clone,
) -> Diagnostic {
    match nearest(typed, words.clone()) {
        Some(near) => error.help(format!("did you mean `{near}` in place of `{typed}`?")),
        None => error.help(format!(
            "one of `{}`",
            words.collect::<Vec<_>>().join("`, `")
        )),
    }
}

/// The `id` of a request, to be written; `null` without one.
pub(crate) fn id_fact(id: &Value) -> Fact {
    Fact::Json(id.to_string())
}
