//! What a mistake did first, in one sentence for `:wrong`.
//!
//! `study::wrong` finds the facts; this file has one sentence for each kind of mistake.

use std::rc::Rc;

use crate::graph::Node;
use crate::graph::{Appended, PassFault};
use crate::ops::Mistake;
use crate::report::{Line, Piece, join, say};
use crate::session::Session;
use crate::study::{Comparison, FamousMistake, Given, Giver, Story, UPSTREAMS};

/// What went wrong first, and where; none if the mistake does no harm.
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
    Some(told.tell(rule.fault))
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
        match course {
            PassFault::Overwrite => self.overwrite(),
            PassFault::Queue(Appended::Once) => self.hasty(|giver, user| {
                say!(
                    "{} took its turn with {} when its grad was to become {}; what came later \
                     never got to {}",
                    user,
                    giver.upstreams[0],
                    giver.right,
                    self.name()
                )
            }),
            PassFault::Queue(_) => {
                self.hasty(|giver, user| self.again(giver, user, "came out of the queue"))
            }
            PassFault::Recursive => {
                self.hasty(|giver, user| self.again(giver, user, "was reached"))
            }
            PassFault::Twice => say!(
                "{} still had {} from the first run when the second added to it",
                self.name(),
                self.right
            ),
            PassFault::LocalOnly => {
                let mut givers = self.story.givers.iter();
                let giver = givers.find(|giver| giver.right != 1.0);
                giver.map_or_else(|| self.plainly(), |giver| self.alone(giver))
            }
            PassFault::Row(mistake) => self.row(mistake),
        }
    }

    fn name(&self) -> Piece {
        Piece::name(&self.label)
    }

    /// "a got 1, not 2": for want of anything better to say.
    fn plainly(&self) -> Line {
        say!("{} got {}, not {}", self.name(), self.wrong, self.right)
    }

    fn overwrite(&self) -> Line {
        let [Some(last), Some(before)] = &self.story.last else {
            return self.plainly();
        };
        if self.story.arrivals != 2 {
            return say!(
                "{} got {} contributions, each in place of the one before; all that is left is {} \
                 from {}",
                self.name(),
                self.story.arrivals,
                last.amount,
                self.source(last, Some(before))
            );
        }
        let other = if Rc::ptr_eq(&before.node, &last.node) {
            say!("the {}", ordinal(last.operand))
        } else {
            self.source(last, None)
        };
        say!(
            "{} had {} from {}; {} put {} in its place",
            self.name(),
            before.amount,
            self.source(before, Some(last)),
            other,
            last.amount
        )
    }

    fn hasty(&self, told: impl Fn(&Giver, Piece) -> Line) -> Line {
        match self.story.hasty() {
            Some(giver) => told(giver, Piece::name(self.session.label(&giver.given.node))),
            None => self.plainly(),
        }
    }

    fn alone(&self, giver: &Giver) -> Line {
        say!(
            "{} got {} from {}, the local derivative without the {} of {:name}",
            self.name(),
            giver.given.amount,
            self.source(&giver.given, None),
            giver.right,
            self.session.label(&giver.given.node)
        )
    }

    fn row(&self, mistake: &Mistake) -> Line {
        if let Some((node, value)) = &self.story.spoilt {
            return say!(
                "the value of {:formula} came out as {}, not {}",
                self.session.expression(node),
                *value,
                node.data()
            );
        }
        let spoilt = |giver: &&Giver| {
            let op = giver.given.node.op();
            op.is_some_and(|op| op.name == mistake.operation)
                && giver.given.amount.to_bits() != giver.meant.to_bits()
        };
        let Some(giver) = self.story.givers.iter().find(spoilt) else {
            return self.plainly();
        };
        say!(
            "{} got {} from {}, not {}",
            self.name(),
            giver.given.amount,
            self.source(&giver.given, None),
            giver.meant
        )
    }

    /// "came out of the queue 2 times and gave x all of its grad each time: 3, then 5"
    fn again(&self, giver: &Giver, user: Piece, came: &str) -> Line {
        if giver.times == 1 {
            return say!(
                "{} gave {} its share when its own grad was {} and was to become {}",
                user,
                self.name(),
                giver.upstreams[0],
                giver.right
            );
        }
        let upstreams = giver.upstreams.iter().map(|&upstream| say!("{}", upstream));
        say!(
            "{} {} {} times and gave {} all of its grad each time: {}{}",
            user,
            came,
            giver.times,
            self.name(),
            join(upstreams, ", then "),
            if giver.times > UPSTREAMS as u64 {
                ", …"
            } else {
                ""
            }
        )
    }

    /// The source of a contribution: `L = a*b`. If `other` came from the same node, also says which operand it is: `the
    /// first operand of b = a + a`.
    fn source(&self, given: &Given, other: Option<&Given>) -> Line {
        let written = self.written(&given.node);
        if other.is_some_and(|other| Rc::ptr_eq(&other.node, &given.node)) {
            return say!("the {} operand of {}", ordinal(given.operand), written);
        }
        written
    }

    /// A node with its expression: `L = a*b`, or only `a*b` if it has no name.
    fn written(&self, node: &Rc<Node>) -> Line {
        let (label, expression) = (self.session.label(node), self.session.expression(node));
        if label == expression {
            return say!("{:formula}", expression);
        }
        say!("{:name} = {:formula}", label, expression)
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
