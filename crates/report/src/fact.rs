//! Defines facts, the data of a report for programs, and makes the facts of blocks and trees. `view::json` writes JSON
//! from facts, and from the rows of tables.

use std::rc::Rc;

use super::{Block, Line, NumberPart, Numbers, Tree};

/// Keys with their values, in order.
pub type Facts = Vec<(&'static str, Fact)>;

/// A value in the JSON form of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Fact {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Flag(bool),
    /// A number of the session; JSON has all its digits.
    Number(f64),
    /// A count, an id or a position.
    Count(u64),
    /// Text.
    Text(String),
    /// Text that contains numbers, which JSON writes with all digits.
    Sentence(Line),
    /// A value of the session: a list is an array of arrays or numbers.
    Value(Rc<Numbers>),
    /// An array.
    List(Vec<Fact>),
    /// An object whose keys keep their order.
    Record(Facts),
    /// JSON that is written already.
    Json(String),
}

impl Fact {
    /// Whether it is an outdated value, or an array that contains one.
    pub fn is_outdated(&self) -> bool {
        match self {
            Fact::Value(numbers) => numbers.as_of.is_some(),
            Fact::List(facts) => facts.iter().any(Fact::is_outdated),
            _ => false,
        }
    }

    /// An array of rows of numbers.
    pub(super) fn rows<R: IntoIterator<Item = f64>>(rows: impl IntoIterator<Item = R>) -> Fact {
        let mut parts = vec![NumberPart::Open];
        for row in rows {
            parts.push(NumberPart::Open);
            parts.extend(row.into_iter().map(NumberPart::Number));
            parts.push(NumberPart::Close);
        }
        parts.push(NumberPart::Close);
        Fact::Value(Rc::new(Numbers {
            parts,
            ..Numbers::default()
        }))
    }

    /// An array of points.
    pub(super) fn points(points: &[(f64, f64)]) -> Fact {
        Fact::rows(points.iter().map(|&(x, y)| [x, y]))
    }
}

impl Block {
    /// The facts of a tree, a graph or a plot. Other blocks have none: `view::json` streams the rows of tables, the
    /// facts of values come from [`Report::value_facts`](super::Report::value_facts), and words are for people only.
    pub fn facts(&self) -> Facts {
        match self {
            Block::Tree(tree) => tree.facts(),
            Block::Graph(diagram) => diagram.facts(),
            Block::Plot(plot) => plot.facts(),
            _ => Facts::new(),
        }
    }
}

impl Tree {
    /// The tree as nested objects with their operands in order. Every occurrence of a shared node has its name and its id.
    /// Only the first one has children; the later ones have the key `shared` instead.
    pub fn facts(&self) -> Facts {
        // The depths and facts of branches whose parent is still to come. The loop goes from the last branch to the first,
        // so the children of a branch are at the end, the first child last.
        let mut waiting: Vec<(usize, Facts)> = Vec::new();
        for (place, branch) in self.branches.iter().enumerate().rev() {
            let mut children = Vec::new();
            while let Some((_, child)) = waiting.pop_if(|(depth, _)| *depth > branch.depth) {
                children.push(Fact::Record(child));
            }
            let mut facts = vec![
                ("value", branch.data.into()),
                ("children", Fact::List(children)),
                ("operation", branch.operation.unwrap_or("none").into()),
            ];
            if branch.is_shared {
                let label = branch.label.as_str().into();
                facts.extend([("node", label), ("id", branch.id.into())]);
            }
            for (key, has_mark) in [
                ("shared", branch.is_repeated),
                ("cut", branch.is_cut),
                ("first", self.first_not_finite == Some(place)),
            ] {
                if has_mark {
                    facts.push((key, true.into()));
                }
            }
            waiting.push((branch.depth, facts));
        }
        waiting.pop().unwrap_or_default().1
    }
}

conversions! { Fact:
    f64 => |number| Fact::Number(number),
    u32 => |count| Fact::Count(u64::from(count)),
    u64 => |count| Fact::Count(count),
    usize => |count| Fact::Count(count as u64),
    bool => |flag| Fact::Flag(flag),
    String => |text| Fact::Text(text),
    &str => |text| Fact::Text(text.to_string()),
    (f64, f64) => |pair| Fact::List(vec![pair.0.into(), pair.1.into()]),
    Facts => |facts| Fact::Record(facts),
}

/// `None` is `null`.
impl<T: Into<Fact>> From<Option<T>> for Fact {
    fn from(value: Option<T>) -> Fact {
        value.map_or(Fact::Null, Into::into)
    }
}

impl<T: Into<Fact>> FromIterator<T> for Fact {
    fn from_iter<I: IntoIterator<Item = T>>(facts: I) -> Fact {
        Fact::List(facts.into_iter().map(Into::into).collect())
    }
}
