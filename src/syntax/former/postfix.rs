//! From tokens to a flat tree: operator-precedence parsing by the shunting-yard algorithm, one loop with a stack.
//!
//! Operands go straight to the items; operators wait on the stack until one arrives that binds no tighter, and
//! brackets wait among them. The grammar is flat and accepts some texts that the language excludes (brackets that do
//! not match, `a b`, `1/2x`, `1 < x < 3`); they are found here, and `complaints` has the errors. The loop takes any
//! sequence of tokens, so it also finds what is wrong with a line that the grammar refused.

use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::Rule;
use crate::syntax::number;
use crate::syntax::number::NumberValue;
use crate::syntax::precedence;
use crate::syntax::precedence::{Grouping, Operator, level};
use crate::syntax::tree::{Expression, Head, Item, ItemKind, Property, Span};

/// A token of the grammar and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) rule: Rule,
    pub(crate) span: Span,
}

/// What is read, and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct TokenSource<'t> {
    /// The whole chunk; spans are places in it.
    pub(crate) text: &'t str,
    /// The expression, or the expressions of a binding.
    pub(crate) region: Span,
    /// The sign before them in a binding: `=`, `+=`.
    pub(crate) sign: Option<Span>,
}

impl<'t> TokenSource<'t> {
    pub(crate) fn new(text: &'t str, region: Span, sign: Option<Span>) -> TokenSource<'t> {
        TokenSource { text, region, sign }
    }
}

/// Reads the expressions of a source from its tokens: the last one, and those that stand before commas (which only a
/// binding may have).
pub(crate) fn read(
    source: TokenSource<'_>,
    tokens: impl Iterator<Item = Token>,
) -> Result<(Vec<Expression<'_>>, Expression<'_>), SyntaxError> {
    let read = read_with(source, tokens, false, Vec::new())?;
    Ok((read.first, read.last))
}

/// An expression that stands behind `±`.
pub(crate) struct WidthMark {
    /// Which of the expressions it is.
    pub(crate) at: usize,
    /// The `±`.
    pub(crate) sign: Span,
    /// The places of its literals with `%`, among its items.
    pub(crate) per_cent: Vec<usize>,
}

/// What [`read_with`] has read.
pub(crate) struct Values<'t> {
    /// The expressions before the last.
    pub(crate) first: Vec<Expression<'t>>,
    /// The last one.
    pub(crate) last: Expression<'t>,
    /// Those of them that stand behind `±`.
    pub(crate) widths: Vec<WidthMark>,
}

/// The same, where `±` may stand if `uncertain` says so. `widths` are those that have begun before the source.
pub(crate) fn read_with(
    source: TokenSource<'_>,
    mut tokens: impl Iterator<Item = Token>,
    uncertain: bool,
    widths: Vec<WidthMark>,
) -> Result<Values<'_>, SyntaxError> {
    let mut reader = Reader {
        source,
        uncertain,
        widths,
        // As many as the grammar has found; of a refused line the number is not known.
        items: Vec::with_capacity(tokens.size_hint().1.unwrap_or_default()),
        // Enough for nearly all lines.
        stack: Vec::with_capacity(8),
        vanished: Vec::new(),
        values: Vec::new(),
        expected: true,
        start: None,
        last: None,
        loops: ForLoops::default(),
    };
    let mut next = tokens.next();
    while let Some(token) = next {
        next = tokens.next();
        if !reader.expected && token.rule == Rule::name && reader.begins_loop(token) {
            next = reader.each(token, next, &mut tokens)?;
            continue;
        }
        reader.token(token, next)?;
        reader.last = Some(token);
    }
    reader.check_end()?;
    let last = reader.value();
    Ok(Values {
        first: reader.values,
        last,
        widths: reader.widths,
    })
}

/// What waits on the stack.
pub(crate) enum PendingOperator<'t> {
    /// An operator for its last operand.
    Apply {
        head: Head<'t>,
        operands: u32,
        level: u8,
        span: Span,
    },
    /// `(` for its `)`.
    Group { open: Span },
    /// `f(` for its `)`.
    Call {
        name: &'t str,
        span: Span,
        primes: u8,
        operands: u32,
        open: Span,
        /// The first item of its operands.
        from: usize,
    },
    /// `[` for its `]`.
    List {
        open: Span,
        /// How many items the list has so far.
        count: u32,
        /// The first item of the tree that belongs to it.
        from: usize,
    },
    /// `w[` for its `]`.
    Index {
        open: Span,
        /// The first item of its position.
        from: usize,
    },
    /// `for x in` for the bracket that closes around it.
    Each(PendingLoop),
}

/// `for a, b in`, which waits for the bracket around it to close.
#[derive(Clone, Copy)]
pub(crate) struct PendingLoop {
    /// From `for` to `in`.
    pub(crate) span: Span,
    /// The first item of the body.
    pub(crate) body: usize,
    /// The first item of what it goes over.
    pub(crate) over: usize,
    /// The first of its variables in [`ForLoops::variables`].
    pub(crate) variables: usize,
}

/// What the loop of `postfix` keeps for every `for`.
#[derive(Default)]
pub(crate) struct ForLoops<'t> {
    /// The variables of those that wait.
    pub(crate) variables: Vec<Item<'t>>,
    /// The first item of each that is complete and in no other yet, and how many are nested in it.
    pub(crate) complete: Vec<(usize, usize)>,
}

/// The loop's state.
pub(crate) struct Reader<'t> {
    pub(crate) source: TokenSource<'t>,
    /// `±` may stand here.
    pub(crate) uncertain: bool,
    /// Every `±` so far.
    pub(crate) widths: Vec<WidthMark>,
    pub(crate) items: Vec<Item<'t>>,
    pub(crate) stack: Vec<PendingOperator<'t>>,
    pub(crate) vanished: Vec<Span>,
    /// Finished expressions.
    pub(crate) values: Vec<Expression<'t>>,
    /// An operand is expected, not an operator.
    pub(crate) expected: bool,
    /// The first byte of the present expression.
    pub(crate) start: Option<u32>,
    /// The token before.
    pub(crate) last: Option<Token>,
    pub(crate) loops: ForLoops<'t>,
}

/// A name as the session knows it.
pub(crate) fn name(text: &str) -> &str {
    match text {
        "π" => "pi",
        "τ" => "tau",
        _ => text,
    }
}

impl<'t> Reader<'t> {
    /// Takes a token; `next` is the one that follows it.
    fn token(&mut self, token: Token, next: Option<Token>) -> Result<(), SyntaxError> {
        let Token { rule, span } = token;
        let text = || span.of(self.source.text);
        self.start.get_or_insert(span.start);
        match rule {
            Rule::name => {
                self.meet(token)?;
                self.operand(ItemKind::Name(name(text())), span);
            }
            Rule::number => {
                self.meet(token)?;
                self.number(text(), span, next)?;
            }
            Rule::result => {
                self.meet(token)?;
                let number = self.id(token)?;
                self.operand(ItemKind::Result(number), span);
            }
            Rule::node => self.node(token)?,
            Rule::sign | Rule::infix | Rule::typeset if self.expected => match text() {
                "-" | "−" => self.wait(Head::Operator(precedence::minus()), 1, level::SIGN, span),
                "+" => {}
                _ => return Err(self.missing(token)),
            },
            Rule::compare | Rule::factorial | Rule::superscript | Rule::member if self.expected => {
                return Err(match rule {
                    Rule::factorial => SyntaxError::new(
                        span,
                        "`!` comes after its operand",
                        "a factorial is `x!`; unequal is `a != b`; `not x` is `x == 0`",
                    ),
                    _ => self.missing(token),
                });
            }
            Rule::infix | Rule::compare | Rule::typeset => {
                let operator = precedence::between(text()).ok_or_else(|| self.stray(token))?;
                if operator.level == level::POWER {
                    self.refuse_after_superscript(token)?;
                }
                self.infix(operator, span)?;
            }
            Rule::root => {
                self.meet(token)?;
                self.wait(Head::Function("sqrt", 0), 1, level::ROOT, span);
            }
            Rule::open => self.open(token)?,
            Rule::close => self.close(token)?,
            Rule::comma => self.comma(token)?,
            Rule::primes => self.primes(token, next)?,
            Rule::factorial => {
                self.refuse_after_superscript(token)?;
                if self.is_last(Rule::factorial) {
                    return Err(self.readings().double_factorial(span));
                }
                self.emit(Head::Operator(precedence::factorial()), 1, span);
            }
            Rule::superscript => self.superscript(token)?,
            Rule::member => self.member(token, next)?,
            Rule::list_open => self.list_open(token)?,
            Rule::list_close => self.list_close(token)?,
            Rule::range => self.range(token)?,
            Rule::uncertain => self.uncertain(token)?,
            Rule::per_cent => self.per_cent(token)?,
            _ => return Err(self.misplaced(token)),
        }
        Ok(())
    }

    pub(crate) fn is_last(&self, rule: Rule) -> bool {
        self.last.is_some_and(|last| last.rule == rule)
    }

    /// Adds an operand to the items.
    fn operand(&mut self, kind: ItemKind<'t>, span: Span) {
        self.items.push(Item { kind, span });
        self.expected = false;
    }

    /// Applies something to the last operands.
    pub(crate) fn emit(&mut self, head: Head<'t>, operands: u32, span: Span) {
        self.items.push(Item {
            kind: ItemKind::Apply(head, operands),
            span,
        });
    }

    /// Pushes an operator, which waits for an operand.
    pub(crate) fn wait(&mut self, head: Head<'t>, operands: u32, level: u8, span: Span) {
        self.stack.push(PendingOperator::Apply {
            head,
            operands,
            level,
            span,
        });
        self.expected = true;
    }

    /// Pops and applies the operators that bind more tightly than `level`, or as tightly if `equal`.
    pub(crate) fn reduce(&mut self, level: u8, equal: bool) {
        while let Some(&PendingOperator::Apply {
            head,
            operands,
            level: waiting,
            span,
        }) = self.stack.last()
            && (waiting > level || waiting == level && equal)
        {
            self.stack.pop();
            self.emit(head, operands, span);
        }
    }

    fn infix(&mut self, operator: &'static Operator, span: Span) -> Result<(), SyntaxError> {
        if operator.spelling == "*" && self.is_list() {
            self.refuse_repetition(span)?;
        }
        self.reduce(operator.level, operator.grouping == Grouping::Left);
        if operator.grouping == Grouping::Alone
            && let Some(PendingOperator::Apply {
                level, span: first, ..
            }) = self.stack.last()
            && *level == operator.level
        {
            return Err(self.readings().chain(*first, span));
        }
        self.wait(Head::Operator(operator), 2, operator.level, span);
        Ok(())
    }

    /// A literal, and the minus directly before it unless something follows that binds more tightly: `-3`, but `-(3^2)`.
    fn number(
        &mut self,
        text: &'t str,
        span: Span,
        next: Option<Token>,
    ) -> Result<(), SyntaxError> {
        let (mut literal, vanished) = match number::value(text) {
            NumberValue::Known(literal) => (literal, false),
            NumberValue::Vanished(literal) => (literal, true),
            NumberValue::TooLarge => {
                return Err(SyntaxError::too_large(span, &self.quote(span)));
            }
        };
        let mut whole = span;
        if let Some(&PendingOperator::Apply {
            level: level::SIGN,
            span: minus,
            ..
        }) = self.stack.last()
            && minus.end == span.start
            && !next.is_some_and(|next| self.binds_tighter_than_minus(next))
        {
            self.stack.pop();
            literal.value = -literal.value;
            whole = minus.to(span);
        }
        if vanished {
            self.vanished.push(whole);
        }
        self.operand(ItemKind::Number(literal), whole);
        Ok(())
    }

    fn binds_tighter_than_minus(&self, token: Token) -> bool {
        match token.rule {
            Rule::factorial | Rule::member | Rule::superscript => true,
            Rule::infix => matches!(token.span.of(self.source.text), "^" | "**"),
            _ => false,
        }
    }

    /// `@9`, or the end of `a@1`.
    fn node(&mut self, token: Token) -> Result<(), SyntaxError> {
        let number = self.id(token)?;
        if self.is_last(Rule::name)
            && let Some(item) = self.items.last_mut()
            && let ItemKind::Name(name) = item.kind
            && item.span.end == token.span.start
        {
            *item = Item {
                kind: ItemKind::Former(name, number),
                span: item.span.to(token.span),
            };
            return Ok(());
        }
        self.meet(token)?;
        self.operand(ItemKind::Id(number), token.span);
        Ok(())
    }

    /// The number behind `@` or `$`.
    fn id(&self, token: Token) -> Result<u32, SyntaxError> {
        let digits = &token.span.of(self.source.text)[1..];
        digits.parse().map_err(|_| {
            let message = format!(
                "`{}` is larger than any number in use",
                self.quote(token.span)
            );
            SyntaxError::new(token.span, message, "`:vars` lists all names")
        })
    }

    /// An operand, or what begins one, where an operator may be expected: a number directly before it multiplies.
    fn meet(&mut self, token: Token) -> Result<(), SyntaxError> {
        if self.expected {
            return Ok(());
        }
        let Some(number) = self.last else {
            return Ok(());
        };
        let adjoins = number.rule == Rule::number && number.span.end == token.span.start;
        if !adjoins || matches!(token.rule, Rule::node | Rule::result) {
            return Err(self.juxtaposition(token.span));
        }
        self.refuse_half_number(number.span, token)?;
        let signs = |waiting: &&PendingOperator<'_>| {
            matches!(
                waiting,
                PendingOperator::Apply {
                    level: level::SIGN,
                    ..
                }
            )
        };
        if let Some(&PendingOperator::Apply {
            head, level, span, ..
        }) = self.stack.iter().rev().find(|waiting| !signs(waiting))
        {
            let divides = matches!(head, Head::Operator(operator) if level == level::PRODUCT && operator.spelling != "*");
            if divides || level >= level::POWER {
                return Err(self.readings().coefficient(span, number.span));
            }
        }
        let times = precedence::between("*").ok_or_else(|| self.stray(token))?;
        self.infix(times, number.span)
    }

    fn open(&mut self, token: Token) -> Result<(), SyntaxError> {
        let open = token.span;
        let text = self.source.text;
        if self.expected {
            self.stack.push(PendingOperator::Group { open });
            return Ok(());
        }
        let waiting = match self.last {
            Some(Token {
                rule: rule @ (Rule::name | Rule::primes),
                span: last,
            }) => {
                let primes = if rule == Rule::primes {
                    last.of(text).chars().count()
                } else {
                    0
                };
                let Some(Item {
                    kind: ItemKind::Name(name),
                    span,
                }) = self.items.pop()
                else {
                    return Err(self.misplaced(token));
                };
                PendingOperator::Call {
                    name,
                    span,
                    primes: primes as u8,
                    operands: 1,
                    open,
                    from: self.items.len(),
                }
            }
            Some(Token {
                rule: Rule::member,
                span,
            }) => {
                let span = Span {
                    start: span.start + 1,
                    ..span
                };
                PendingOperator::Call {
                    name: span.of(text),
                    span,
                    primes: 0,
                    operands: 2,
                    open,
                    from: self.items.len(),
                }
            }
            _ => {
                self.meet(token)?;
                PendingOperator::Group { open }
            }
        };
        self.stack.push(waiting);
        self.expected = true;
        Ok(())
    }

    fn close(&mut self, token: Token) -> Result<(), SyntaxError> {
        let Token { span, .. } = token;
        let empty = self.expected && self.is_last(Rule::open);
        if !empty {
            if self.expected && self.bracket().is_some() {
                return Err(self.missing(token));
            }
            self.reduce(0, false);
        }
        let mut waiting = self.stack.pop();
        if let Some(PendingOperator::Each(each)) = waiting {
            waiting = self.stack.pop();
            if let Some(PendingOperator::Call { open, .. }) = waiting {
                self.collect(each, open.to(span))?;
            }
        }
        match waiting {
            Some(PendingOperator::Call {
                name,
                span,
                primes,
                operands,
                ..
            }) if !empty => {
                self.emit(Head::Function(name, primes), operands, span);
            }
            Some(PendingOperator::Group { .. }) if !empty => {}
            // `a.tanh()`
            Some(PendingOperator::Call {
                name,
                span,
                primes,
                operands: 2,
                ..
            }) => {
                self.emit(Head::Function(name, primes), 1, span);
            }
            Some(PendingOperator::Call {
                span: function,
                open,
                ..
            }) => {
                let function = self.quote(function);
                return Err(SyntaxError::empty_brackets(open.to(span), Some(&function)));
            }
            Some(PendingOperator::Group { open }) => {
                return Err(SyntaxError::empty_brackets(open.to(span), None));
            }
            Some(waiting @ (PendingOperator::List { .. } | PendingOperator::Index { .. })) => {
                self.stack.push(waiting);
                return Err(self.wrong_close(token));
            }
            _ => return Err(SyntaxError::unopened(')', span)),
        }
        self.expected = false;
        Ok(())
    }

    fn comma(&mut self, token: Token) -> Result<(), SyntaxError> {
        if self.expected {
            return Err(self.missing(token));
        }
        self.reduce(0, false);
        match self.stack.last_mut() {
            Some(PendingOperator::Call { operands, .. }) => *operands += 1,
            Some(PendingOperator::List { count, .. }) => *count += 1,
            Some(PendingOperator::Index { .. } | PendingOperator::Each(_)) => {
                return Err(self.misplaced_comma(token));
            }
            Some(PendingOperator::Group { open }) => {
                let error = SyntaxError::comma_in_brackets(token.span, *open);
                return Err(self.grouped_number(token).unwrap_or(error));
            }
            _ if self.source.sign.is_none() => {
                return Err(self.misplaced_comma(token));
            }
            _ => {
                let value = self.value();
                self.values.push(value);
            }
        }
        self.expected = true;
        Ok(())
    }

    /// `x²`: a power with its exponent.
    fn superscript(&mut self, token: Token) -> Result<(), SyntaxError> {
        self.refuse_after_superscript(token)?;
        let text = token.span.of(self.source.text);
        let digits: String = text.chars().map(number::plain).collect();
        let NumberValue::Known(literal) = number::value(&digits) else {
            return Err(SyntaxError::too_large(token.span, &self.quote(token.span)));
        };
        let power = precedence::between("^").ok_or_else(|| self.stray(token))?;
        self.reduce(level::POWER, false);
        self.operand(ItemKind::Number(literal), token.span);
        self.emit(Head::Operator(power), 2, token.span);
        Ok(())
    }

    fn member(&mut self, token: Token, next: Option<Token>) -> Result<(), SyntaxError> {
        self.refuse_after_superscript(token)?;
        if next.is_some_and(|next| next.rule == Rule::open) {
            return Ok(());
        }
        let word = token.span.of(self.source.text).strip_prefix('.');
        let Some(property) = word.and_then(Property::named) else {
            return Err(self.unknown_property(token));
        };
        self.items.push(Item {
            kind: ItemKind::Property(property),
            span: token.span,
        });
        Ok(())
    }

    /// The present expression is complete.
    pub(crate) fn value(&mut self) -> Expression<'t> {
        self.reduce(0, false);
        let start = self.start.take().unwrap_or_default();
        let end = self.last.map_or(start, |last| last.span.end);
        Expression {
            items: std::mem::take(&mut self.items),
            span: Span { start, end },
            vanished: std::mem::take(&mut self.vanished),
        }
    }
}
