//! What makes code easy to read, checked on the syntax tree of `src/` and `crates/`: how large a tuple and a closure may
//! be, and how functions and booleans are named.

use std::collections::BTreeSet;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprClosure, Field, File, FnArg, Ident, ImplItemFn, ItemFn, ItemMod, Pat,
    PatType, ReturnType, Signature, TraitItemFn, Type, TypeTuple,
};

use crate::common::project::{Source, sources};

/// A tuple of this many parts is a struct: its parts need names.
const TUPLE_PARTS: usize = 3;

/// A longer closure is a function with a name.
const CLOSURE_LINES: usize = 6;

/// At most this many `let x = x.…` give a name another meaning.
const SHADOWS: usize = 100;

/// How the name of a boolean begins.
const BOOLEANS: &[&str] = &["is", "has", "can", "must", "shows"];

/// Endings of participles. One alone says neither what a function does nor what it returns.
const PARTICIPLE_ENDINGS: &[&str] = &["ed", "en", "wn", "ught"];

/// Participles with other endings.
const IRREGULAR: &[&str] = &["found", "held", "kept", "made", "said", "sent", "told"];

/// Verbs and nouns that end like participles.
const NO_PARTICIPLES: &[&str] = &[
    "embed", "feed", "between", "len", "need", "open", "screen", "seed", "shorten", "speed",
    "then", "token", "widen",
];

/// What a file breaks, each with its line.
struct Finder<'s> {
    path: &'s str,
    found: Vec<String>,
    shadows: Vec<String>,
}

impl Finder<'_> {
    fn report(&mut self, at: &impl Spanned, what: &str) {
        let line = at.span().start().line;
        self.found.push(format!("{}:{line}: {what}", self.path));
    }

    fn check_type(&mut self, of: &str, its_type: &Type) {
        let mut tuples = Tuples::default();
        tuples.visit_type(its_type);
        if tuples.largest >= TUPLE_PARTS {
            let what = format!("{of} has a tuple of {} parts", tuples.largest);
            self.report(its_type, &what);
        }
    }

    fn check_boolean(&mut self, name: &Ident, its_type: &Type) {
        if is_bool(its_type) && !begins_as_boolean(&name.to_string()) {
            self.report(name, &format!("`{name}` is a boolean"));
        }
    }

    fn check_function(&mut self, signature: &Signature) {
        let name = signature.ident.to_string();
        if is_participle(&name) {
            let what = format!("`{name}` is no verb and not what it returns");
            self.report(&signature.ident, &what);
        }
        for input in &signature.inputs {
            let FnArg::Typed(PatType { pat, ty, .. }) = input else {
                continue;
            };
            self.check_type(&format!("a parameter of `{name}`"), ty);
            if let Pat::Ident(parameter) = &**pat {
                self.check_boolean(&parameter.ident, ty);
            }
        }
        if let ReturnType::Type(_, returned) = &signature.output {
            self.check_type(&format!("what `{name}` returns"), returned);
        }
    }
}

/// The largest tuple of a type. Parameters of functions within it have no names either way.
#[derive(Default)]
struct Tuples {
    largest: usize,
}

impl<'ast> Visit<'ast> for Tuples {
    fn visit_type_tuple(&mut self, tuple: &'ast TypeTuple) {
        self.largest = self.largest.max(tuple.elems.len());
        visit::visit_type_tuple(self, tuple);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if !is_for_tests(&function.attrs) {
            self.check_function(&function.sig);
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            self.check_function(&function.sig);
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        self.check_function(&function.sig);
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_field(&mut self, field: &'ast Field) {
        self.check_type("a field", &field.ty);
        // The name of an option of the command line is what people type.
        let is_option = field.attrs.iter().any(|it| it.path().is_ident("arg"));
        if let Some(name) = field.ident.as_ref().filter(|_| !is_option) {
            self.check_boolean(name, &field.ty);
        }
        visit::visit_field(self, field);
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        let span = closure.span();
        let lines = span.end().line - span.start().line + 1;
        if lines > CLOSURE_LINES {
            self.report(closure, &format!("a closure of {lines} lines"));
        }
        visit::visit_expr_closure(self, closure);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && init.diverge.is_none()
            && is_receiver(&name.ident, &init.expr)
        {
            let line = name.span().start().line;
            self.shadows
                .push(format!("{}:{line}: `{}`", self.path, name.ident));
        }
        visit::visit_local(self, local);
    }
}

/// Whether an expression is a variable, or what its methods and fields make of it.
fn is_receiver(name: &Ident, expression: &Expr) -> bool {
    match expression {
        Expr::Path(path) => path.path.is_ident(name),
        Expr::MethodCall(call) => is_receiver(name, &call.receiver),
        Expr::Field(field) => is_receiver(name, &field.base),
        Expr::Try(tried) => is_receiver(name, &tried.expr),
        Expr::Index(index) => is_receiver(name, &index.expr),
        Expr::Reference(reference) => is_receiver(name, &reference.expr),
        Expr::Unary(unary) => is_receiver(name, &unary.expr),
        _ => false,
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute
                    .parse_args::<syn::Path>()
                    .is_ok_and(|path| path.is_ident("test"))
    })
}

fn is_bool(its_type: &Type) -> bool {
    matches!(its_type, Type::Path(path) if path.path.is_ident("bool"))
}

fn begins_as_boolean(name: &str) -> bool {
    let first = name
        .trim_start_matches('_')
        .split('_')
        .next()
        .unwrap_or_default();
    BOOLEANS.contains(&first)
}

fn is_participle(name: &str) -> bool {
    let has_ending = PARTICIPLE_ENDINGS
        .iter()
        .any(|ending| name.ends_with(ending));
    let is_word = !name.contains('_') && !NO_PARTICIPLES.contains(&name);
    is_word && (has_ending || IRREGULAR.contains(&name))
}

/// What the sources break, and where a name gets another meaning.
fn violations(sources: &[Source]) -> (Vec<String>, Vec<String>) {
    let mut found = Vec::new();
    let mut shadows = Vec::new();
    for source in sources.iter().filter(|it| !it.path.contains("/tests")) {
        let file: File = syn::parse_str(&source.text).expect("the compiler reads it");
        let mut finder = Finder {
            path: &source.path,
            found: Vec::new(),
            shadows: Vec::new(),
        };
        finder.visit_file(&file);
        found.append(&mut finder.found);
        shadows.append(&mut finder.shadows);
    }
    (found, shadows)
}

#[test]
fn tuples_closures_and_names_are_easy_to_read() {
    let (found, _) = violations(&sources());
    let count = found.len();
    assert!(found.is_empty(), "{count}:\n{}\n", found.join("\n"));
}

#[test]
fn names_keep_their_meaning() {
    let (_, shadows) = violations(&sources());
    let count = shadows.len();
    assert!(count <= SHADOWS, "{count}:\n{}\n", shadows.join("\n"));
}

#[test]
fn violations_are_found() {
    let text = "
        struct Item { found: bool, parts: Vec<(u8, u8, u8)> }
        fn shown(given: bool, pair: (u8, u8)) -> Option<(u8, u8, u8)> {
            let name = name.trim();
            let long = || {
                1;
                2;
                3;
                4;
                5
            };
        }
        fn feed(is_given: bool) {}
        #[cfg(test)]
        mod tests { fn made(found: bool) {} }
    ";
    let source = Source {
        path: "a.rs".to_string(),
        text: text.to_string(),
    };
    let (found, shadows) = violations(&[source]);
    let expected = [
        "a.rs:2: `found` is a boolean",
        "a.rs:2: a field has a tuple of 3 parts",
        "a.rs:3: `given` is a boolean",
        "a.rs:3: `shown` is no verb and not what it returns",
        "a.rs:3: what `shown` returns has a tuple of 3 parts",
        "a.rs:5: a closure of 7 lines",
    ];
    let sorted: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(sorted, BTreeSet::from(expected));
    assert_eq!(shadows, ["a.rs:4: `name`"]);
}
