//! The names that functions have in Python and its modules, where the calculator calls them otherwise.

/// Functions that the calculator calls otherwise.
const RENAMED: [(&str, &str); 19] = [
    ("fabs", "abs"),
    ("absolute", "abs"),
    ("maximum", "max"),
    ("amax", "max"),
    ("minimum", "min"),
    ("amin", "min"),
    ("log", "ln"),
    ("arctan", "atan"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan2", "atan2"),
    ("arcsinh", "asinh"),
    ("arccosh", "acosh"),
    ("arctanh", "atanh"),
    ("clip", "clamp"),
    ("power", "pow"),
    ("comb", "nCr"),
    ("average", "mean"),
    ("avg", "mean"),
];

/// The calculator's name for a function of Python.
pub fn native_name(name: &str) -> &str {
    let row = RENAMED.iter().find(|(known, _)| *known == name);
    row.map_or(name, |(_, native)| native)
}

/// Whether it is a member of a module that has no function of its name or of another here.
pub fn is_python_name(name: &str) -> bool {
    let names = [
        "array",
        "asarray",
        "tensor",
        "Tensor",
        "where",
        "factorial",
        "tau",
    ];
    names.contains(&name)
}
