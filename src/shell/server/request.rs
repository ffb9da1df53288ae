//! Reads a request of the dialogue: an object whose fields are checked one by one.

use crate::shell::script::answer_format::{FORMS, Form};
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_view::read_json::Json;

/// A request, whose fields are taken out of it.
pub(crate) struct Request {
    /// The number or the text that all objects of its answer repeat.
    pub(crate) id: Json,
    fields: Vec<(String, Json)>,
    /// The fields that were asked for.
    known: Vec<&'static str>,
}

impl Request {
    /// Reads an object with an `id`.
    pub(crate) fn read(line: &str) -> Result<Request> {
        let refused = |message: String| {
            let help = "as in `{\"id\": 1, \"run\": \"a = 2\"}`, on one line";
            Diagnostic::new(message).help(help)
        };
        let json =
            Json::read(line).map_err(|error| refused(format!("this is no JSON: {error}")))?;
        let Json::Record(mut fields) = json else {
            return Err(refused("a request is an object".to_owned()));
        };
        let place = fields.iter().position(|(key, _)| key == "id");
        let id = place.map(|at| fields.remove(at).1);
        let Some(id @ (Json::Number(_) | Json::Text(_))) = id else {
            return Err(refused(
                "a request has an `id`, a number or a text".to_owned(),
            ));
        };
        let known = Vec::new();
        Ok(Request { id, fields, known })
    }

    /// A request that could not be read.
    pub(crate) fn unknown() -> Request {
        Request {
            id: Json::Null,
            fields: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Whether this is the only field.
    pub(crate) fn is_only(&self, key: &str) -> bool {
        matches!(&self.fields[..], [(only, _)] if only == key)
    }

    /// The field that says what is wanted, one of these.
    pub(crate) fn verb(&self, verbs: &[&'static str]) -> Result<&'static str> {
        let is_given = |verb: &&&str| self.fields.iter().any(|(key, _)| key == **verb);
        if let Some(verb) = verbs.iter().find(is_given) {
            return Ok(verb);
        }
        let key = self.fields.first().map_or("", |(key, _)| key);
        let error = Diagnostic::new("the request does not say what is wanted");
        Err(match nearest(key, verbs.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}` in place of `{key}`?")),
            None => error.help(format!("it has one of {}", quoted(verbs))),
        })
    }

    /// Takes a field.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<Json> {
        self.known.push(key);
        let place = self.fields.iter().position(|(known, _)| known == key)?;
        Some(self.fields.remove(place).1)
    }

    /// Takes a text that must be there.
    pub(crate) fn text(&mut self, key: &'static str) -> Result<String> {
        match self.take(key) {
            Some(Json::Text(text)) => Ok(text),
            _ => Err(wrong_type(key, "a text")),
        }
    }

    /// Takes a list of texts, which is empty if it is missing.
    pub(crate) fn texts(&mut self, key: &'static str) -> Result<Vec<String>> {
        let entries = self.list(key, "a list of texts")?.into_iter();
        let texts = entries.map(|entry| match entry {
            Json::Text(text) => Ok(text),
            _ => Err(wrong_type(key, "a list of texts")),
        });
        texts.collect()
    }

    /// Takes a list, which is empty if it is missing.
    fn list(&mut self, key: &'static str, expected: &str) -> Result<Vec<Json>> {
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Json::List(entries)) => Ok(entries),
            Some(_) => Err(wrong_type(key, expected)),
        }
    }

    /// Takes a list of whole numbers, which is empty if it is missing.
    pub(crate) fn counts(&mut self, key: &'static str) -> Result<Vec<usize>> {
        let expected = "a list of whole numbers";
        let entries = self.list(key, expected)?;
        let counts = entries.iter().map(count_of);
        counts
            .collect::<Option<_>>()
            .ok_or_else(|| wrong_type(key, expected))
    }

    /// Takes a whole number, if it is there.
    pub(crate) fn count(&mut self, key: &'static str) -> Result<Option<usize>> {
        let Some(value) = self.take(key) else {
            return Ok(None);
        };
        let count = count_of(&value).ok_or_else(|| wrong_type(key, "a whole number"))?;
        Ok(Some(count))
    }

    /// Takes a number, if it is there.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn number(&mut self, key: &'static str) -> Result<Option<f64>> {
        match self.take(key) {
            None => Ok(None),
            Some(Json::Number(number)) => Ok(Some(number)),
            Some(_) => Err(wrong_type(key, "a number")),
        }
    }

    /// Takes `true` or `false`; a missing field is `false`.
    pub(crate) fn flag(&mut self, key: &'static str) -> Result<bool> {
        match self.take(key) {
            None => Ok(false),
            Some(Json::Flag(flag)) => Ok(flag),
            Some(_) => Err(wrong_type(key, "`true` or `false`")),
        }
    }

    /// Takes an object, which is empty if it is missing.
    pub(crate) fn record(&mut self, key: &'static str) -> Result<Vec<(String, Json)>> {
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Json::Record(entries)) => Ok(entries),
            Some(_) => Err(wrong_type(key, "an object")),
        }
    }

    /// Takes the forms that the request wants.
    pub(crate) fn forms(&mut self) -> Result<Vec<Form>> {
        let wanted = self.texts("want")?.into_iter();
        let forms = wanted.map(|word| {
            let known = FORMS.iter().find(|(name, _)| *name == word);
            known.map(|(_, form)| *form).ok_or_else(|| {
                let names = quoted(&FORMS.map(|(name, _)| name));
                Diagnostic::new(format!("`{word}` is no form of an answer"))
                    .help(format!("`want` lists some of {names}"))
            })
        });
        let forms: Vec<Form> = forms.collect::<Result<_>>()?;
        Ok(if forms.is_empty() {
            vec![Form::Text]
        } else {
            forms
        })
    }

    /// Refuses the fields that were not asked for.
    pub(crate) fn end(&self) -> Result<()> {
        let Some((key, _)) = self.fields.first() else {
            return Ok(());
        };
        let error = Diagnostic::new(format!("`{key}` is no field of this request"));
        Err(match nearest(key, self.known.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(format!("it has `id`, {}", quoted(&self.known))),
        })
    }
}

fn quoted(words: &[&str]) -> String {
    format!("`{}`", words.join("`, `"))
}

fn count_of(value: &Json) -> Option<usize> {
    match value {
        Json::Number(number) if *number >= 0.0 && number.fract() == 0.0 => Some(*number as usize),
        _ => None,
    }
}

fn wrong_type(key: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(format!("`{key}` is {expected}")).help("its value has another type here")
}
