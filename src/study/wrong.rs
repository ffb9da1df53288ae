//! Famous mistakes: which there are, what comes out of one beside the right pass, and where it first went wrong.
//!
//! The mistaken passes themselves are the graph's, what a mistake about one operation computes stands with the rows. Words
//! are found elsewhere; nothing of the session is changed.

use std::rc::Rc;

use crate::graph::Node;
use crate::graph::{Appended, Arrival, FaultyGraph, PassFault, Unended};
use crate::ops;
use crate::ops::Lesson;
use crate::session::Session;
use crate::syntax;
use crate::syntax::Statement;

/// A mistake, ready to be made.
#[derive(Clone, Copy, Debug)]
pub struct FamousMistake {
    /// What is told of it.
    pub lesson: &'static Lesson,
    /// What the pass does wrong.
    pub course: PassFault,
}

/// A difference this small beside what came to a node, regardless of sign, is rounding: orders add in other orders.
const ROUNDING: f64 = 1e-12;

/// The most upstreams that are kept of one node that passes on again and again.
pub const UPSTREAMS: usize = 4;

/// The grads of a root by every node below it, and what a mistake makes of them.
#[derive(Debug)]
pub struct Comparison {
    /// The nodes, in pass order.
    pub nodes: Vec<Rc<Node>>,
    /// The right grads.
    pub right: Vec<f64>,
    /// Those of the mistake.
    pub wrong: Vec<f64>,
    /// Which of them are wrong by more than rounding.
    pub differs: Vec<bool>,
    /// What happened at the first wrong one; none where all are right.
    pub story: Option<Story>,
}

/// What happened at the first wrong node in pass order. The grads of all its users are right in the end, so it is here
/// that something went wrong.
#[derive(Debug)]
pub struct Story {
    /// Where the node stands.
    pub place: usize,
    /// Who passed on to it, in the order in which they came first.
    pub givers: Vec<Giver>,
    /// How often.
    pub arrivals: u64,
    /// The last contribution and the one before it.
    pub last: [Option<Given>; 2],
    /// The first node, operands first, whose value the mistake spoils, and the value it gets.
    pub spoilt: Option<(Rc<Node>, f64)>,
}

/// A node as it passed on to one of its operands.
#[derive(Clone, Debug)]
pub struct Giver {
    /// Which operand, and what came of it.
    pub given: Given,
    /// How often it passed on.
    pub times: u64,
    /// What its own grad had come to each time, the first few.
    pub upstreams: Vec<f64>,
    /// What its own grad should have come to.
    pub right: f64,
    /// The right contribution.
    pub meant: f64,
}

/// One contribution.
#[derive(Clone, Debug)]
pub struct Given {
    /// Who passed on.
    pub node: Rc<Node>,
    /// To which operand.
    pub operand: usize,
    /// What.
    pub amount: f64,
}

/// Every rule there is, in the order of `:wrong`.
pub fn rules() -> impl Iterator<Item = FamousMistake> {
    let pass = PASSES.iter().map(|(course, lesson)| FamousMistake {
        lesson,
        course: *course,
    });
    let rows = ops::MISTAKES.iter().map(|mistake| FamousMistake {
        lesson: &mistake.lesson,
        course: PassFault::Row(mistake),
    });
    pass.chain(rows)
}

/// The grads of a root, right and with a mistake.
pub fn mistaken(
    session: &Session,
    root: &Rc<Node>,
    rule: FamousMistake,
) -> Result<Comparison, Unended> {
    let lowered = FaultyGraph::of(root, rule.course);
    let stop = || session.host().stop();
    let wrong = lowered.run(stop, |_| {})?;
    let (right, sizes) = lowered.right(root);
    let differs: Vec<bool> = (0..right.len())
        .map(|place| differ(right[place], wrong[place], sizes[place]))
        .collect();
    let first = differs.iter().position(|differs| *differs);
    let story = first.map(|place| {
        let mut story = Story {
            place,
            givers: Vec::new(),
            arrivals: 0,
            last: [None, None],
            spoilt: spoilt(&lowered),
        };
        // The same run again, now that it is known where to look; it has an end.
        let told = lowered.run(stop, |arrival| {
            if arrival.to == place {
                story.hear(&lowered, &right, arrival);
            }
        });
        told.map(|_| story)
    });
    Ok(Comparison {
        nodes: lowered.order().nodes().to_vec(),
        story: story.transpose()?,
        right,
        wrong,
        differs,
    })
}

/// A graph on which a rule goes wrong: a session of its own, and its root.
pub fn staged(rule: FamousMistake) -> Option<(Session, Rc<Node>)> {
    let mut session = Session::new();
    let mut root = None;
    for line in rule.lesson.example {
        for cut in syntax::statements(line).filter_map(Result::ok) {
            if let Ok(Statement::Binding(binding)) = syntax::statement(line, &cut) {
                let (nodes, _) = session.bind(line, line, &binding, |_| false).ok()?;
                root = nodes.into_iter().last();
            }
        }
    }
    root.map(|root| (session, root))
}

impl Story {
    fn hear(&mut self, lowered: &FaultyGraph, right: &[f64], arrival: Arrival) {
        let node = &lowered.order().nodes()[arrival.from];
        let given = Given {
            node: Rc::clone(node),
            operand: arrival.operand,
            amount: arrival.amount,
        };
        self.arrivals += 1;
        let [last, before] = &mut self.last;
        *before = last.replace(given.clone());
        let same = |giver: &&mut Giver| {
            giver.given.operand == given.operand && Rc::ptr_eq(&giver.given.node, &given.node)
        };
        if let Some(giver) = self.givers.iter_mut().find(same) {
            giver.times += 1;
            if giver.upstreams.len() < UPSTREAMS {
                giver.upstreams.push(arrival.upstream);
            }
            return;
        }
        // Who is told of is among the first; a node may have a million users.
        if self.givers.len() < GIVERS {
            let local = node.local(given.operand);
            self.givers.push(Giver {
                given,
                times: 1,
                upstreams: vec![arrival.upstream],
                right: right[arrival.from],
                meant: right[arrival.from] * local,
            });
        }
    }

    /// Who passed on what it should not have: a node that came several times, or before all of its grad had.
    pub fn hasty(&self) -> Option<&Giver> {
        let early = |giver: &Giver| {
            let upstream = giver.upstreams.first().copied().unwrap_or(giver.right);
            differ(giver.right, upstream, giver.right.abs())
        };
        self.givers
            .iter()
            .find(|giver| giver.times > 1 || early(giver))
    }
}

/// The most givers that are kept of one node.
const GIVERS: usize = 64;

/// Is a grad wrong by more than rounding?
fn differ(right: f64, wrong: f64, size: f64) -> bool {
    if right == wrong || (right.is_nan() && wrong.is_nan()) {
        return false;
    }
    let size = if size.is_finite() {
        size
    } else {
        right.abs().max(wrong.abs())
    };
    // What is not finite on one side only is no rounding.
    !(right - wrong).is_finite() || (right - wrong).abs() > ROUNDING * size
}

fn spoilt(lowered: &FaultyGraph) -> Option<(Rc<Node>, f64)> {
    let nodes = lowered.order().nodes();
    let is_spoilt = |place: &usize| {
        let (right, wrong) = (nodes[*place].data(), lowered.data(*place));
        differ(right, wrong, right.abs())
    };
    let place = (0..nodes.len()).rev().find(is_spoilt)?;
    Some((Rc::clone(&nodes[place]), lowered.data(place)))
}

/// Mistakes about the pass itself.
static PASSES: &[(PassFault, Lesson)] = &[
    (
        PassFault::Overwrite,
        Lesson {
            rule: "overwrite",
            summary: "a contribution takes the place of the ones before",
            needs: "a node is used more than once",
            right: "self.grad += other.data * out.grad",
            wrong: "self.grad = other.data * out.grad",
            example: &["a = 3", "b = a + a"],
        },
    ),
    (
        PassFault::Queue(Appended::Each),
        Lesson {
            rule: "queue",
            summary: "first in, first out, instead of a topological order",
            needs: "a computed node is used more than once",
            right: IN_ORDER,
            wrong: "queue = [self]
while queue:
    node = queue.pop(0)
    node._backward()
    queue.extend(node._prev)  # a tuple: x*x appends x twice",
            example: MEETING_AGAIN,
        },
    ),
    (
        PassFault::Queue(Appended::Distinct),
        Lesson {
            rule: "queue-set",
            summary: "the queue, each distinct operand appended once a turn",
            needs: "a computed node is used by more than one other",
            right: IN_ORDER,
            wrong: "queue = [self]
while queue:
    node = queue.pop(0)
    node._backward()
    queue.extend(set(node._prev))",
            example: MEETING_AGAIN,
        },
    ),
    (
        PassFault::Queue(Appended::Once),
        Lesson {
            rule: "queue-visited",
            summary: "the queue, no node appended twice",
            needs: "a node comes out of the queue before all of its users",
            right: IN_ORDER,
            wrong: "queue, visited = [self], {self}
while queue:
    node = queue.pop(0)
    node._backward()
    for v in node._prev:
        if v not in visited:
            visited.add(v)
            queue.append(v)",
            example: MEETING_AGAIN,
        },
    ),
    (
        PassFault::Recursive,
        Lesson {
            rule: "recursive",
            summary: "every node passes on at each arrival, without an order",
            needs: "a computed node is used more than once",
            right: IN_ORDER,
            wrong: "def pass_on(node):
    node._backward()
    for v in node._prev:
        pass_on(v)
pass_on(self)",
            example: MEETING_AGAIN,
        },
    ),
    (
        PassFault::Twice,
        Lesson {
            rule: "nozero",
            summary: "backward() twice on the same nodes without zeroing between",
            needs: "a grad below the root is not 0",
            right: "for node in topo:
    node.grad = 0.0
self.grad = 1.0",
            wrong: "self.grad = 1.0",
            example: &["a, b, c = 2, -3, 10", "L = a*b + c"],
        },
    ),
    (
        PassFault::LocalOnly,
        Lesson {
            rule: "noupstream",
            summary: "a contribution is the local derivative alone",
            needs: "a node below the root passes on and its own grad is not 1",
            right: "self.grad += other.data * out.grad",
            wrong: "self.grad += other.data",
            example: &["man = 1", "bicycle = 4*man", "car = 2*bicycle"],
        },
    ),
];

const IN_ORDER: &str = "for node in reversed(topo):
    node._backward()";

/// b is used by L and by c: its turn comes too early, and again.
const MEETING_AGAIN: &[&str] = &["a = 1", "b = 2*a", "c = b + 1", "L = b*c"];
