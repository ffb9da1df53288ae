//! The sentence of `:wrong` about the first wrong gradient: what the mistake did there.
//!
//! `study` provides the facts; this file words them, differently for each kind of mistake.

use std::rc::Rc;

use crate::graph::Node;
use crate::graph::{Appended, PassFault};
use crate::ops::Mistake;
use crate::report::{Line, Piece};
use crate::session::Session;
use crate::study::{Comparison, FamousMistake, Given, Giver, Story, UPSTREAMS};

/// The sentence about the first wrong node; `None` if all gradients are right.
pub(crate) fn sentence(
    session: &Session,
    rule: FamousMistake,
    compared: &Comparison,
) -> Option<Line> {
    let story = compared.story.as_ref()?;
    let told = Storyteller {
        session,
        story,
        label: session.label(&compared.nodes[story.place]),
        right: compared.right[story.place],
        wrong: compared.wrong[story.place],
    };
    Some(told.tell(rule.course))
}

struct Storyteller<'s> {
    session: &'s Session,
    story: &'s Story,
    /// The label of the first wrong node.
    label: String,
    right: f64,
    wrong: f64,
}

impl Storyteller<'_> {
    fn tell(&self, course: PassFault) -> Line {
        let story = self.story;
        match course {
            PassFault::Overwrite => self.overwrite(),
            PassFault::Queue(Appended::Once) => self.hasty(|giver| {
                vec![
                    Piece::plain(" took its turn with "),
                    Piece::Number(giver.upstreams[0]),
                    Piece::plain(" when its grad was to become "),
                    Piece::Number(giver.right),
                    Piece::plain("; what came later never got to "),
                    self.name(),
                ]
            }),
            PassFault::Queue(_) => self.hasty(|giver| self.again("came out of the queue", giver)),
            PassFault::Recursive => self.hasty(|giver| self.again("was reached", giver)),
            PassFault::Twice => vec![
                self.name(),
                Piece::plain(" still had "),
                Piece::Number(self.right),
                Piece::plain(" from the first run when the second added to it"),
            ],
            PassFault::Alone => {
                let alone = |giver: &&Giver| giver.right != 1.0;
                match story.givers.iter().find(alone) {
                    Some(giver) => self.alone(giver),
                    None => self.plainly(),
                }
            }
            PassFault::Row(mistake) => self.row(mistake),
        }
    }

    fn name(&self) -> Piece {
        Piece::name(&self.label)
    }

    /// "got 1, not 2": the sentence if nothing more specific can be said.
    fn plainly(&self) -> Line {
        vec![
            self.name(),
            Piece::plain(" got "),
            Piece::Number(self.wrong),
            Piece::plain(", not "),
            Piece::Number(self.right),
        ]
    }

    fn overwrite(&self) -> Line {
        let [Some(last), Some(before)] = &self.story.last else {
            return self.plainly();
        };
        let mut line = vec![self.name()];
        if self.story.arrivals == 2 {
            line.extend([
                Piece::plain(" had "),
                Piece::Number(before.amount),
                Piece::plain(" from "),
            ]);
            line.extend(self.source(before, Some(last)));
            line.push(Piece::plain("; "));
            if Rc::ptr_eq(&before.node, &last.node) {
                line.push(Piece::plain(format!("the {}", ordinal(last.operand))));
            } else {
                line.extend(self.source(last, None));
            }
            line.extend([
                Piece::plain(" put "),
                Piece::Number(last.amount),
                Piece::plain(" in its place"),
            ]);
        } else {
            line.push(Piece::plain(format!(
                " got {} contributions, each in place of the one before; all that is left is ",
                self.story.arrivals
            )));
            line.push(Piece::Number(last.amount));
            line.push(Piece::plain(" from "));
            line.extend(self.source(last, Some(before)));
        }
        line
    }

    fn hasty(&self, went: impl Fn(&Giver) -> Line) -> Line {
        let Some(giver) = self.story.hasty() else {
            return self.plainly();
        };
        let mut line = vec![Piece::name(self.session.label(&giver.given.node))];
        line.extend(went(giver));
        line
    }

    fn alone(&self, giver: &Giver) -> Line {
        let mut line = vec![
            self.name(),
            Piece::plain(" got "),
            Piece::Number(giver.given.amount),
            Piece::plain(" from "),
        ];
        line.extend(self.source(&giver.given, None));
        line.extend([
            Piece::plain(", the local derivative without the "),
            Piece::Number(giver.right),
            Piece::plain(" of "),
            Piece::name(self.session.label(&giver.given.node)),
        ]);
        line
    }

    fn row(&self, mistake: &Mistake) -> Line {
        if let Some((node, value)) = &self.story.spoilt {
            return vec![
                Piece::plain("the value of "),
                Piece::formula(self.session.expression(node)),
                Piece::plain(" came out as "),
                Piece::Number(*value),
                Piece::plain(", not "),
                Piece::Number(node.data()),
            ];
        }
        let spoilt = |giver: &&Giver| {
            let op = giver.given.node.op();
            op.is_some_and(|op| op.name == mistake.operation)
                && giver.given.amount.to_bits() != giver.meant.to_bits()
        };
        let Some(giver) = self.story.givers.iter().find(spoilt) else {
            return self.plainly();
        };
        let mut line = vec![
            self.name(),
            Piece::plain(" got "),
            Piece::Number(giver.given.amount),
            Piece::plain(" from "),
        ];
        line.extend(self.source(&giver.given, None));
        line.extend([Piece::plain(", not "), Piece::Number(giver.meant)]);
        line
    }

    /// "came out of the queue 2 times and gave x all of its grad each time: 3, then 5"
    fn again(&self, how: &str, giver: &Giver) -> Line {
        if giver.times == 1 {
            return vec![
                Piece::plain(" gave "),
                self.name(),
                Piece::plain(" its share when its own grad was "),
                Piece::Number(giver.upstreams[0]),
                Piece::plain(" and was to become "),
                Piece::Number(giver.right),
            ];
        }
        let mut line = vec![
            Piece::plain(format!(" {how} {} times and gave ", giver.times)),
            self.name(),
            Piece::plain(" all of its grad each time: "),
        ];
        for (place, upstream) in giver.upstreams.iter().enumerate() {
            if place > 0 {
                line.push(Piece::plain(", then "));
            }
            line.push(Piece::Number(*upstream));
        }
        if giver.times > UPSTREAMS as u64 {
            line.push(Piece::plain(", …"));
        }
        line
    }

    /// The source of a contribution: `L = a*b`. If `other` came from the same node, also says which operand it is: `the
    /// first operand of b = a + a`.
    fn source(&self, given: &Given, other: Option<&Given>) -> Line {
        let mut line = Line::new();
        if other.is_some_and(|other| Rc::ptr_eq(&other.node, &given.node)) {
            let which = ordinal(given.operand);
            line.push(Piece::plain(format!("the {which} operand of ")));
        }
        line.extend(self.written(&given.node));
        line
    }

    /// A node with its expression: `L = a*b`, or only `a*b` if it has no name.
    fn written(&self, node: &Rc<Node>) -> Line {
        let (label, expression) = (self.session.label(node), self.session.expression(node));
        if label == expression {
            return vec![Piece::formula(expression)];
        }
        vec![
            Piece::name(label),
            Piece::plain(" = "),
            Piece::formula(expression),
        ]
    }
}

/// "first", "second", "third", "4th"
fn ordinal(operand: usize) -> String {
    match operand {
        0 => "first".to_string(),
        1 => "second".to_string(),
        2 => "third".to_string(),
        more => format!("{}th", more + 1),
    }
}
