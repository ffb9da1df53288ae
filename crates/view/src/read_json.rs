//! Reads JSON: the requests of programs that run the calculator.
//!
//! A library would read more than requests have, and it would travel in the page. Numbers that JSON lacks come as texts, as
//! they are written: `"NaN"`, `"Infinity"`.

use chainrule_report::characters;

/// The most lists and objects inside one another.
const MAX_DEPTH: usize = 100;

/// A value that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Flag(bool),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object. A key may occur more than once.
    Record(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text that is one value. The error is a sentence.
    pub fn read(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        match reader.next_sign() {
            None => Ok(value),
            Some(_) => Err(reader.error("the end")),
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    /// The next character that is no blank.
    fn next_sign(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let begin = rest.find(|c| !matches!(c, ' ' | '\t' | '\n' | '\r'));
        self.at += begin.unwrap_or(rest.len());
        self.text[self.at..].chars().next()
    }

    /// Whether a sign or a word comes next. If it does, it has been read.
    fn takes(&mut self, expected: &str) -> bool {
        self.next_sign();
        let is_next = self.text[self.at..].starts_with(expected);
        self.at += if is_next { expected.len() } else { 0 };
        is_next
    }

    fn error(&self, expected: &str) -> String {
        let column = self.text[..self.at].chars().count() + 1;
        let found = match self.text[self.at..].chars().next() {
            Some(c) => format!("`{}`", characters::clean(&c.to_string())),
            None => "the end".to_owned(),
        };
        format!("column {column}: {expected} is expected, and this is {found}")
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > MAX_DEPTH {
            return Err(format!("lists are nested at most {MAX_DEPTH} deep"));
        }
        match self.next_sign() {
            Some('"') => self.text().map(Json::Text),
            Some('[') => self.all("]", |it| it.value(depth + 1)).map(Json::List),
            Some('{') => self.all("}", |it| it.entry(depth + 1)).map(Json::Record),
            Some('-' | '0'..='9') => self.number(),
            _ if self.takes("null") => Ok(Json::Null),
            _ if self.takes("true") => Ok(Json::Flag(true)),
            _ if self.takes("false") => Ok(Json::Flag(false)),
            _ => Err(self.error("a value")),
        }
    }

    fn entry(&mut self, depth: usize) -> Result<(String, Json), String> {
        if self.next_sign() != Some('"') {
            return Err(self.error("a key"));
        }
        let key = self.text()?;
        if !self.takes(":") {
            return Err(self.error("`:`"));
        }
        Ok((key, self.value(depth)?))
    }

    /// Reads what is between two brackets. The first one comes here.
    fn all<T>(
        &mut self,
        end: &str,
        mut read: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.at += 1;
        let mut all = Vec::new();
        while !self.takes(end) {
            if !all.is_empty() && !self.takes(",") {
                return Err(self.error(&format!("`,` or `{end}`")));
            }
            all.push(read(self)?);
        }
        Ok(all)
    }

    fn number(&mut self) -> Result<Json, String> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let digits = &rest[..end];
        let number = digits.parse().ok().filter(|_| !digits.ends_with('.'));
        let read = number.ok_or_else(|| self.error("a number"))?;
        self.at += end;
        Ok(Json::Number(read))
    }

    /// Reads a text, which begins here with its quote.
    fn text(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let end = rest.find(|c| matches!(c, '"' | '\\' | '\0'..='\x1f'));
            let Some(end) = end else {
                self.at = self.text.len();
                return Err(self.error("`\"`"));
            };
            out.push_str(&rest[..end]);
            self.at += end;
            match rest.as_bytes()[end] {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' if rest[end..].starts_with("\\u") => out.push_str(&self.codes()?),
                b'\\' => out.push(self.escaped()?),
                _ => return Err(self.error("`\\n` for a line end, or `\"`")),
            }
        }
    }

    /// Reads a character that is written with a backslash.
    fn escaped(&mut self) -> Result<char, String> {
        let sign = self.text.as_bytes().get(self.at + 1);
        let plain = match sign {
            Some(sign @ (b'"' | b'\\' | b'/')) => char::from(*sign),
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(self.error("an escape such as `\\n`")),
        };
        self.at += 2;
        Ok(plain)
    }

    /// Reads codes such as `\u00e9`. Two halves make a character beyond 16 bits, and a half alone becomes `�`.
    fn codes(&mut self) -> Result<String, String> {
        let mut units = Vec::new();
        while let Some(rest) = self.text[self.at..].strip_prefix("\\u") {
            let digits = rest.get(..4).unwrap_or_default();
            let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let unit = u16::from_str_radix(digits, 16).ok().filter(|_| is_hex);
            units.push(unit.ok_or_else(|| self.error("`\\u` and four digits"))?);
            self.at += 6;
        }
        Ok(String::from_utf16_lossy(&units))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::write_fact;
    use chainrule_report::Fact;

    /// The same value, to be written.
    fn fact_of(value: Json) -> Fact {
        match value {
            Json::Null => Fact::Null,
            Json::Flag(flag) => Fact::Flag(flag),
            Json::Number(number) => Fact::Number(number),
            Json::Text(text) => Fact::Text(text),
            Json::List(entries) => entries.into_iter().map(fact_of).collect(),
            Json::Record(_) => unreachable!("its keys are not known beforehand"),
        }
    }

    #[test]
    fn what_is_read_is_written_again() {
        for (text, expected) in [
            (
                " [1, -2.5e-3 ,true,null, false]\t",
                "[1,-0.0025,true,null,false]",
            ),
            (
                r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx""#,
                r#""\"\\/\u0008\u000c\n\r\té😀�x""#,
            ),
            (r#"["NaN", [], [[]]]"#, r#"["NaN",[],[[]]]"#),
            ("-0.0", "-0.0"),
            ("9007199254740993", "9007199254740992"),
        ] {
            let mut out = String::new();
            write_fact(&fact_of(Json::read(text).expect(text)), &mut out);
            assert_eq!(out, expected, "{text}");
        }
        let read = Json::read(r#"{"a": [1], "a": "b"}"#);
        let entry = |value| ("a".to_owned(), value);
        let (list, text) = (Json::List(vec![Json::Number(1.0)]), Json::Text("b".into()));
        assert_eq!(read, Ok(Json::Record(vec![entry(list), entry(text)])));
    }

    #[test]
    fn what_is_no_json_is_refused_at_its_place() {
        for (text, column) in [
            ("", 1),
            ("[1,]", 4),
            ("[1 2]", 4),
            ("{1:2}", 2),
            ("{\"a\" 2}", 6),
            ("{\"a\":2,}", 8),
            ("\"a", 3),
            ("\"a\nb\"", 3),
            ("\"\\x\"", 2),
            ("\"\\u12g4\"", 2),
            ("1.", 1),
            ("-", 1),
            ("nul", 1),
            ("1 2", 3),
            ("'a'", 1),
            ("é", 1),
        ] {
            let error = Json::read(text).expect_err(text);
            assert!(
                error.starts_with(&format!("column {column}:")),
                "{text}: {error}"
            );
        }
        let deep = "[".repeat(MAX_DEPTH + 2);
        let error = Json::read(&deep).expect_err("too deep");
        assert_eq!(error, "lists are nested at most 100 deep");
    }
}
