//! Serves the line while it is typed: paints it, and offers its completions.

use std::rc::Rc;

use super::{Page, files, object};
use crate::interpret;
use crate::shell::process::terminal::Stream;
use crate::shell::process::world;
use crate::shell::script::host::TypingHost;
use crate::shell::script::typed_line;
use chainrule_report::Fact;
use chainrule_view::{self as view, Style};

impl Page {
    /// Paints the line as it looks while it is typed. The cursor is a byte position. Returns an object: `html` is the painted
    /// line, and `hint` is the result that the line would have if `is_hinted`, else `null`.
    pub fn look(&mut self, line: &str, cursor: usize, is_hinted: bool) -> String {
        let style = self.runner.style(Stream::Answers);
        let session = self.runner.session_mut();
        let mut painted = String::new();
        typed_line::paint_line(session, line, Some(cursor), "", &style, &mut painted);
        let mut hint = None;
        if is_hinted && session.settings().is_on("hint") {
            let host = Rc::new(TypingHost(world::now()));
            let result = interpret::preview(session, line, host).answer;
            hint = result.map(|pieces| view::plain(&pieces, &Style::default()));
        }
        object(vec![
            ("html", Fact::Text(view::marked_html(&painted))),
            ("hint", hint.as_deref().into()),
        ])
    }

    /// The completions at the cursor, a byte position, as an object. `start` is the position at which they begin. Each of
    /// the `entries` has the `text` to insert, the text that is `shown` in the menu, and a description, `about`.
    pub fn complete(&self, line: &str, cursor: usize) -> String {
        let found = interpret::completions(self.runner.session(), line, cursor);
        let plain = |about| view::plain(about, &Style::default());
        let mut entries: Vec<Fact> = (found.candidates.iter())
            .map(|it| completion(&it.text, &it.shown, &plain(&it.about)))
            .collect();
        if let Some(asked) = &found.files {
            let quote = asked.quote.map(String::from).unwrap_or_default();
            let suits = |name: &String| {
                let ends = |ending: &&str| name.ends_with(&format!(".{ending}"));
                name.starts_with(&asked.typed)
                    && (asked.endings.is_empty() || asked.endings.iter().any(ends))
            };
            for name in files::names().iter().filter(|name| suits(name)) {
                entries.push(completion(&format!("{quote}{name}{quote}"), name, "file"));
            }
        }
        object(vec![
            ("start", Fact::Count(found.start as u64)),
            ("entries", Fact::List(entries)),
        ])
    }
}

/// A completion of the line.
fn completion(text: &str, shown: &str, about: &str) -> Fact {
    Fact::Record(vec![
        ("text", Fact::from(text)),
        ("shown", Fact::from(shown)),
        ("about", Fact::from(about)),
    ])
}
