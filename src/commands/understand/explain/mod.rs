//! `:explain a of L`: the chain rule along every path from L to a, the sum, and why it has this value.
//!
//! `study::explain` finds what there is to tell; this file lays it out: few steps as a table, many as a line per path.

mod chains;

use self::chains::{Words, chains};
use crate::commands::args::resolve::PassTarget;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::gradients::grad;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Order;
use crate::graph::structure::count::Count;
use crate::graph::structure::paths::total;
use crate::report::{Block, Fact, Line, Report, dim, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::session::naming::formulas::fraction;
use crate::study;
use crate::study::{Explanation, FEW_PATHS};

pub(crate) const COMMAND: Command = Command {
    name: "explain",
    aliases: &[],
    group: Group::Understand,
    entry: (":explain a", "how its grad arises"),
    arguments: &[
        Argument::needed("NODE", ArgumentKind::Node)
            .means("the node whose gradient to explain: a name, or `(a*b)`"),
        Argument::TABLE,
        Argument::after("of", "T", ArgumentKind::Expression),
    ],
    summary: "a gradient as chains of local derivatives",
    details: "The local derivatives along a path from T down to NODE are multiplied, and the gradient is the sum of \
              these products over all paths. The closed form is the whole gradient as one expression, which you can \
              type. If a gradient is 0, tiny, infinite or NaN, it says why, and which convention the gradient rests \
              on. There may be astronomically many paths: it shows the largest products, and the sum of all the \
              others. Nothing is changed.",
    example: "
∂> a, b, c, f = 2, -3, 10, -2
a = 2, b = -3, c = 10, f = -2
∂> L = (a*b + c) * f
L = -8
∂> :explain a
dL/da = 6   one path
  step            local    =   product
  L → a*b + c     f       -2        -2
  a*b + c → a*b   1        1        -2
  a*b → a         b       -3         6
closed   dL/da = b*f
so       raising a by 0.01 raises L by about 0.06
∂> :set f 0;
∂> y = a*a + relu(b)
y = 4
∂> :explain a of L
dL/da = 0   one path
  step            local    =   product
  L → a*b + c     f        0         0
  a*b + c → a*b   1        1         0
  a*b → a         b       -3         0
closed   dL/da = b*f
why      f = 0 multiplies everything above
so       raising a by 0.01 leaves L as it is
∂> :explain a
dy/da = 4   the sum over 2 paths
  path   step      local   =   product
     1   y → a*a   1       1         1
         a*a → a   a       2         2
     2   y → a*a   1       1         1
         a*a → a   a       2         2
sum      2 + 2 = 4
closed   dy/da = 2*a
so       raising a by 0.01 raises y by about 0.04
",
    run,
};

/// The most products that a sum on one line of 80 columns shows.
const MOST_TERMS: usize = 5;
fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let nodes = arguments.nodes(session, "NODE")?;
    let Some((node, word)) = nodes.into_iter().next() else {
        return Ok(Reply::default());
    };
    if !node.varies() {
        let text = word.of(arguments.text);
        return Err(
            Diagnostic::new(format!("`{text}` is a constant and has no gradient"))
                .at(word)
                .help("bind it to a name to make it a leaf, as in `k = 2`"),
        );
    }
    let target = arguments.target_above(session, "T", &node)?;
    grad::has_leaf(session, arguments, &target)?;
    if target.taken && Order::below([&target.node]).position(&node).is_none() {
        let (root, label) = (session.label(&target.node), word.of(arguments.text));
        return Err(
            Diagnostic::new(format!("`{root}` does not depend on `{label}`"))
                .at(word)
                .help(format!(
                    "say what is to be differentiated, as in `:explain {label} of T`"
                )),
        );
    }
    let explanation = study::explanation(session, &target.node, &node)?;
    if !arguments.silenced {
        let shown = [(node.id(), explanation.grad)];
        session.answers_shown(&target.node, Quantity::Grad, shown);
    }
    Ok(answer(session, &explanation, target))
}

fn answer(session: &Session, explanation: &Explanation, target: PassTarget) -> Reply {
    let mut words = Words::of(session);
    let (root, node) = (
        words.label(&explanation.root),
        words.label(&explanation.node),
    );
    let name = fraction(&root, &node);
    let mut blocks = vec![Block::Line(heading(explanation, &name))];
    blocks.extend(chains(&mut words, explanation));
    blocks.extend(sum(explanation).map(Block::Line));
    blocks.push(Block::Line(closed(explanation, &name)));
    blocks.extend(why(explanation).map(Block::Line));
    blocks.extend(raised(explanation, &root, &node).map(Block::Line));
    let closed = explanation.closed.clone();
    let reason = explanation.reason.clone();
    let facts = vec![
        ("root", Fact::Text(root)),
        ("node", Fact::Text(node)),
        ("grad", Fact::Number(explanation.grad)),
        ("closed", closed.map_or(Fact::Null, Fact::Text)),
        (
            "paths",
            Fact::List(
                explanation
                    .ways
                    .iter()
                    .map(|way| words.fact(way, &explanation.root))
                    .collect(),
            ),
        ),
        ("path_count", count_fact(explanation.count)),
        ("rest", Fact::Number(explanation.rest)),
        ("reason", reason.map_or(Fact::Null, Fact::Sentence)),
    ];
    let report = Report::new("explain", facts, blocks);
    Reply::show(report).notes(target.notes)
}

/// The heading: `dL/da = 6   the sum over 3 paths`
fn heading(explanation: &Explanation, name: &str) -> Line {
    let paths = match explanation.count {
        Count::Exact(0) => dim(say!("   no path")),
        Count::Exact(1) => dim(say!("   one path")),
        Count::Exact(count) => dim(say!("   the sum over {} paths", count)),
        count @ Count::About { .. } => {
            let over = "   the sum over about ";
            say!("{:dim}{}{:dim}", over, about(count), " paths")
        }
    };
    say!("{:formula} = {}{}", name, explanation.grad, paths)
}

/// A count too large to be exact: `1.07151e301`, also beyond the largest double.
fn about(count: Count) -> Line {
    let double = count.to_double();
    if double.is_finite() {
        return say!("{:short}", double);
    }
    let (digits, power) = count.to_decimal();
    let digits = (digits * 1000.0).round() / 1000.0;
    say!("{:short}e{}", digits, power)
}

fn count_fact(count: Count) -> Fact {
    let double = count.to_double();
    match count {
        Count::Exact(exact) => u64::try_from(exact).map_or(Fact::Number(double), Fact::Count),
        Count::About { .. } if double.is_finite() => Fact::Number(double),
        Count::About { .. } => Fact::Sentence(about(count)),
    }
}

/// `3 + 3 + 1 = 7`; with many paths the sum of those shown, and the sum of the others.
fn sum(explanation: &Explanation) -> Option<Line> {
    let shown = explanation.ways.len().min(FEW_PATHS);
    let all = Count::Exact(shown as u128) == explanation.count;
    if shown < 2 && all {
        return None;
    }
    let mut line = say!("{:dim}", "sum      ");
    let products = explanation.ways[..shown].iter().map(|way| way.product);
    if shown <= MOST_TERMS {
        for (place, product) in products.enumerate() {
            line.extend(term(place, product));
        }
    } else {
        line.extend(dim(say!("{:short} (these {})", total(products), shown)));
    }
    if !all {
        line.extend(term(shown, explanation.rest_after(shown)));
        line.extend(dim(say!(" (all the others)")));
    }
    if shown <= MOST_TERMS || !all {
        line.extend(say!(" = {:short}", explanation.grad));
    }
    Some(line)
}

/// A product in a sum, with its sign before it if it is not the first.
fn term(place: usize, amount: f64) -> Line {
    if place == 0 {
        say!("{:short}", amount)
    } else if amount < 0.0 {
        say!(" - {:short}", -amount)
    } else {
        say!(" + {:short}", amount)
    }
}

/// The closed form: `closed   dL/da = b*f`
fn closed(explanation: &Explanation, name: &str) -> Line {
    let form = match &explanation.closed {
        Some(text) => say!("{:formula} = {:formula}", name, text),
        None => say!("no short form comes to this number"),
    };
    say!("{:dim}{}", "closed   ", form)
}

fn why(explanation: &Explanation) -> Option<Line> {
    let reason = explanation.reason.as_ref()?;
    Some(say!("{:dim}{}", "why      ", reason))
}

/// The interpretation: `raising a by 0.01 raises L by about 0.06`
fn raised(explanation: &Explanation, root: &str, node: &str) -> Option<Line> {
    let (more, change) = explanation.raised?;
    let outcome = if change == 0.0 {
        say!("leaves {:name} as it is", root)
    } else {
        let verb = if change > 0.0 { "raises" } else { "lowers" };
        say!("{} {:name} by about {:short}", verb, root, change.abs())
    };
    let raising = say!("raising {:name} by {:short}", node, more);
    Some(say!("{:dim}{} {}", "so       ", raising, outcome))
}
