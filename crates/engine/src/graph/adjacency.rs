//! Stores the users of each node in two flat arrays, for the index of `living`.

/// A list of users for each place (compressed sparse rows). A user is a place, too.
#[derive(Debug)]
pub(super) struct Adjacency {
    /// The index in `users` of the list of each place. The last entry is the end of all lists.
    starts: Vec<u32>,
    users: Vec<u32>,
}

impl Adjacency {
    /// Builds the lists from pairs of a place and a user of it, by a counting sort.
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
        let mut users = vec![0; pairs.len()];
        for &(place, user) in pairs {
            // Each list is filled from its end, so that in the end its entry in `starts` is its beginning.
            let start = &mut starts[place as usize];
            *start -= 1;
            users[*start as usize] = user;
        }
        Adjacency { starts, users }
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.starts.len() - 1
    }

    /// The users of a place. An unknown place has none.
    pub(super) fn users(&self, place: u32) -> &[u32] {
        match self.starts.get(place as usize..=place as usize + 1) {
            Some(&[start, end]) => &self.users[start as usize..end as usize],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Adjacency {
        /// Drops one user.
        pub(in crate::graph) fn lose_one(&mut self) {
            self.users.pop();
            let left = self.users.len() as u32;
            for start in &mut self.starts {
                *start = left.min(*start);
            }
        }
    }
}
