//! The line of everything in its rank: wires as straight as the order allows, nothing on top of each other.
//!
//! Ranks take turns: what stands in a rank is drawn to the lines of its neighbours, and where that leaves too little
//! room, things share a block that goes where most of its wires want it (pool adjacent violators, with medians).

/// What needs a line.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    /// How far it reaches before its line, and behind it.
    pub before: i64,
    /// See there.
    pub behind: i64,
    /// The places of its sources in the rank before, in the order of its operands.
    pub sources: Vec<usize>,
    /// Which of these it stands in one line with; else it stands in the middle of them.
    pub leans: Option<usize>,
}

/// A wire that goes on wants to be straight.
const STRAIGHT: i64 = 8;
/// The operand of a larger operation wants to be near it.
const NEAR: i64 = 2;
/// What nothing pulls stays.
const STAY: i64 = 1;
/// So many turns.
const TURNS: usize = 16;

/// The lines, rank by rank; the uppermost thing begins at 0. Neighbours keep a gap, two bends keep less of one.
pub(crate) fn lines(ranks: &[Vec<Thing>], gap: i64) -> Vec<Vec<i64>> {
    let mut users: Vec<Vec<Vec<(usize, usize)>>> = ranks
        .iter()
        .map(|rank| vec![Vec::new(); rank.len()])
        .collect();
    for (rank, things) in ranks.iter().enumerate() {
        for (place, thing) in things.iter().enumerate() {
            for (position, &source) in thing.sources.iter().enumerate() {
                users[rank - 1][source].push((place, position));
            }
        }
    }
    let mut lines: Vec<Vec<i64>> = ranks.iter().map(|rank| packed(rank, gap)).collect();
    let mut best: Option<(i64, Vec<Vec<i64>>)> = None;
    for turn in 0..TURNS {
        let order: Vec<usize> = if turn % 2 == 0 {
            (0..ranks.len()).collect()
        } else {
            (0..ranks.len()).rev().collect()
        };
        // First from one side at a time, so that whole trees can move; then between both.
        let both = turn >= TURNS / 2;
        for rank in order {
            let pulls: Vec<Vec<(i64, i64)>> = ranks[rank]
                .iter()
                .enumerate()
                .map(|(place, thing)| {
                    let mut pulls = vec![(lines[rank][place], STAY)];
                    if both || turn % 2 == 0 {
                        pull_back(thing, &lines, rank, &mut pulls);
                    }
                    if both || turn % 2 == 1 {
                        for &(user, position) in &users[rank][place] {
                            let user_of = &ranks[rank + 1][user];
                            let line = lines[rank + 1][user];
                            let count = user_of.sources.len() as i64;
                            if user_of.leans == Some(position) {
                                pulls.push((line, STRAIGHT));
                                continue;
                            }
                            let weight = if count == 1 { STRAIGHT } else { NEAR };
                            // Seen from an operation, its operands stand around it.
                            let extent = thing.before + thing.behind + 1;
                            let offset = (2 * position as i64 - count + 1) * extent / 2;
                            pulls.push((line + offset, weight));
                        }
                    }
                    pulls
                })
                .collect();
            lines[rank] = settle(&ranks[rank], &pulls, gap);
        }
        let cost = cost(ranks, &lines);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, lines.clone()));
        }
    }
    let mut lines = best.map_or(lines, |(_, lines)| lines);
    let top = ranks
        .iter()
        .zip(&lines)
        .flat_map(|(things, lines)| things.iter().zip(lines))
        .map(|(thing, line)| line - thing.before)
        .min()
        .unwrap_or(0);
    for line in lines.iter_mut().flatten() {
        *line -= top;
    }
    lines
}

/// Where its operands would have a thing.
fn pull_back(thing: &Thing, lines: &[Vec<i64>], rank: usize, pulls: &mut Vec<(i64, i64)>) {
    if let Some(at) = thing.leans {
        pulls.push((lines[rank - 1][thing.sources[at]], STRAIGHT));
        return;
    }
    let sources = thing.sources.iter().map(|&source| lines[rank - 1][source]);
    let Some(low) = sources.clone().min() else {
        return;
    };
    let high = sources.max().unwrap_or(low);
    let weight = if low == high { STRAIGHT } else { NEAR * 2 };
    pulls.push((i64::midpoint(low, high), weight));
}

fn packed(things: &[Thing], gap: i64) -> Vec<i64> {
    let mut lines = Vec::with_capacity(things.len());
    let mut next = 0;
    for (place, thing) in things.iter().enumerate() {
        if place > 0 {
            next += distance(&things[place - 1], thing, gap);
        } else {
            next = thing.before;
        }
        lines.push(next);
    }
    lines
}

/// The least distance of the lines of two neighbours.
fn distance(above: &Thing, below: &Thing, gap: i64) -> i64 {
    above.behind + below.before + 1 + gap
}

/// Several things that touch each other.
struct BoxRows {
    /// Line of the first thing, were it not for the others.
    start: i64,
    first: usize,
    /// What pulls at it, as lines of its first thing.
    pulls: Vec<(i64, i64)>,
}

fn settle(things: &[Thing], pulls: &[Vec<(i64, i64)>], gap: i64) -> Vec<i64> {
    let offsets = packed(things, gap);
    let mut blocks: Vec<BoxRows> = Vec::new();
    for (place, pulls) in pulls.iter().enumerate() {
        let pulls: Vec<(i64, i64)> = pulls
            .iter()
            .map(|&(line, weight)| (line - offsets[place], weight))
            .collect();
        let mut block = BoxRows {
            start: median(&pulls),
            first: place,
            pulls,
        };
        while let Some(above) = blocks.pop_if(|above| above.start > block.start) {
            let mut pulls = above.pulls;
            pulls.append(&mut block.pulls);
            pulls.sort_unstable();
            block = BoxRows {
                start: median(&pulls),
                first: above.first,
                pulls,
            };
        }
        blocks.push(block);
    }
    let mut lines = vec![0; things.len()];
    for (at, block) in blocks.iter().enumerate() {
        let end = blocks.get(at + 1).map_or(things.len(), |next| next.first);
        for place in block.first..end {
            lines[place] = block.start + offsets[place];
        }
    }
    lines
}

/// The weighted median; between two where both would do.
fn median(pulls: &[(i64, i64)]) -> i64 {
    let mut sorted = pulls.to_vec();
    sorted.sort_unstable();
    let total: i64 = sorted.iter().map(|pull| pull.1).sum();
    let mut below = 0;
    for (at, &(line, weight)) in sorted.iter().enumerate() {
        below += weight;
        if 2 * below > total {
            return line;
        }
        if 2 * below == total {
            let next = sorted.get(at + 1).map_or(line, |next| next.0);
            return i64::midpoint(line, next);
        }
    }
    0
}

/// How bent all wires are, and how high the picture is.
fn cost(ranks: &[Vec<Thing>], lines: &[Vec<i64>]) -> i64 {
    let mut cost = 0;
    for (rank, things) in ranks.iter().enumerate().skip(1) {
        for (place, thing) in things.iter().enumerate() {
            let line = lines[rank][place];
            let single = thing.sources.len() == 1;
            let sources = || thing.sources.iter().map(|&at| lines[rank - 1][at]);
            for source in sources() {
                let bent = (source - line).abs();
                cost += if single {
                    bent * 4 + 2 * bent.min(1)
                } else {
                    bent
                };
            }
            if let Some(at) = thing.leans {
                cost += 4 * (lines[rank - 1][thing.sources[at]] - line).abs();
                continue;
            }
            // An operation in the middle of its operands looks calmer than one nearer to its user.
            if let (Some(low), Some(high), false) = (sources().min(), sources().max(), single) {
                cost += 2 * (i64::midpoint(low, high) - line).abs();
            }
        }
    }
    let ends = || {
        let all = ranks.iter().zip(lines);
        all.flat_map(|(things, lines)| things.iter().zip(lines))
    };
    let low = ends().map(|(thing, line)| line - thing.before).min();
    let high = ends().map(|(thing, line)| line + thing.behind).max();
    cost + 4 * (high.unwrap_or(0) - low.unwrap_or(0))
}
