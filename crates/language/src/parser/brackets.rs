//! Reads the operands in brackets: `(a + b)`, `[1, 2]`, `(5 ± 0.1)`, `[x^2 for x in xs]`, and the arguments
//! of calls with their options, such as `dtype=float`.

use super::expression::{OperandKind, Parsed, TreeReader, expressions};
use super::name::{kept_name, name_in_tree};
use crate::grammar::{Pair, Pairs, Rule};
use crate::lexer::outside_brackets;
use crate::lexer::words::strip_quotes;
use crate::precedence::level;
use crate::tree::{Expression, Head, Item, ItemKind, Name, Span};

/// Options of functions of modules that change nothing here.
const IGNORED_OPTIONS: [&str; 3] = ["dtype", "requires_grad", "device"];

/// The first comma between digits inside of brackets. It is rather a decimal point than between the items of a list.
pub(super) fn decimal_comma(brackets: Span, text: &str) -> Option<Span> {
    let inside = Span::new(brackets.start as usize + 1, brackets.end as usize - 1);
    let is_digit = |c: char| c.is_ascii_digit();
    let is_in_number = |&(at, c): &(usize, char)| {
        let (before, behind) = inside.of(text).split_at(at);
        c == ',' && before.ends_with(is_digit) && behind[1..].starts_with(is_digit)
    };
    let (at, _) = outside_brackets(inside.of(text)).find(is_in_number)?;
    let start = inside.start as usize + at;
    Some(Span::new(start, start + 1))
}

impl TreeReader<'_, '_> {
    /// Reads `(a + b)`, or Python's `(a, b)` and `(x^2 for x in xs)`, which are lists.
    pub(super) fn group(&mut self, pair: Pair<'_>, span: Span) -> Parsed<OperandKind> {
        let inner = pair.into_inner();
        let has_comma = inner.clone().any(|part| part.as_rule() == Rule::comma);
        let (count, kind) = self.operands(inner, span)?;
        if has_comma {
            self.apply(Head::List, count, span);
        }
        Ok(match kind {
            OperandKind::Truth | OperandKind::Comparison if count == 1 => OperandKind::Truth,
            _ if has_comma && !self.is_python && decimal_comma(span, self.text).is_some() => {
                OperandKind::DecimalComma
            }
            _ => OperandKind::Bracket,
        })
    }

    /// Reads `[1, 2]`, `[]`, `[1..n]` or `[x^2 for x in xs]`.
    pub(super) fn list(&mut self, pair: Pair<'_>, span: Span) -> Parsed<OperandKind> {
        let (count, last_kind) = self.operands(pair.into_inner(), span)?;
        let only_kind = (count == 1).then_some(last_kind);
        // The brackets of `[1..n]` and `[x^2 for x in xs]` make no list around the list.
        if only_kind != Some(OperandKind::Open) {
            self.apply(Head::List, count, span);
        }
        Ok(match only_kind {
            Some(OperandKind::Number | OperandKind::Negative) => OperandKind::Single,
            _ => OperandKind::Bracket,
        })
    }

    /// Reads the operands between brackets. Returns their number, and the kind of the last operand. `E for x in xs` counts
    /// as one operand, a list.
    pub(super) fn operands(
        &mut self,
        mut pairs: Pairs<'_>,
        brackets: Span,
    ) -> Parsed<(u32, OperandKind)> {
        if let Some((body, _)) = repetition(&pairs) {
            self.comprehension(body, pairs.skip(1), brackets)?;
            return Ok((1, OperandKind::Open));
        }
        let mut count = 0;
        let mut last_kind = OperandKind::Other;
        let mut has_named = false;
        while let Some(pair) = pairs.next() {
            match pair.as_rule() {
                Rule::expression if has_named => {
                    return self.source.error("@unnamed", &[("next", self.span(&pair))]);
                }
                Rule::expression if next_if_is(&pairs, Rule::defines) => {
                    has_named = true;
                    count += u32::from(self.first_option(&pair, &mut pairs)?);
                }
                Rule::expression => {
                    last_kind = self.operand(&mut pair.into_inner())?.kind;
                    count += 1;
                }
                Rule::py_spread => {
                    let span = self.span(&pair);
                    let list = self.source.next_pair(&mut expressions(pair.into_inner()))?;
                    self.operand(&mut list.into_inner())?;
                    self.apply(Head::Spread, 1, span);
                    last_kind = OperandKind::Other;
                    count += 1;
                }
                Rule::width => {
                    self.uncertainty(pair)?;
                    last_kind = OperandKind::Other;
                }
                Rule::each => return self.source.error("@round", &[("next", self.span(&pair))]),
                Rule::power_of_ten => self.apply_power_of_ten(self.span(&pair))?,
                Rule::py_option => {
                    has_named = true;
                    count += u32::from(self.option(&mut pair.into_inner())?);
                }
                _ => {}
            }
        }
        Ok((count, last_kind))
    }

    /// Reads the option of `f(b=2)`. Its value is an expression, also if that is a text.
    // A function of its own, so that calls within calls need little stack.
    #[cold]
    fn first_option(&mut self, word: &Pair<'_>, rest: &mut Pairs<'_>) -> Parsed<bool> {
        let sign = self.source.next_pair(rest)?;
        let value = self.source.next_pair(rest)?;
        let Some(name) = only_part(word, Rule::name) else {
            return Err(self.source.error_at(self.span(&sign).start));
        };
        let text = only_part(&value, Rule::quoted);
        self.option(&mut [name, sign, text.unwrap_or(value)].into_iter())
    }

    /// Reads an option of a function, such as `, b=2`. Returns false if the option makes no operand, as `, dtype=float`.
    fn option(&mut self, inner: &mut dyn Iterator<Item = Pair<'_>>) -> Parsed<bool> {
        let [Some(word), Some(sign), Some(value)] = std::array::from_fn(|_| inner.next()) else {
            return Ok(false);
        };
        let word = self.span(&word);
        let name = name_in_tree(word.of(self.text));
        let text = self.span(&value).of(self.text);
        if value.as_rule() == Rule::quoted {
            let quoted = strip_quotes(text).unwrap_or_default();
            return Ok(self.quoted_option(name, word, self.span(&sign), quoted));
        }
        if IGNORED_OPTIONS.contains(&name) && !is_integer_type(text) {
            return Ok(false);
        }
        self.operand(&mut value.into_inner())?;
        // `num`, the number of items of `linspace`, is an operand without a name.
        if name != "num" {
            self.apply(Head::Named(name), 1, word);
        }
        Ok(true)
    }

    /// Reads an option whose value is a text in quotes. Notes the text of `, label='a'`. Returns whether the option is an
    /// operand.
    fn quoted_option(&mut self, name: Name, word: Span, sign: Span, quoted: &str) -> bool {
        match name {
            // Of the ignored options, only these two may have a text as their value: `dtype='float32'`.
            "device" => false,
            "dtype" if !is_integer_type(quoted) => false,
            "label" => {
                self.label = Some((kept_name(quoted), sign));
                false
            }
            _ => {
                self.push(ItemKind::Text(kept_name(quoted)), word);
                self.apply(Head::Named(name), 1, word);
                true
            }
        }
    }

    /// Applies `± 0.1` or `± 5%` to the operand that was read last.
    fn uncertainty(&mut self, pair: Pair<'_>) -> Parsed<()> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let _plus_minus = inner.next();
        let is_per_cent = self.operand(&mut inner)?.kind == OperandKind::PerCent;
        if is_per_cent {
            self.per_cent.pop();
        }
        self.apply(Head::Uncertain { is_per_cent }, 2, span);
        Ok(())
    }

    /// Multiplies both literals of `(1.602 ± 0.002)e-19` by the power of ten.
    fn apply_power_of_ten(&mut self, power: Span) -> Parsed<()> {
        // The items of `1.602 ± 0.002` are `1.602`, `0.002` and `±`.
        let place = self.items.len().saturating_sub(3);
        let sign = ItemKind::Apply(Head::Uncertain { is_per_cent: false }, 2);
        let (number, width) = match self.items[place..] {
            [number, width, root] if root.kind == sign => (number, width),
            _ => return Err(self.source.error_at(power.start)),
        };
        for (index, item) in [(place + 1, width), (place, number)] {
            let ItemKind::Number(literal) = item.kind else {
                return Err(self.source.error_at(power.start));
            };
            let text = format!("{}{}", literal.value, power.of(self.text));
            self.items[index].kind = ItemKind::Number(self.literal(&text, power)?);
        }
        Ok(())
    }

    /// Reads the arguments of `solve(F = G, y)`, `solve(F == G, y, 3)` or `solve(F = G, y, 0..10)`. In the tree, the letter
    /// comes before the equation, and the equation is a difference. Returns false if there is no equation.
    // A function of its own, so that calls within calls need little stack.
    #[cold]
    pub(super) fn solution(&mut self, arguments: Pairs<'_>, word: Span) -> Parsed<bool> {
        let parts: Vec<Pair<'_>> = arguments.collect();
        let (mut sides, sign, rest) = match &parts[..] {
            [left, sign, right, rest @ ..] if sign.as_rule() == Rule::defines => {
                let sides = [left, right].map(|side| self.source.operand_at(self.span(side)));
                let both: Parsed<Vec<Expression>> = sides.into_iter().collect();
                (both?, self.span(sign), rest)
            }
            [compared, rest @ ..] => match self.source.sides(compared.clone(), Rule::comparison)? {
                (sides, signs) if signs.len() == 1 => (sides, signs[0].1, rest),
                _ => return Ok(false),
            },
            [] => return Ok(false),
        };
        let all = ("all", sides[0].span.to(sides[1].span));
        let is_comparison = |side: &Expression| match side.items.last().map(|it| it.kind) {
            Some(ItemKind::Apply(Head::Operator(it), _)) => it.level == level::COMPARISON,
            _ => false,
        };
        if !matches!(sign.of(self.text), "=" | "==") || sides.iter().any(is_comparison) {
            return self.source.error("@equation", &[all]);
        }
        let (letter, start) = match rest {
            [letter, start, _] => (letter, Some(start)),
            [letter, _] => (letter, None),
            _ => return self.source.error("@unknown", &[all]),
        };
        let mut numbers = 0;
        if let Some(start) = start {
            self.operand(&mut start.clone().into_inner())?;
            let is_range = |it: &mut Item<Name>| it.kind == ItemKind::Apply(Head::Range, 2);
            numbers = if self.items.pop_if(is_range).is_some() {
                2
            } else {
                1
            };
        }
        let name = self.source.operand_at(self.span(letter))?;
        let Some(letter_name) = name.only_name() else {
            return self.source.error("@unknown", &[all]);
        };
        self.push(ItemKind::Variable(letter_name), name.span);
        self.push(ItemKind::Unknown(numbers), name.span);
        for side in &mut sides {
            self.items.append(&mut side.items);
        }
        self.operator("-", sign);
        self.apply(Head::Solve, 2, word);
        Ok(true)
    }

    /// Reads `E for x in xs`. In the tree, the list comes before the body. A condition and a further `for` make lists of
    /// the values for each item, which are joined: `E for x in xs if c` is `join([[E] if c else [] for x in xs])`.
    fn comprehension<'i>(
        &mut self,
        body: Pair<'i>,
        loops: impl Iterator<Item = Pair<'i>>,
        brackets: Span,
    ) -> Parsed<()> {
        let mut places = Vec::new();
        let mut condition_counts = Vec::new();
        for each in loops.filter(|pair| pair.as_rule() == Rule::each) {
            places.push(self.span(&each));
            condition_counts.push(self.begin_loop(each)?);
        }
        self.operand(&mut body.into_inner())?;
        let innermost = places.len() - 1;
        if condition_counts[innermost] > 0 {
            self.apply(Head::List, 1, brackets);
        }
        for (at, (conditions, place)) in condition_counts.into_iter().zip(places).enumerate().rev()
        {
            for _ in 0..conditions {
                self.apply(Head::Else, 1, place);
                self.apply(Head::List, 0, place);
                self.apply(Head::Choose, 3, place);
            }
            self.apply(Head::Collect, 2, brackets);
            if conditions > 0 || at < innermost {
                self.apply(Head::Function("join", 0), 1, place);
            }
        }
        Ok(())
    }

    /// Reads `for x in xs if c`. Returns the number of its conditions.
    fn begin_loop(&mut self, each: Pair<'_>) -> Parsed<usize> {
        let mut targets = Vec::new();
        let mut for_to_in = self.span(&each);
        let mut conditions = Vec::new();
        for pair in each.into_inner() {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::name => targets.push(self.source.target(&pair)),
                Rule::r#in => {
                    self.source.check_different(&targets, "@item")?;
                    for_to_in.end = span.end;
                }
                Rule::expression => {
                    let parts: Vec<Pair<'_>> = pair.into_inner().collect();
                    let has_else = parts.iter().any(|part| part.as_rule() == Rule::py_else);
                    let is_if = |part: &Pair<'_>| part.as_rule() == Rule::py_if && !has_else;
                    let mut pieces = parts.split(is_if).map(<[Pair<'_>]>::to_vec);
                    let list = pieces.next().unwrap_or_default();
                    self.operand(&mut list.into_iter())?;
                    conditions.extend(pieces);
                }
                _ => {}
            }
        }
        for target in &targets {
            self.push(ItemKind::Variable(target.name), target.span);
        }
        self.push(ItemKind::Each(targets.len() as u32), for_to_in);
        let count = conditions.len();
        for condition in conditions {
            let span = self.operand(&mut condition.into_iter())?.span;
            self.apply(Head::Then, 1, span);
        }
        Ok(count)
    }
}

/// The only part of an expression, if it is of a rule.
fn only_part<'i>(expression: &Pair<'i>, rule: Rule) -> Option<Pair<'i>> {
    let mut inner = expression.clone().into_inner();
    let first = inner.next().filter(|it| it.as_rule() == rule);
    first.filter(|_| inner.next().is_none())
}

/// Whether the next pair is of a rule.
fn next_if_is(pairs: &Pairs<'_>, rule: Rule) -> bool {
    pairs.peek().is_some_and(|next| next.as_rule() == rule)
}

/// The body and the `for` of `E for x in xs`, if the pairs begin with them.
pub(super) fn repetition<'i>(pairs: &Pairs<'i>) -> Option<(Pair<'i>, Pair<'i>)> {
    let mut first_two = pairs.clone();
    let (body, each) = (first_two.next()?, first_two.next()?);
    (each.as_rule() == Rule::each).then_some((body, each))
}

/// Whether the value of `dtype` is a type of whole numbers, such as `int`, `np.int64` or `torch.long`. It would round the
/// items, so it is not ignored, and the session refuses it.
fn is_integer_type(text: &str) -> bool {
    text.contains("int") || text.contains("long")
}
