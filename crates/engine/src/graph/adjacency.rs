//! The users of each node, as numbers in two flat arrays, for the index of `living`.

/// For each place a list of numbers (compressed sparse rows).
#[derive(Debug, Default)]
pub(super) struct Adjacency {
    /// The index in `numbers` of the list of each place. The last entry is the end of all.
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

impl Adjacency {
    /// Sorts pairs of a place and a number by place, by counting.
    pub(super) fn of_pairs(places: usize, pairs: &[(u32, u32)]) -> Adjacency {
        let mut starts = vec![0; places + 1];
        for &(place, _) in pairs {
            starts[place as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut numbers = vec![0; pairs.len()];
        for &(place, number) in pairs {
            // Each list is filled from its end, so that its entry in `starts` finally is its beginning.
            let start = &mut starts[place as usize];
            *start -= 1;
            numbers[*start as usize] = number;
        }
        Adjacency { starts, numbers }
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The numbers of a place. An unknown place has none.
    pub(super) fn of(&self, place: u32) -> &[u32] {
        match self.starts.get(place as usize..=place as usize + 1) {
            Some(&[start, end]) => &self.numbers[start as usize..end as usize],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Adjacency {
        /// Drops one number.
        pub(in crate::graph) fn lose_one(&mut self) {
            self.numbers.pop();
            let left = self.numbers.len() as u32;
            for start in &mut self.starts {
                *start = left.min(*start);
            }
        }
    }
}
