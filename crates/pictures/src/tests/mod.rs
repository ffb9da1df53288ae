//! Graphs made by hand and at random, for the tests of the drawings.
//!
//! They are given as diagrams, without a session or labels made from formulas.

mod ranks;

use chainrule_report::Diagram;
use chainrule_report::{Connections, Kind, Vertex};

/// A graph under construction, oldest node first.
#[derive(Default)]
pub(crate) struct Builder {
    vertices: Vec<Vertex>,
}

impl Builder {
    pub(crate) fn leaf(&mut self, label: &str, data: f64) -> usize {
        self.push(label, Kind::Leaf, None, &[], data)
    }

    pub(crate) fn apply(
        &mut self,
        label: &str,
        spelling: &'static str,
        operands: &[usize],
        data: f64,
    ) -> usize {
        self.push(label, Kind::Computed, Some(spelling), operands, data)
    }

    pub(crate) fn push(
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
            formula: String::new(),
            kind,
            operation: spelling.map(|spelling| (spelling, spelling)),
            operands: operands.to_vec(),
            any_order: false,
            data: Some(data),
            grad: Some(-data / 2.0),
            level: level.unwrap_or(0),
            first: false,
            stage: None,
            list: None,
            on_wires: Vec::new(),
            connections: Connections::default(),
        });
        self.vertices.len() - 1
    }

    /// Newest first; what the last node does not reach is left out.
    pub(crate) fn diagram(mut self) -> Diagram {
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

/// A network of tanh neurons: every weight is a leaf, a sum is made term by term.
pub(crate) fn network(layers: &[usize]) -> Diagram {
    let mut graph = Builder::default();
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
                let mut sum = terms[0];
                for &term in &terms[1..] {
                    sum = graph.apply("", "+", &[sum, term], 1.0);
                }
                let bias = graph.leaf(&format!("b{layer}_{neuron}"), 0.5);
                let sum = graph.apply("", "+", &[sum, bias], 1.0);
                graph.apply("", "tanh", &[sum], 0.7)
            })
            .collect();
    }
    graph.diagram()
}

/// A graph by chance.
pub(crate) fn random(seed: u64, leaves: usize, operations: usize) -> Diagram {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % limit
    };
    let mut graph = Builder::default();
    for at in 0..leaves {
        let kind = [Kind::Leaf, Kind::Frozen, Kind::Constant][below(3)];
        let data = below(1000) as f64 / 8.0 - 60.0;
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
        ][below(7)];
        let made = leaves + at;
        // Mostly of late: deep rather than flat, but also far back.
        let operands: Vec<usize> = (0..count)
            .map(|_| {
                if below(3) > 0 {
                    made - 1 - below(made.min(4))
                } else {
                    below(made)
                }
            })
            .collect();
        graph.apply(&format!("y{at}"), spelling, &operands, below(64) as f64);
    }
    graph.diagram()
}
