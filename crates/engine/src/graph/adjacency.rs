//! Lists of numbers, one for each of many places, in two flat arrays: the users of each node.

/// For each place a list of numbers (compressed sparse rows).
#[derive(Debug, Default)]
pub(super) struct Adjacency {
    /// Where the list of each place begins in `listed`; one entry more than there are places.
    starts: Vec<u32>,
    listed: Vec<u32>,
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
        let mut listed = vec![0; pairs.len()];
        for &(place, number) in pairs {
            // From its end each list is filled down to where it begins.
            let start = &mut starts[place as usize];
            *start -= 1;
            listed[*start as usize] = number;
        }
        Adjacency { starts, listed }
    }

    /// How many places there are.
    pub(super) fn places(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The numbers of a place; none for a place that is not among them.
    pub(super) fn of(&self, place: u32) -> &[u32] {
        match self.starts.get(place as usize..=place as usize + 1) {
            Some(&[start, end]) => &self.listed[start as usize..end as usize],
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
            self.listed.pop();
            let left = self.listed.len() as u32;
            for start in &mut self.starts {
                *start = left.min(*start);
            }
        }
    }
}
