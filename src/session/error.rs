//! What can be wrong with a statement that parses, and the diagnostic for each of these errors.
//!
//! Code elsewhere decides whether something is an error; this file holds only the words and the suggested way out.

use std::rc::Rc;

use super::functions::{Function, GRAD};
use super::results;
use crate::diagnostic::Diagnostic;
use crate::syntax::Span;

/// An error of this layer. The comment on each variant is a line that produces it.
#[derive(Clone, Debug)]
pub enum Error {
    /// `alpha = 2`, then `alhpa + 1`
    UnknownName {
        /// As typed.
        name: String,
        /// Where.
        span: Span,
        /// A known name that is near.
        near: Option<String>,
        /// Whether any name is defined.
        any: bool,
    },
    /// `sin + 1`
    FunctionAsValue {
        /// The function.
        name: String,
        /// Where.
        span: Span,
    },
    /// `tahn(1)`
    UnknownFunction {
        /// As typed.
        name: String,
        /// Where.
        span: Span,
        /// A known function that is near.
        near: Option<String>,
    },
    /// `a = 2`, then `a(3)`
    ValueAsFunction {
        /// The value's name.
        name: String,
        /// Where.
        span: Span,
        /// What to type to multiply.
        product: String,
    },
    /// `tanh(1, 2)`
    WrongCount {
        /// The function.
        name: String,
        /// Where.
        span: Span,
        /// How many arguments it takes, in words.
        takes: String,
        /// How many arguments it was given.
        given: usize,
        /// A correct call.
        example: String,
    },
    /// `max(…)` with more than a thousand arguments
    TooMany {
        /// The function.
        name: String,
        /// Where.
        span: Span,
        /// How many arguments it was given.
        given: usize,
    },
    /// `f(x, y) = x*y`, then `f'(2, 3)`
    PrimeOfSeveral {
        /// The function.
        name: String,
        /// The names of its parameters.
        call: Vec<String>,
        /// Where.
        span: Span,
    },
    /// `grad'(L, a)`
    GradPrimed {
        /// Where.
        span: Span,
    },
    /// `grad(L, 3)`, `grad(L, pi)`
    GradByConstant {
        /// The constant.
        text: String,
        /// Where.
        span: Span,
    },
    /// `grad(a + b, a*b)`
    GradByStranger {
        /// The second argument, which does not occur in the first.
        text: String,
        /// The first argument.
        root: String,
        /// Where.
        span: Span,
    },
    /// `a@7`, `@99`, `$3`
    Gone {
        /// As typed.
        text: String,
        /// Where.
        span: Span,
        /// What kind of reference it is.
        kind: Gone,
    },
    /// `ans` before any value
    NoAnswer {
        /// As typed.
        name: String,
        /// Where.
        span: Span,
    },
    /// `a.grad` before any pass
    NoPass {
        /// Where.
        span: Span,
        /// What a pass could start from, if it is short enough to be typed.
        root: Option<String>,
    },
    /// `(a*b).grad`
    GradOfExpression {
        /// Where.
        span: Span,
    },
    /// `pi.grad`
    GradOfConstant {
        /// The constant.
        text: String,
        /// Where.
        span: Span,
    },
    /// `ans = 3`, `const _ = 2`
    Reserved {
        /// As typed.
        name: String,
        /// Where.
        span: Span,
    },
    /// `const y = a*2`
    ConstOfVariable {
        /// The expression.
        span: Span,
        /// A leaf that it depends on.
        leaf: String,
        /// The name it was to get.
        target: String,
    },
    /// `f(x) = x + @9`
    ReferenceInBody {
        /// As typed.
        text: String,
        /// Where.
        span: Span,
    },
    /// `f(x) = g(x)`, then `g(x) = f(x)`
    Recursion {
        /// The body.
        span: Span,
        /// The chain of calls, from the function being defined back to itself.
        chain: Vec<Rc<str>>,
    },
    /// `f(x) = a*x`, `:del a`, then `f(3)`
    Body {
        /// The function whose body is at fault.
        function: Rc<Function>,
        /// The call that was typed.
        span: Span,
        /// What is wrong in the body.
        error: Box<Error>,
    },
    /// Functions that call each other twice, in a chain of thirty
    TooManyNodes {
        /// The call that was typed.
        span: Span,
        /// What was being made, and how many nodes that may take.
        most: (&'static str, u32),
    },
    /// An expression after four billion nodes
    NoNumbersLeft {
        /// The expression.
        span: Span,
        /// How many nodes have been made.
        made: u32,
    },
    /// Ctrl-C
    Interrupted,
}

/// The kind of a reference to a node that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// `a@7`
    Former,
    /// `@99`
    Id,
    /// `$3`, with the numbers of the oldest and the newest result
    Result(Option<(u64, u64)>),
}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Diagnostic {
        match error {
            Error::UnknownName {
                name,
                span,
                near,
                any,
            } => {
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if any => "`:vars` lists the names there are".to_string(),
                    None => format!("nothing has a name yet: `{name} = 2` makes one"),
                };
                Diagnostic::new(format!("unknown name `{name}`"))
                    .at(span)
                    .help(help)
            }
            Error::FunctionAsValue { name, span } => {
                let takes = if name == GRAD {
                    "L, a"
                } else {
                    "x"
                };
                Diagnostic::new(format!("`{name}` is a function"))
                    .at(span)
                    .label("a value is expected here")
                    .help(format!("call it: `{name}({takes})`"))
            }
            Error::UnknownFunction { name, span, near } => {
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`:ops` lists the functions there are".to_string(),
                };
                Diagnostic::new(format!("unknown function `{name}`"))
                    .at(span)
                    .help(help)
            }
            Error::ValueAsFunction {
                name,
                span,
                product,
            } => Diagnostic::new(format!("`{name}` is a value, not a function"))
                .at(span)
                .help(format!("to multiply, write `{product}`")),
            Error::WrongCount {
                name,
                span,
                takes,
                given,
                example,
            } => {
                let given = match given {
                    1 => "1 is given".to_string(),
                    more => format!("{more} are given"),
                };
                Diagnostic::new(format!("`{name}` takes {takes}, {given}"))
                    .at(span)
                    .help(format!("as in `{example}`"))
            }
            Error::TooMany { name, span, given } => Diagnostic::new(format!(
                "a call takes at most {} arguments, {given} are given",
                crate::ops::MOST_OPERANDS
            ))
            .at(span)
            .help(format!("nest the calls: `{name}({name}(…), {name}(…))`")),
            Error::PrimeOfSeveral { name, call, span } => {
                let first = call.first().map_or("x", String::as_str);
                let call = format!("{name}({})", call.join(", "));
                Diagnostic::new(format!(
                    "`{call}` takes several arguments, and a prime does not say which one moves"
                ))
                .at(span)
                .help(format!(
                    "`grad({call}, {first})` is its derivative by `{first}`"
                ))
            }
            Error::GradPrimed { span } => Diagnostic::new("`grad` is no function to differentiate")
                .at(span)
                .help("nest it: `grad(grad(L, a), b)` is a second derivative"),
            Error::GradByConstant { text, span } => {
                Diagnostic::new(format!("`{text}` is a constant: nothing moves with it"))
                    .at(span)
                    .help("the second argument is what moves: a name, as in `grad(L, a)`")
            }
            Error::GradByStranger { text, root, span } => {
                Diagnostic::new(format!("`{text}` does not stand in `{root}`"))
                    .at(span)
                    .help(
                        "the second argument is a name, or a part of the first as it stands there",
                    )
            }
            Error::Gone { text, span, kind } => {
                let help: String = match kind {
                    Gone::Former => "former names last as long as something uses their node".into(),
                    Gone::Id => "`:grad` with `--json` shows the ids there are".into(),
                    Gone::Result(range) => results::told(range),
                };
                Diagnostic::new(format!("there is no `{text}`"))
                    .at(span)
                    .help(help)
            }
            Error::NoAnswer { name, span } => Diagnostic::new(format!("`{name}` has no value yet"))
                .at(span)
                .help("it is the last result: type an expression first"),
            Error::NoPass { span, root } => Diagnostic::new("there are no gradients yet")
                .at(span)
                .help(match root {
                    Some(root) => format!("run a backward pass first: `:grad {root}`"),
                    None => "run a backward pass first: `:grad`".to_string(),
                }),
            Error::GradOfExpression { span } => {
                Diagnostic::new("only a named node has a `.grad` to read")
                    .at(span)
                    .help("give the expression a name and run `:grad` first")
            }
            Error::GradOfConstant { text, span } => {
                Diagnostic::new(format!("`{text}` is a constant and has no gradient")).at(span)
            }
            Error::Reserved { name, span } => Diagnostic::new(format!("`{name}` cannot be bound"))
                .at(span)
                .label("always the last result")
                .help("choose another name"),
            Error::ConstOfVariable { span, leaf, target } => Diagnostic::new(format!(
                "a `const` holds a number, but this depends on `{leaf}`"
            ))
            .at(span)
            .help(format!(
                "`{target} = …` without `const` keeps the expression; `.data` takes its number"
            )),
            Error::ReferenceInBody { text, span } => {
                Diagnostic::new(format!("`{text}` cannot stand in a function's body"))
                    .at(span)
                    .help("give the node a name and use that")
            }
            Error::Recursion { span, chain } => {
                let chain: Vec<String> = chain.iter().map(|name| format!("`{name}`")).collect();
                Diagnostic::new("a function cannot call itself")
                    .at(span)
                    .label(format!("calls {}", chain.join(", which calls ")))
                    .help("write the steps out, or choose another name")
            }
            Error::Body {
                function,
                span,
                error,
            } => {
                let inner = Diagnostic::from(*error);
                let body = format!("{} = {}", function.head(), function.body);
                Diagnostic {
                    interrupted: inner.interrupted,
                    ..Diagnostic::new(format!("{}, in `{body}`", inner.message)).at(span)
                }
                .help(
                    inner
                        .help
                        .unwrap_or_else(|| "define the function anew".to_string()),
                )
            }
            Error::TooManyNodes { span, most } => Diagnostic::new(format!(
                "a {} makes at most {} nodes",
                most.0, most.1
            ))
            .at(span)
            .help(
                "a lower order, or a shared argument: pass `f(x)` on instead of calling it again",
            ),
            Error::NoNumbersLeft { span, made } => Diagnostic::new(format!(
                "this session has made {made} nodes, and there are no numbers for more"
            ))
            .at(span)
            .help(
                "`:save work.calc`, start the program again and `:load work.calc`: the nodes are then numbered from 1",
            ),
            Error::Interrupted => Diagnostic {
                interrupted: true,
                ..Diagnostic::new("interrupted")
            },
        }
    }
}
