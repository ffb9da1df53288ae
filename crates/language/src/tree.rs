//! Defines the tree of a statement. The parser makes it, and the session builds nodes from it.
//!
//! The tree of an expression is flat: it is a list of items in postfix order, `a b * c +` for `a*b + c`. Operands come
//! before their operation, so evaluating, printing and dropping a tree are loops over a vector and never recurse. Names are
//! slices of the text; this crate does not know what they mean.

use std::rc::Rc;

use super::precedence::Operator;

/// A part of the text that a statement was read from, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The span from `start` to before `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// The text that it covers.
    pub fn of(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }

    /// The part of the span from `start` on.
    pub(super) fn starting_at(self, start: u32) -> Span {
        Span { start, ..self }
    }

    /// The part of the span before `end`.
    pub(super) fn ending_at(self, end: u32) -> Span {
        Span { end, ..self }
    }

    /// The place of the same bytes, if this number of bytes is inserted before the text.
    pub(super) fn shift(self, bytes: u32) -> Span {
        Span {
            start: self.start + bytes,
            end: self.end + bytes,
        }
    }

    /// The empty span at the end of this span.
    pub(super) fn behind(self) -> Span {
        self.starting_at(self.end)
    }

    /// The shortest span that covers both spans.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

impl From<Span> for std::ops::Range<usize> {
    fn from(span: Span) -> Self {
        span.start as usize..span.end as usize
    }
}

/// The members of a network, of its layers and of their neurons.
pub(crate) const NETWORK_PARTS: [&str; 4] = [".layers", ".neurons", ".w", ".b"];

/// A name, or a short text, in a tree. All trees share one copy of it.
pub type Name = &'static str;

/// One statement.
#[derive(Debug)]
pub enum Statement {
    /// Nothing, or a comment.
    Empty,
    /// `:grad L wrt a b`
    Command(CommandLine),
    /// `a, b = 2, -3`, `c += 1`, `const x = 2`
    Binding(Binding),
    /// `a*b + c`
    Expression(Expression),
    /// `a.data += 0.1`, `print(L, end='')`: a line of Python that is no binding and no expression.
    Step(StepKind),
    /// `for k in range(3): print(k)`, `def f(x): return x^2`, `f(x) = 3x^2`
    Block(Vec<Step>),
}

impl Statement {
    /// The definition of a function, if the statement is one.
    pub(crate) fn into_definition(self) -> Option<Definition> {
        match self {
            Statement::Block(mut steps) => match steps.pop()?.kind {
                StepKind::Define(definition) => Some(definition),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A statement of a block.
#[derive(Debug)]
pub struct Step {
    /// Its text. A loop, a choice or a function has that of its head.
    pub span: Span,
    /// Its effect.
    pub kind: StepKind,
}

/// A change of a list that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListChange {
    /// `x.append(3)`: the value becomes the last item.
    Append,
    /// `x.extend([3, 4])`: the items of the value become the last items.
    Extend,
    /// `random.shuffle(x)`: the items of the value replace all items.
    Replace,
}

/// The kinds of steps.
#[derive(Debug)]
pub enum StepKind {
    /// `a, b = 1, 2`, `total += x`
    Bind(Binding),
    /// `f(x) = x^2`, `f = lambda x: x^2`, `def f(x, y=2):`
    Define(Definition),
    /// `train(10)`, whose value is dropped.
    Evaluate(Expression),
    /// `n.label = 'n'`
    Label {
        /// The node.
        node: Expression,
        /// Its name in tables.
        label: Name,
    },
    /// `p.data += -0.1*p.grad`
    Data {
        /// The leaf.
        leaf: Expression,
        /// Its new number.
        value: Expression,
    },
    /// `x.append(3)`, `x.extend([3, 4])`, `random.shuffle(x)`
    ChangeList {
        /// The name of the list.
        list: BindingTarget,
        /// The item to append, or the list of items.
        items: Expression,
        /// What happens to the list.
        change: ListChange,
    },
    /// `plus[i] += h`
    SetItem {
        /// The name of the list.
        list: BindingTarget,
        /// The position of the item.
        position: Expression,
        /// Its new value.
        value: Expression,
    },
    /// `n.zero_grad()`, which sets all gradients to 0.
    Zero,
    /// `p.grad = 1`, `p.grad = None`
    Grad {
        /// The node.
        node: Expression,
        /// Its new grad, unless it is `None`.
        value: Option<Expression>,
    },
    /// `L.backward()`
    Backward(Expression),
    /// `o._backward()`
    PassOn(Expression),
    /// `print(k, L)`
    Print {
        /// The pieces of text, and the places of the values among them.
        printing: Rc<Printing>,
        /// The values, in their order.
        values: Vec<Expression>,
    },
    /// `return y`
    Return(Option<Expression>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `for x, y in zip(xs, ys):`
    For {
        /// The names of an item, or of its parts.
        names: Vec<BindingTarget>,
        /// The list.
        over: Expression,
        /// The steps of each round.
        body: Vec<Step>,
    },
    /// `while x > 1:`
    While {
        /// The condition, which is computed before each round.
        condition: Expression,
        /// The steps of each round.
        body: Vec<Step>,
    },
    /// `if k == 0:` with its `elif` and `else`
    If(Vec<Arm>),
}

/// An arm of a choice: its condition and its steps. An `else` has no condition.
pub type Arm = (Option<Expression>, Vec<Step>);

/// The definition of a function.
#[derive(Debug)]
pub struct Definition {
    /// Its name.
    pub name: BindingTarget,
    /// Its parameters, which have different names.
    pub parameters: Vec<Parameter>,
    /// Its steps. `f(x) = x^2` has one, which returns the value.
    pub body: Vec<Step>,
    /// Whether it is written as a formula: `f(x) = x^2`.
    pub is_formula: bool,
    /// The whole definition.
    pub span: Span,
}

impl Definition {
    /// The value, if the definition is a formula.
    pub fn formula(&self) -> Option<&Expression> {
        match &self.body.first()?.kind {
            StepKind::Return(value) if self.is_formula => value.as_ref(),
            _ => None,
        }
    }
}

/// A parameter of a function.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub target: BindingTarget,
    /// The value if a call gives none.
    pub default: Option<Expression>,
    /// Whether it takes all further arguments as a list: `*args`.
    pub is_rest: bool,
}

/// `:word rest`
#[derive(Debug)]
pub struct CommandLine {
    /// The word without its colon.
    pub word: Name,
    /// The word with its colon.
    pub span: Span,
    /// The text after the word, without blanks around it and without a comment.
    pub rest: Span,
}

/// Names, and the expressions that they are bound to: one expression for each name, or one list for all names.
#[derive(Debug, Default)]
pub struct Binding {
    /// Whether `const` stands before the names.
    pub is_frozen: bool,
    /// Whether all names are bound to the one value: `x = y = 3`.
    pub is_chain: bool,
    /// The names.
    pub targets: Vec<BindingTarget>,
    /// The values. `c += a` has `c + a`.
    pub values: Vec<MeasuredExpression>,
    /// The range of a leaf, which follows its value.
    pub bounds: Option<Bounds>,
}

/// `in 0..10 by 0.5`
#[derive(Debug)]
pub struct Bounds {
    /// The lower and the upper end.
    pub ends: [Expression; 2],
    /// The step.
    pub step: Option<Expression>,
    /// The whole text.
    pub span: Span,
}

/// An expression, and the uncertainty after it.
#[derive(Clone, Debug)]
pub struct MeasuredExpression {
    /// The expression.
    pub expression: Expression,
    /// Its uncertainty.
    pub width: Option<Width>,
}

/// The operand after `±`.
#[derive(Clone, Debug)]
pub struct Width {
    /// One operand.
    pub operand: Expression,
    /// From the sign to the end.
    pub span: Span,
    /// The indices of the items of `operand` that are per cent of the value. If there are such items, the operand is a
    /// literal or a list of literals.
    pub per_cent: Vec<usize>,
}

/// The texts that a `print` writes, and the places of its values among them.
#[derive(Debug)]
pub struct Printing {
    /// Its arguments. An argument such as `f"L is {L}"` has several pieces.
    pub arguments: Vec<Vec<PrintPiece>>,
    /// The text between the arguments: a blank, or that of `sep='; '`.
    pub separator: String,
    /// The text after the last argument: the end of the line, or that of `end=''`.
    pub end: String,
}

/// A piece of the text that `print` writes.
#[derive(Debug)]
pub enum PrintPiece {
    /// A text in quotes, as Python reads it: without the quotes, and with a new line for `\n`.
    Text(String),
    /// The next value, and its format with the place of the format: `.4f` in `{L:.4f}`.
    Value(Option<(String, Span)>),
    /// The items of the next value, a list: `*xs`.
    Items,
    /// A text, as often as the next value says: `"-" * 20`.
    Repeated(String),
}

/// A name that is bound or defined.
#[derive(Clone, Copy, Debug)]
pub struct BindingTarget {
    /// Its name.
    pub name: Name,
    /// Its place.
    pub span: Span,
    /// The place of the heading in quotes after it.
    pub heading: Option<Span>,
}

impl BindingTarget {
    /// The name as an operand.
    pub fn item(&self) -> Item<Name> {
        let (kind, span) = (ItemKind::Name(self.name), self.span);
        Item { kind, span }
    }
}

/// An expression: its items in postfix order, never empty.
#[derive(Clone, Debug, Default)]
pub struct Expression {
    /// The items. Operands come before the items that use them, and the root comes last.
    pub items: Vec<Item<Name>>,
    /// The whole text, without blanks around it.
    pub span: Span,
}

impl From<Item<Name>> for Expression {
    fn from(item: Item<Name>) -> Expression {
        let (items, span) = (vec![item], item.span);
        Expression { items, span }
    }
}

/// One node of an expression. Names are slices of the text that was read, or owned strings if the expression was not read
/// from a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item<N> {
    /// The kind of node.
    pub kind: ItemKind<N>,
    /// The token that made it: the literal, the name, the operator, `tanh` of `tanh(x)`.
    pub span: Span,
}

impl<N> From<ItemKind<N>> for Item<N> {
    /// An item that nobody has typed.
    fn from(kind: ItemKind<N>) -> Item<N> {
        let span = Span::default();
        Item { kind, span }
    }
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ItemKind<N> {
    /// A literal.
    Number(Literal),
    /// A name: `a`, `x1w1`, `ans`, `_`, `pi`.
    Name(N),
    /// `a@1`: the first node that lost the name `a`.
    Former(N, u32),
    /// `@9`: a node by its id.
    Id(u32),
    /// `$3`: the third result.
    Result(u32),
    /// Python's `'OK'`, without its quotes.
    Text(N),
    /// Python's `lambda x: x**2`, as it is typed.
    Lambda(N),
    /// An operator or a function, applied to the operands before it.
    Apply(Head<N>, u32),
    /// `.data`, `.grad` or `.sigma` of the operand before it.
    Property(Property),
    /// A name after `for`, an operand of [`ItemKind::Each`].
    Variable(N),
    /// `for a, b in zip(xs, ys)`: the operands are the list and this number of variables. The body follows, up to
    /// [`Head::Collect`], and runs once for each item of the list.
    Each(u32),
    /// The unknown of an equation: the operands are this number of numbers and a variable. The equation follows, up to
    /// [`Head::Solve`].
    Unknown(u32),
}

impl<N> ItemKind<N> {
    /// Whether it is a list in brackets: `[1, 2]`, `[x^2 for x in xs]`.
    pub fn is_written_list(&self) -> bool {
        matches!(self, ItemKind::Apply(Head::List | Head::Collect, _))
    }

    /// The number of its operands.
    pub fn operands(&self) -> u32 {
        match self {
            ItemKind::Apply(_, operands) => *operands,
            ItemKind::Property(_) => 1,
            ItemKind::Each(count) | ItemKind::Unknown(count) => count + 1,
            _ => 0,
        }
    }
}

impl Expression {
    /// Whether it is a call of a derivative: `f'(x)`.
    pub fn is_primed_call(&self) -> bool {
        let last = self.items.last().map(|item| item.kind);
        matches!(last, Some(ItemKind::Apply(Head::Function(_, primes), _)) if primes > 0)
    }

    /// The name that it consists of.
    pub fn only_name(&self) -> Option<Name> {
        match self.items[..] {
            [
                Item {
                    kind: ItemKind::Name(name),
                    ..
                },
            ] => Some(name),
            _ => None,
        }
    }

    /// The function that it calls as a whole, perhaps with primes.
    pub fn called(&self) -> Option<Name> {
        match self.items.last()?.kind {
            ItemKind::Apply(Head::Function(name, _), _) => Some(name),
            _ => None,
        }
    }

    /// `left OPERATOR (itself)`: `c += a*b` means `c + (a*b)`. In postfix order the left side comes first and the operator
    /// last.
    #[must_use]
    pub fn compound(&self, left: &[Item<Name>], operator: &'static Operator) -> Expression {
        let span = self.span;
        let kind = ItemKind::Apply(Head::Operator(operator), 2);
        let items = [left, &self.items, &[Item { kind, span }]].concat();
        Expression { items, span }
    }

    /// The names that the expression looks up, with the indices of their items. Names that its loops bind are left out.
    pub fn names(&self) -> Vec<(Name, usize)> {
        let mut found = Vec::new();
        let mut variables = Vec::new();
        let mut variables_of_loops = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            match item.kind {
                ItemKind::Name(name) if !variables.contains(&name) => found.push((name, index)),
                ItemKind::Variable(name) => variables.push(name),
                ItemKind::Each(count) => variables_of_loops.push(count as usize),
                ItemKind::Unknown(_) => variables_of_loops.push(1),
                ItemKind::Apply(Head::Collect | Head::Solve, _) => {
                    let ended = variables_of_loops.pop().unwrap_or(0);
                    variables.truncate(variables.len().saturating_sub(ended));
                }
                _ => {}
            }
        }
        found
    }

    /// Those of its [`names`](Expression::names) that are operands of operators: `a` and `c` in `a*f(b) + c`.
    pub fn operand_names(&self) -> Vec<(Name, usize)> {
        let mut is_operand = vec![false; self.items.len()];
        // The last items of the operands that no item has used yet.
        let mut unused: Vec<usize> = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            let count = item.kind.operands() as usize;
            let operands = unused.split_off(unused.len().saturating_sub(count));
            if let ItemKind::Apply(Head::Operator(_), _) = item.kind {
                for operand in operands {
                    is_operand[operand] = true;
                }
            }
            unused.push(index);
        }
        let mut names = self.names();
        names.retain(|(_, index)| is_operand[*index]);
        names
    }
}

/// A number in a text, and whether it is shown with a point: `10.0` stays `10.0`, and `10` stays `10`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Literal {
    /// Its value.
    pub value: f64,
    /// Whether it is a whole number that is written with a decimal point.
    pub has_point: bool,
}

impl Literal {
    /// The item of a number without a point.
    pub(crate) fn plain(value: f64) -> ItemKind<Name> {
        let has_point = false;
        ItemKind::Number(Literal { value, has_point })
    }
}

/// An operation that is applied to operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Head<N> {
    /// An operator of the table in `precedence`.
    Operator(&'static Operator),
    /// A function by its name, and the number of primes after it: `f`, `f''`.
    Function(N, u8),
    /// `b=2` among the arguments of a call: the operand is the argument for the parameter with this name.
    Named(N),
    /// `*xs` among the arguments of a call: each item of the operand is an argument.
    Spread,
    /// `label='a'` of a `Value`: the operand is the `Value`.
    Labelled(N),
    /// Python's `a if c else b`. It is stored as `c Then a Else b Choose`, so that code can jump over the operand that is
    /// not chosen.
    Choose,
    /// Marks its operand as the condition of a choice.
    Then,
    /// Marks its operand as the value if the condition holds.
    Else,
    /// `[a, b]`: a list of its operands.
    List,
    /// `w[2]`: an item of a list, or several items. The operands are the list and the position.
    Index,
    /// `w[1:3]`, `w[1:9:2]`: the items from one position to before another. The operands are the list, both positions
    /// and perhaps a step. A position that is not typed is infinite.
    Slice,
    /// `1..n`: whole numbers, both ends included.
    Range,
    /// `(5 ± 0.1)`: a leaf without a name. The operands are its number and its width.
    Uncertain {
        /// Whether the width is in per cent of the number.
        is_per_cent: bool,
    },
    /// `[E for x in xs]`: a list of the values of E. It is stored as `xs x Each(1) E Collect`, so that the variables are
    /// known when E begins. The two operands are the `Each` and E.
    Collect,
    /// `solve(F = G, y, 3)`: the `y` for which F and G are equal. It is stored as `3 y Unknown(1) F G - Solve`. The two
    /// operands are the `Unknown` and the difference of the sides.
    Solve,
}

/// A number that belongs to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// `.data`
    Data,
    /// `.grad`
    Grad,
    /// `.sigma`
    Sigma,
}

impl Property {
    /// Every property, and its word.
    pub const ALL: [(Property, &'static str); 3] = [
        (Property::Data, "data"),
        (Property::Grad, "grad"),
        (Property::Sigma, "sigma"),
    ];

    /// The property with this word. Some people write `value` and `gradient`.
    pub fn from_word(word: &str) -> Option<Property> {
        match word {
            "data" | "value" => Some(Property::Data),
            "grad" | "gradient" => Some(Property::Grad),
            "sigma" => Some(Property::Sigma),
            _ => None,
        }
    }
}
