//! Diagrams made by hand and at random, for the tests of pictures: without a session, and without labels made from
//! formulas. The tests in `src` use them, too.
#![allow(unreachable_pub, dead_code)]

use chainrule_report::{Diagram, Kind, Vertex};

/// A diagram under construction, oldest node first.
#[derive(Default)]
pub struct Builder {
    vertices: Vec<Vertex>,
    /// The operations whose operands may be drawn in any order.
    any_order: &'static [&'static str],
}

impl Builder {
    pub fn with_any_order(any_order: &'static [&'static str]) -> Builder {
        Builder {
            any_order,
            ..Builder::default()
        }
    }

    pub fn leaf(&mut self, label: &str, data: f64) -> usize {
        self.push(label, Kind::Leaf, None, &[], data)
    }

    pub fn apply(
        &mut self,
        label: &str,
        spelling: &'static str,
        operands: &[usize],
        data: f64,
    ) -> usize {
        self.push(label, Kind::Computed, Some(spelling), operands, data)
    }

    pub fn push(
        &mut self,
        label: &str,
        kind: Kind,
        spelling: Option<&'static str>,
        operands: &[usize],
        data: f64,
    ) -> usize {
        let level = operands.iter().map(|&at| self.vertices[at].level + 1).max();
        self.vertices.push(Vertex {
            id: self.vertices.len() as u32 + 1,
            label: label.to_string(),
            kind,
            operation: spelling.map(|spelling| (spelling, spelling)),
            operands: operands.to_vec(),
            is_commutative: spelling.is_some_and(|it| self.any_order.contains(&it)),
            data: Some(data),
            grad: (kind != Kind::Constant).then_some(-data / 2.0),
            level: level.unwrap_or(0),
            ..Vertex::default()
        });
        self.vertices.len() - 1
    }

    /// Newest first; what the last node does not reach is left out.
    pub fn diagram(mut self) -> Diagram {
        let count = self.vertices.len();
        let mut reached = vec![false; count];
        reached[count - 1] = true;
        for at in (0..count).rev() {
            if reached[at] {
                for &operand in &self.vertices[at].operands {
                    reached[operand] = true;
                }
            }
        }
        let mut places = vec![0; count];
        let mut place = 0;
        for at in (0..count).rev() {
            places[at] = place;
            place += usize::from(reached[at]);
        }
        for vertex in &mut self.vertices {
            for operand in &mut vertex.operands {
                *operand = places[*operand];
            }
        }
        let vertices = self.vertices.into_iter().zip(reached).rev();
        Diagram {
            vertices: vertices
                .filter_map(|(vertex, reached)| reached.then_some(vertex))
                .collect(),
            ..Diagram::default()
        }
    }
}

/// A network of tanh neurons: every weight is a leaf, a sum is made term by term, and the bias is its last term.
pub fn network(layers: &[usize]) -> Diagram {
    network_with(layers, false, Builder::default())
}

/// Such a network, whose sums may begin with the bias.
pub fn network_with(layers: &[usize], bias_first: bool, mut graph: Builder) -> Diagram {
    let mut values: Vec<usize> = (0..layers[0])
        .map(|at| graph.leaf(&format!("x{at}"), 1.0))
        .collect();
    for (layer, &count) in layers.iter().enumerate().skip(1) {
        values = (0..count)
            .map(|neuron| {
                let mut terms = Vec::new();
                for (at, &value) in values.iter().enumerate() {
                    let weight = graph.leaf(&format!("w{layer}_{neuron}_{at}"), 0.5);
                    terms.push(graph.apply("", "*", &[value, weight], 0.5));
                }
                let bias = graph.leaf(&format!("b{layer}_{neuron}"), 0.5);
                terms.insert(if bias_first { 0 } else { terms.len() }, bias);
                let mut sum = terms[0];
                for &term in &terms[1..] {
                    sum = graph.apply("", "+", &[sum, term], 1.0);
                }
                graph.apply("", "tanh", &[sum], 0.7)
            })
            .collect();
    }
    graph.diagram()
}

/// Numbers by chance, the same ones for the same seed.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }
}

/// A graph by chance.
pub fn random(seed: u64, leaves: usize, operations: usize) -> Diagram {
    let mut chance = Chance::new(seed);
    let mut graph = Builder::default();
    for at in 0..leaves {
        let kind = [Kind::Leaf, Kind::Frozen, Kind::Constant][chance.below(3)];
        let data = chance.below(1000) as f64 / 8.0 - 60.0;
        graph.push(&format!("x{at}"), kind, None, &[], data);
    }
    for at in 0..operations {
        let (spelling, count) = [
            ("+", 2),
            ("-", 2),
            ("*", 2),
            ("tanh", 1),
            ("max", 4),
            ("if", 3),
            ("leakyrelu", 1),
        ][chance.below(7)];
        let made = leaves + at;
        // Mostly of late: deep rather than flat, but also far back.
        let operands: Vec<usize> = (0..count)
            .map(|_| {
                if chance.below(3) > 0 {
                    made - 1 - chance.below(made.min(4))
                } else {
                    chance.below(made)
                }
            })
            .collect();
        graph.apply(
            &format!("y{at}"),
            spelling,
            &operands,
            chance.below(64) as f64,
        );
    }
    graph.diagram()
}
