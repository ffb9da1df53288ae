//! Reads a request of the dialogue: an object whose fields are checked.

use std::collections::BTreeSet;

use crate::shell::script::answer_format::FORMS;
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_view::read_json::Json;

/// A request, whose fields are taken out of it.
pub(crate) struct Request {
    /// The number or the text that all objects of its answer repeat.
    pub(crate) id: Json,
    fields: Vec<(String, Json)>,
}

/// The field that says what is wanted, and the other fields of such a request.
pub(crate) type Verb = (&'static str, &'static [&'static str]);

impl Request {
    /// Reads an object with an `id`.
    pub(crate) fn read(line: &str) -> Result<Request> {
        let refused = |message: &str| {
            let help = "as in `{\"id\": 1, \"run\": \"a = 2\"}`, on one line";
            Diagnostic::new(message).help(help)
        };
        let json =
            Json::read(line).map_err(|error| refused(&format!("this is no JSON: {error}")))?;
        let Json::Record(mut fields) = json else {
            return Err(refused("a request is an object"));
        };
        let keys: BTreeSet<&str> = fields.iter().map(|(key, _)| &**key).collect();
        if keys.len() < fields.len() {
            return Err(refused("a field is given twice"));
        }
        let place = fields.iter().position(|(key, _)| key == "id");
        match place.map(|at| fields.remove(at).1) {
            Some(id @ (Json::Number(_) | Json::Text(_))) => Ok(Request { id, fields }),
            _ => Err(refused("a request has an `id`, a number or a text")),
        }
    }

    /// Takes a field if it is the only one.
    pub(crate) fn take_only(&mut self, key: &str) -> Option<Json> {
        let is_only = matches!(&self.fields[..], [(only, _)] if only == key);
        if is_only { self.take(key) } else { None }
    }

    /// The word that says which of these is wanted. Refuses fields that such a request does not have.
    pub(crate) fn verb(&self, verbs: &[Verb]) -> Result<&'static str> {
        let mut keys = self.fields.iter().map(|(key, _)| key);
        let is_given = |(verb, _): &&Verb| self.fields.iter().any(|(key, _)| key == verb);
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

    /// Takes a field.
    pub(crate) fn take(&mut self, key: &str) -> Option<Json> {
        let place = self.fields.iter().position(|(known, _)| known == key)?;
        Some(self.fields.remove(place).1)
    }

    /// Takes a field of some type, if it is there.
    fn field<T>(
        &mut self,
        key: &str,
        expected: &str,
        read: impl FnOnce(Json) -> Option<T>,
    ) -> Result<Option<T>> {
        let value = self.take(key).map(read);
        value
            .map(|it| it.ok_or_else(|| wrong_type(key, expected)))
            .transpose()
    }

    /// Takes a text that must be there.
    pub(crate) fn text(&mut self, key: &str) -> Result<String> {
        let text = self.field(key, "a text", Json::into_text)?;
        text.ok_or_else(|| Diagnostic::new(format!("the request lacks the text `{key}`")))
    }

    /// Takes a list of texts, which is empty if it is missing.
    pub(crate) fn texts(&mut self, key: &str) -> Result<Vec<String>> {
        let texts = |value: Json| {
            value
                .into_list()?
                .into_iter()
                .map(Json::into_text)
                .collect()
        };
        Ok(self
            .field(key, "a list of texts", texts)?
            .unwrap_or_default())
    }

    /// Takes a list of whole numbers, which is empty if it is missing.
    pub(crate) fn counts(&mut self, key: &str) -> Result<Vec<usize>> {
        let counts = |value: Json| value.into_list()?.iter().map(Json::count).collect();
        Ok(self
            .field(key, "a list of whole numbers", counts)?
            .unwrap_or_default())
    }

    /// Takes a whole number, if it is there.
    pub(crate) fn count(&mut self, key: &str) -> Result<Option<usize>> {
        self.field(key, "a whole number", |value| value.count())
    }

    /// Takes a number, if it is there.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn number(&mut self, key: &str) -> Result<Option<f64>> {
        self.field(key, "a number", |value| value.number())
    }

    /// Takes `true` or `false`; a missing field is `false`.
    pub(crate) fn flag(&mut self, key: &str) -> Result<bool> {
        let flag = |value| match value {
            Json::Flag(flag) => Some(flag),
            _ => None,
        };
        Ok(self.field(key, "`true` or `false`", flag)?.unwrap_or(false))
    }

    /// Takes an object, which is empty if it is missing.
    pub(crate) fn record(&mut self, key: &str) -> Result<Vec<(String, Json)>> {
        let record = |value| match value {
            Json::Record(entries) => Some(entries),
            _ => None,
        };
        Ok(self.field(key, "an object", record)?.unwrap_or_default())
    }

    /// Takes the forms that the request wants, each once.
    pub(crate) fn forms(&mut self) -> Result<Vec<&'static str>> {
        let wanted = self.texts("want")?;
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

fn wrong_type(key: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(format!("`{key}` is {expected}")).help("its value has another type here")
}
