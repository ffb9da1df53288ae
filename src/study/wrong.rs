//! Lists famous mistakes in backpropagation, and compares the grads of a pass with a mistake with the correct grads.
//!
//! The engine runs the faulty passes. The session does not change.

use std::rc::Rc;

use chainrule_engine::graph::{
    Node, Order, PassFault, QueueRule, RowFault, faulty_gradients, gradients,
};

/// A mistake in the pass, and the texts on it.
#[derive(Debug)]
pub struct FamousMistake {
    /// The fault of the pass.
    pub fault: PassFault,
    /// The name of the mistake in `:wrong NAME`: `overwrite`.
    pub rule: &'static str,
    /// A line on the wrong code.
    pub summary: &'static str,
    /// The condition under which the grads are wrong: the rest of a sentence that begins "it goes wrong where".
    pub needs: &'static str,
    /// The lines of code as they should be.
    pub right: &'static str,
    /// The lines with the mistake.
    pub wrong: &'static str,
    /// A script on which the code goes wrong. The last name in the script is the root.
    pub example: &'static [&'static str],
}

/// A difference up to this fraction of the sum of a node's absolute contributions is rounding: passes add in different
/// orders.
const ROUNDING: f64 = 1e-12;

/// The grads of a root with respect to every node below it, correct and with a mistake.
#[derive(Debug)]
pub struct Comparison {
    /// The nodes, in the order of the pass.
    pub nodes: Vec<Rc<Node>>,
    /// The correct grads.
    pub right: Vec<f64>,
    /// The grads with the mistake.
    pub wrong: Vec<f64>,
    /// Whether the grads of each node differ by more than rounding.
    pub differs: Vec<bool>,
    /// The index of the first node whose grads differ. The grads of all its users are correct, so the mistake has its
    /// effect at this node.
    pub first: Option<usize>,
}

/// Computes the grads of a root, correctly and with a mistake; `None` if this takes too long.
pub fn compare_with_mistake(root: &Rc<Node>, mistake: &FamousMistake) -> Option<Comparison> {
    let order = Order::below([root]);
    let wrong = faulty_gradients(&order, mistake.fault)?;
    // For each node the sum of the absolute values of its contributions, which bounds its rounding error. The root is in
    // slot 0, and a user has its own sum before it contributes to operands. As in the pass, a factor of 0 makes a
    // contribution 0 even if the other factor is infinite.
    let mut sizes = vec![0.0_f64; order.nodes().len()];
    sizes[0] = 1.0;
    let right = gradients(&order, root, |contribution| {
        let size = sizes[contribution.user];
        if size != 0.0 && contribution.local != 0.0 {
            sizes[contribution.operand_slot] += (size * contribution.local).abs();
        }
    });
    let differs_at = |slot: usize| differ(right[slot], wrong[slot], sizes[slot]);
    let differs: Vec<bool> = (0..right.len()).map(differs_at).collect();
    Some(Comparison {
        nodes: order.nodes().to_vec(),
        first: differs.iter().position(|differs| *differs),
        right,
        wrong,
        differs,
    })
}

/// Returns whether a grad is wrong by more than rounding. `size` is the sum of its absolute contributions.
fn differ(right: f64, wrong: f64, size: f64) -> bool {
    if right == wrong || right.is_nan() && wrong.is_nan() {
        return false;
    }
    let difference = (right - wrong).abs();
    let finite_size = Some(size).filter(|size| size.is_finite());
    let scale = finite_size.unwrap_or_else(|| right.abs().max(wrong.abs()));
    // A difference that is infinite or NaN is no rounding.
    !difference.is_finite() || difference > ROUNDING * scale
}

/// All mistakes, in the order of `:wrong`: those in the pass itself, then those in one operation.
pub static FAMOUS_MISTAKES: &[FamousMistake] = &[
    FamousMistake {
        fault: PassFault::Overwrite,
        rule: "overwrite",
        summary: "a contribution takes the place of the ones before",
        needs: "a node is used more than once",
        right: "self.grad += 1.0 * out.grad
other.grad += 1.0 * out.grad",
        wrong: "self.grad = 1.0 * out.grad
other.grad = 1.0 * out.grad",
        example: &["a = 3", "b = a + a"],
    },
    FamousMistake {
        fault: PassFault::Queue(QueueRule::EachOccurrence),
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
    FamousMistake {
        fault: PassFault::Queue(QueueRule::OncePerUser),
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
    FamousMistake {
        fault: PassFault::Queue(QueueRule::OnceEver),
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
    FamousMistake {
        fault: PassFault::Recursive,
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
    FamousMistake {
        fault: PassFault::Twice,
        rule: "nozero",
        summary: "backward() twice on the same nodes without zeroing between",
        needs: "a grad below the root is not 0",
        right: "for node in topo:
    node.grad = 0.0
self.grad = 1.0",
        wrong: "self.grad = 1.0",
        example: &["a, b, c = 2, -3, 10", "L = a*b + c"],
    },
    FamousMistake {
        fault: PassFault::LocalOnly,
        rule: "noupstream",
        summary: "a contribution is the local derivative alone",
        needs: "a node below the root passes on and its own grad is not 1",
        right: "other.grad += self.data * out.grad",
        wrong: "other.grad += self.data",
        example: &["man = 1", "bicycle = 4*man", "car = 2*bicycle"],
    },
    FamousMistake {
        fault: PassFault::Row(&RowFault {
            operation: "subtraction",
            value: None,
            local: |_, _, _| 1.0,
            added: None,
        }),
        rule: "subadd",
        summary: "a minus is differentiated as a plus",
        needs: "something is subtracted that depends on a leaf",
        right: "other.grad += -1.0 * out.grad",
        wrong: "other.grad += 1.0 * out.grad",
        example: &["a, b = 5, 3", "L = a - b"],
    },
    FamousMistake {
        fault: PassFault::Row(&RowFault {
            operation: "tanh",
            value: None,
            local: |_, _, out| -(out * out),
            added: Some(1.0),
        }),
        rule: "parenthesis",
        summary: "tanh passes on 1 - t^2*g instead of (1 - t^2)*g",
        needs: "a tanh has an upstream other than 1",
        right: "self.grad += (1 - t**2) * out.grad",
        wrong: "self.grad += 1 - t**2 * out.grad",
        example: &["x = 0.5", "y = 3*tanh(x)"],
    },
    FamousMistake {
        fault: PassFault::Row(&RowFault {
            operation: "tanh",
            value: Some(|operands| {
                let e = (2.0 * operands[0]).exp();
                (e - 1.0) / (e + 1.0)
            }),
            local: |_, _, out| 1.0 - out * out,
            added: None,
        }),
        rule: "naivetanh",
        summary: "tanh from exp(2x), its derivative from 1 - t^2",
        needs: "a tanh is saturated (from about 6 on it loses digits)",
        right: "t, e = math.tanh(x), math.exp(-2 * abs(x))\nself.grad += 4 * e / (1 + e)**2 * out.grad",
        wrong: "t = (math.exp(2 * x) - 1) / (math.exp(2 * x) + 1)\nself.grad += (1 - t**2) * out.grad",
        example: &["x = 20", "y = tanh(x)"],
    },
];

const IN_ORDER: &str = "for node in reversed(topo):
    node._backward()";

/// `b` is used by both `L` and `c`, so without an order it has its turn too early, and a second time.
const MEETING_AGAIN: &[&str] = &["a = 1", "b = 2*a", "c = b + 1", "L = b*c"];
