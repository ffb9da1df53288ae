//! Shapes of lists: paths to their numbers, shapes that grow, and equal shapes.

use chainrule_program::values::ListShape;

#[test]
fn a_place_has_a_path() {
    let table = ListShape::rows(2, ListShape::rows(3, ListShape::NUMBER));
    assert_eq!((table.size(), table.depth()), (6, 2));
    assert_eq!(table.path(4), [1, 1]);
    assert_eq!(table.lengths(), Some(vec![2, 3]));
    let pair = ListShape::rows(2, ListShape::NUMBER);
    let neuron = ListShape::list([&pair, &ListShape::NUMBER].into_iter());
    assert_eq!((neuron.size(), neuron.lengths()), (3, None));
    assert_eq!(neuron.path(1), [0, 1]);
    assert_eq!(neuron.path(2), [1]);
    let layer = ListShape::list([&neuron, &neuron].into_iter());
    assert_eq!(layer.path(5), [1, 1]);
    assert_eq!(layer.item(1), Some((neuron, 3)));
}

#[test]
fn a_shape_that_grows_is_the_shape_of_its_items() {
    let row = |count| ListShape::rows(count, ListShape::NUMBER);
    let items = [
        row(0),
        row(0),
        row(2),
        ListShape::NUMBER,
        row(2),
        ListShape::rows(2, row(1)),
    ];
    let mut shape = row(0);
    for count in 1..=items.len() {
        shape.push(&items[count - 1]);
        assert_eq!(shape, ListShape::list(items[..count].iter()));
    }
    assert_eq!(
        (shape.size(), shape.depth(), shape.path(4)),
        (7, 3, vec![4, 1])
    );
    assert_eq!(ListShape::rows(2, row(0)).to_short(), "2 × 0");
}

#[test]
fn shapes_alike_are_equal() {
    let pair = || {
        let two = ListShape::rows(2, ListShape::NUMBER);
        ListShape::list([&two, &ListShape::NUMBER].into_iter())
    };
    assert_eq!(pair(), pair());
    let four = ListShape::rows(4, ListShape::NUMBER);
    assert_ne!(
        ListShape::rows(2, ListShape::rows(2, ListShape::NUMBER)),
        four
    );
    assert_eq!(ListShape::list([ListShape::NUMBER; 4].iter()), four);
    assert_eq!(four.to_string(), "a list of 4");
    assert_eq!(
        ListShape::rows(2, four).to_string(),
        "a list of 2 lists of 4"
    );
}
