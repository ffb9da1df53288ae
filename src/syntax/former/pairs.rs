//! The tokens of the grammar, one after the other, for the loop that makes the tree.
//!
//! pest keeps the begin and the end of each token, which takes a good part of the time. So the grammar makes no tokens
//! of frequent signs of one character and of single blanks; nothing else stands between its tokens, and [`SignStream`]
//! finds them there.

use pest::Parser;
use pest::iterators::{Pairs, Tokens};

use super::postfix::{Token, TokenSource};
use crate::syntax::former::grammar::{Grammar, Rule};
use crate::syntax::tree::Span;

/// How many bytes of a long text pest reads at a time.
const SECTION: usize = 32 * 1024;

/// The tokens that pest found, one after the other. (pest tells each token's begin and end; nothing is nested but the
/// whole and a head.)
#[derive(Clone)]
pub(crate) struct PairStream<'p> {
    tokens: Tokens<'p, Rule>,
    offset: u32,
    /// The sections that follow, if the text is read in sections.
    following: &'p str,
    section: usize,
}

impl<'p> PairStream<'p> {
    /// `offset` is where pest's text begins in the chunk.
    pub(crate) fn new(pairs: Pairs<'p, Rule>, offset: u32) -> PairStream<'p> {
        PairStream {
            tokens: inner(pairs),
            offset,
            following: "",
            section: SECTION,
        }
    }

    /// The tokens of a long text, read in one section after the other while they are asked for, so that pest never keeps
    /// those of the whole text. Where the grammar refuses a section, the last token is a stray one; the text as a whole
    /// may still be right, or another kind of statement. `None` if the text is short or cannot be read so.
    pub(crate) fn in_sections(rule: Rule, text: &'p str, region: Span) -> Option<PairStream<'p>> {
        PairStream::in_sections_of(SECTION, rule, text, region)
    }

    fn in_sections_of(
        section: usize,
        rule: Rule,
        text: &'p str,
        region: Span,
    ) -> Option<PairStream<'p>> {
        let source = region.of(text);
        // What looks like a place to cut may stand in a comment.
        if source.len() <= section || source.contains('#') {
            return None;
        }
        let (first, following) = source.split_at(section_end(source, section));
        let pairs = Grammar::parse(rule, first).ok()?;
        Some(PairStream {
            following,
            section,
            ..PairStream::new(pairs, region.start)
        })
    }

    /// Goes on to the next section; `false` if there is none.
    fn advance(&mut self, end: u32) -> bool {
        let (next, following) = self
            .following
            .split_at(section_end(self.following, self.section));
        let Ok(pairs) = Grammar::parse(Rule::further, next) else {
            return false;
        };
        self.tokens = inner(pairs);
        self.offset = end;
        self.following = following;
        true
    }

    /// Steps into a group of tokens if it begins here.
    pub(crate) fn enter(&mut self, rule: Rule) -> bool {
        let mut ahead = self.tokens.clone();
        let entered =
            matches!(ahead.next(), Some(pest::Token::Start { rule: found, .. }) if found == rule);
        if entered {
            self.tokens = ahead;
        }
        entered
    }
}

impl Iterator for PairStream<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            // The end of a group is passed over.
            let pest::Token::Start { rule, pos } = self.tokens.next()? else {
                continue;
            };
            if rule == Rule::EOI {
                if self.following.is_empty() {
                    return None;
                }
                let end = self.offset + pos.pos() as u32;
                if self.advance(end) {
                    continue;
                }
                let rest = self.following.len() as u32;
                self.following = "";
                let span = Span {
                    start: end,
                    end: end + rest,
                };
                return Some(Token {
                    rule: Rule::stray,
                    span,
                });
            }
            let end = self.tokens.next()?;
            let pest::Token::End { pos: end, .. } = end else {
                continue;
            };
            let span = Span {
                start: self.offset + pos.pos() as u32,
                end: self.offset + end.pos() as u32,
            };
            return Some(Token { rule, span });
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // A begin and an end each; the sections that follow have about as many.
        let count = self.tokens.len() / 2;
        let more = self.following.len() / self.section;
        (0, Some(count * (1 + more)))
    }
}

/// The tokens in the whole.
fn inner(pairs: Pairs<'_, Rule>) -> Tokens<'_, Rule> {
    let mut tokens = pairs.tokens();
    tokens.next();
    tokens.next_back();
    tokens
}

/// Where a section of about `length` bytes may end: directly behind an operand or a bracket, before a sign that cannot
/// belong to it. There the grammar stands between two pieces of an expression, whatever is around.
fn section_end(text: &str, length: usize) -> usize {
    let bytes = text.as_bytes();
    let ends = |&at: &usize| {
        (bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b'_' | b')' | b']'))
            && match bytes[at] {
                b'*' | b'/' | b',' => true,
                b' ' => matches!(bytes.get(at + 1), Some(b'+' | b'-' | b'*' | b'/')),
                _ => false,
            }
    };
    (length..bytes.len()).find(ends).unwrap_or(bytes.len())
}

/// The tokens of an expression that the grammar has read: pest's and the signs between them.
pub(crate) struct SignStream<'t> {
    bytes: &'t [u8],
    /// Everything before this has been returned.
    at: u32,
    tokens: PairStream<'t>,
    /// The next of them.
    next: Token,
    /// The token after the last one.
    end: Token,
}

impl<'t> SignStream<'t> {
    /// The parts of `region` that no token covers are searched for signs.
    pub(crate) fn new(source: TokenSource<'t>, mut tokens: PairStream<'t>) -> SignStream<'t> {
        let TokenSource { text, region, .. } = source;
        let end = Token {
            rule: Rule::EOI,
            span: region.behind(),
        };
        SignStream {
            bytes: text.as_bytes(),
            at: region.start,
            next: tokens.next().unwrap_or(end),
            tokens,
            end,
        }
    }
}

impl Iterator for SignStream<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            while self.at < self.next.span.start {
                let start = self.at;
                self.at += 1;
                if let Some(rule) = sign(self.bytes[start as usize]) {
                    let span = Span {
                        start,
                        end: self.at,
                    };
                    return Some(Token { rule, span });
                }
            }
            let mut token = self.next;
            self.at = token.span.end;
            token.rule = match token.rule {
                Rule::EOI => return None,
                Rule::operand => match self.bytes[token.span.start as usize] {
                    b'0'..=b'9' | b'.' => Rule::number,
                    _ => Rule::name,
                },
                rule => rule,
            };
            self.next = self.tokens.next().unwrap_or(self.end);
            if token.rule != Rule::space {
                return Some(token);
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // Between any two tokens may stand one sign that becomes an item of a tree; brackets and most commas do not.
        let (_, count) = self.tokens.size_hint();
        (0, count.map(|count| 2 * count + 1))
    }
}

/// The rule of a sign that may stand between tokens; a blank is not a sign.
fn sign(byte: u8) -> Option<Rule> {
    match byte {
        b'+' | b'-' | b'*' | b'/' | b'^' => Some(Rule::infix),
        b'(' => Some(Rule::open),
        b')' => Some(Rule::close),
        b',' => Some(Rule::comma),
        b'[' => Some(Rule::list_open),
        b']' => Some(Rule::list_close),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use pest::Parser;

    use super::super::tokens::tokens;
    use super::*;
    use crate::syntax::former::grammar::Grammar;

    /// An expression that the grammar accepts has the tokens that the rule `tokens` finds in it, also if it is read in
    /// sections.
    #[test]
    fn what_reads_has_the_tokens_of_any_text() {
        let pieces = [
            "a",
            "x1",
            "é",
            "_",
            "x₁",
            "e",
            "12",
            "1.",
            ".5",
            "0.25",
            "1e5",
            "1e−3",
            "2e",
            "0x1f",
            "0b1",
            "0x",
            "1_0",
            "@1",
            "$2",
            "a@1",
            "+",
            "-",
            "−",
            "*",
            "**",
            "/",
            "^",
            "%",
            "×",
            "÷",
            "<",
            "<=",
            "≤",
            " == ",
            "!=",
            "!",
            "(",
            ")",
            "(",
            ")",
            ",",
            "√",
            "²",
            "⁻¹",
            "f''(",
            " ± ",
            "+/-",
            "%",
            "%,",
            "% )",
            "[",
            "[",
            "]",
            "]",
            ", ]",
            "..",
            " for a, b in ",
            " for (x)in",
            " in ",
            ".f",
            ".tanh()",
            ".f( )",
            ".f(\t\n)",
            " ",
            " ",
            "  ",
            "\t",
            "\u{A0}",
            "\n",
            "\\\n",
            " # a + b\n",
        ];
        // A sign is of one kind before an operand and of another between two, but not to any text.
        let plain = |token: Token, text: &str| match token.span.of(text) {
            "+" | "-" | "−" => (Rule::sign, token.span),
            _ => (token.rule, token.span),
        };
        let mut seed = 5_u64;
        let mut random = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % bound
        };
        let mut read = 0;
        let mut several = 0;
        for _ in 0..20_000 {
            let text: String = (0..=random(9))
                .map(|_| pieces[random(pieces.len())])
                .collect();
            let region = Span::new(0, text.len());
            let source = TokenSource::new(&text, region, None);
            let sections =
                PairStream::in_sections_of(1 + random(4), Rule::expression, &text, region);
            let cut = (sections.as_ref()).is_some_and(|tokens| !tokens.following.is_empty());
            let sections: Option<Vec<_>> = sections.map(|tokens| {
                let tokens = SignStream::new(source, tokens);
                tokens.map(|token| plain(token, &text)).collect()
            });
            let refused = |tokens: &Vec<(Rule, Span)>| {
                let last = tokens.last();
                last.is_some_and(|(rule, _)| *rule == Rule::stray)
            };
            let Ok(pairs) = Grammar::parse(Rule::expression, &text) else {
                assert!(sections.as_ref().is_none_or(refused), "{text:?}");
                continue;
            };
            read += 1;
            let found: Vec<_> = SignStream::new(source, PairStream::new(pairs, 0))
                .map(|token| plain(token, &text))
                .collect();
            if let Some(sections) = sections {
                several += usize::from(cut);
                assert_eq!(sections, found, "{text:?}");
            }
            let any: Vec<_> = tokens(&text, region)
                .map(|token| plain(token, &text))
                .collect();
            assert_eq!(found, any, "{text:?}");
        }
        assert!(read > 1_000 && several > 300, "{read}, {several}");
    }
}
