//! Reads a request of the dialogue: an object whose fields are checked.

use std::collections::BTreeSet;

use crate::shell::script::answer_format::FORMS;
use chainrule_report::Fact;
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

/// A type of fields. A field that is missing has the default value.
pub(crate) trait Field: Default {
    /// The type in words.
    const WORDS: &'static str;

    /// The value, if it has this type.
    fn of(json: Json) -> Option<Self>;
}

/// Makes types those of fields: each has its words, and says which values it takes.
macro_rules! fields {
    ($($type:ty, $words:literal: $pattern:pat => $value:expr;)*) => {$(
        impl Field for $type {
            const WORDS: &'static str = $words;

            fn of(json: Json) -> Option<$type> {
                match json {
                    $pattern => $value,
                    _ => None,
                }
            }
        }
    )*};
}

fields! {
    bool, "`true` or `false`": Json::Flag(flag) => Some(flag);
    f64, "a number": Json::Number(number) => Some(number);
    usize, "a whole number": Json::Number(it) => (it >= 0.0 && it.fract() == 0.0).then_some(it as usize);
    String, "a text": Json::Text(text) => Some(text);
    Vec<String>, "a list of texts": Json::List(items) => items.into_iter().map(Field::of).collect();
    Vec<usize>, "a list of whole numbers": Json::List(items) => items.into_iter().map(Field::of).collect();
    Vec<f64>, "a list of numbers": Json::List(items) => items.into_iter().map(Field::of).collect();
    Vec<Vec<f64>>, "a list of lists of numbers": Json::List(items) => items.into_iter().map(Field::of).collect();
    Vec<(String, Json)>, "an object": Json::Record(entries) => Some(entries);
}

impl<T: Field> Field for Option<T> {
    const WORDS: &'static str = T::WORDS;

    fn of(json: Json) -> Option<Option<T>> {
        T::of(json).map(Some)
    }
}

impl Request {
    /// Reads an object with an `id`.
    pub(crate) fn read(line: &[u8]) -> Result<Request> {
        let refused = |message: &str| {
            let help = "as in `{\"id\": 1, \"run\": \"a = 2\"}`, on one line";
            Diagnostic::new(message).help(help)
        };
        let no_json = |error: &str| refused(&format!("this is no JSON: {error}"));
        let text = str::from_utf8(line).map_err(|_| no_json("it is not in UTF-8"))?;
        let Json::Record(mut fields) = Json::read(text).map_err(|error| no_json(&error))? else {
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

    /// The `id` of the request that this one stops, if it does nothing else.
    pub(crate) fn stopped_id(&self) -> Option<&Json> {
        match &self.fields[..] {
            [(key, id)] if key == "stop" => Some(id),
            _ => None,
        }
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
    pub(crate) fn take<T: Field>(&mut self, key: &str) -> Result<T> {
        let Some(place) = self.fields.iter().position(|(known, _)| known == key) else {
            return Ok(T::default());
        };
        T::of(self.fields.remove(place).1).ok_or_else(|| {
            let error = Diagnostic::new(format!("`{key}` is {}", T::WORDS));
            error.help("its value has another type here")
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
pub(crate) fn id_fact(id: &Json) -> Fact {
    match id {
        Json::Number(number) => Fact::Number(*number),
        Json::Text(text) => Fact::Text(text.clone()),
        _ => Fact::Null,
    }
}
