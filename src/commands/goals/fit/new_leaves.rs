//! Names in the model of a fit that have no value become leaves. The search begins where the data suggest, or at 1.

use rustc_hash::FxHashSet;

use super::predictor::predictor_data;
use crate::commands::prelude::*;
use crate::session::{Setting, Widths};
use crate::study::goals::{FitProblem, starts};
use chainrule_language::{Expression, Head, ItemKind};
use chainrule_report::name_list;

/// Binds the names in the model that have no value to leaves.
pub(super) fn bind_new_leaves(session: &mut Session, model: &Expression) -> Vec<Rc<Node>> {
    let names = model.names();
    // A name with an index stays unknown, because the length of its list is unknown. The items are in postfix order: in
    // `w[0]`, the name, the index and `Head::Index` follow each other. The evaluation refuses a longer index.
    let is_indexed = |at: usize| {
        let after_index = model.items.get(at + 2).map(|item| item.kind);
        matches!(after_index, Some(ItemKind::Apply(Head::Index, _)))
    };
    let indexed = names.iter().filter(|(_, at)| is_indexed(*at));
    let lists: FxHashSet<&str> = indexed.map(|(name, _)| *name).collect();
    let mut leaves = Vec::new();
    for (name, _) in names {
        let has_value = session.knows(name) || session.is_function(name);
        if !has_value && !lists.contains(name) {
            leaves.push(session.bind_leaf(name, 1.0));
        }
    }
    leaves
}

/// Moves new leaves to starts that the data suggest, and returns whether there are any. A model that is linear in the
/// leaves has none, because the search finds the same from every start.
pub(super) fn move_to_starts(
    session: &mut Session,
    problem: &FitProblem,
    new: &[Rc<Node>],
) -> bool {
    let is_new = |place: &usize| new.iter().any(|it| Rc::ptr_eq(it, &problem.leaves[*place]));
    let places: Vec<usize> = (0..problem.leaves.len()).filter(is_new).collect();
    let across = predictor_data(session, problem);
    let Some(starts) = starts(problem, &places, &across) else {
        return false;
    };
    let leaves = places
        .iter()
        .map(|&place| Rc::clone(&problem.leaves[place]));
    let each = leaves.zip(starts);
    let settings: Vec<Setting> = each.map(|(leaf, data)| Setting { leaf, data }).collect();
    session.set(&settings, Widths::default(), |_, _| {});
    true
}

/// A note on new leaves, if there are any.
pub(super) fn new_leaves_note(
    session: &Session,
    new: &[Rc<Node>],
    has_own_starts: bool,
) -> Option<Note> {
    let names = name_list(new.iter().map(|leaf| session.label(leaf)));
    let start = if has_own_starts {
        "starts that the data suggest"
    } else {
        "1"
    };
    let line = say!("new leaves, from {}: {}", start, names);
    (!new.is_empty()).then(|| Note::new(line))
}

/// A note that `e` is Euler's number, if no `^` follows it, so that a leaf may be meant.
pub(super) fn constant_e_note(session: &Session, text: &str, model: &Expression) -> Option<Note> {
    let names = model.names().into_iter().filter(|(name, _)| *name == "e");
    let mut rests = names.map(|(_, at)| &text[model.items[at].span.end as usize..]);
    let may_be_leaf = rests.any(|rest| !rest.trim_start().starts_with('^'));
    let line = say!("{:name} is 2.71828 here; `e = 1` makes it a leaf", "e");
    (may_be_leaf && session.names().find("e").is_none()).then(|| Note::new(line))
}
