//! The session of a page as a WebAssembly module: a plain C interface for the script of the page.
//!
//! The page asks for space with [`room`], writes a text there, and passes the address to a call. The call frees the space
//! and returns the address of its answer, and [`length`] returns the length of the answer. [`chainrule::shell::page`]
//! describes the answers.

#![allow(
    unsafe_code,
    reason = "texts go through the memory that the module shares with the page"
)]

use std::cell::RefCell;

use chainrule::shell::page::{Browser, Page};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// The milliseconds since some fixed moment.
    safe fn now() -> f64;
    /// Shows how far work has come.
    fn progress(text: *const u8, length: usize);
    /// Keeps the `:set` statement that gives the leaves their present values.
    fn reached(text: *const u8, length: usize);
}

// SAFETY: the page copies the text before it returns. It does not call back into the module, where `STATE` is borrowed.
const BROWSER: Browser = Browser {
    now: || now(),
    progress: |text| unsafe { progress(text.as_ptr(), text.len()) },
    keep_leaves: |text| unsafe { reached(text.as_ptr(), text.len()) },
};

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State {
        page: Page::new(BROWSER),
        answer: Vec::new(),
    });
}

struct State {
    page: Page,
    answer: Vec<u8>,
}

/// Allocates space for a text, which the next call frees.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut bytes = vec![0; length].into_boxed_slice();
    let begin = bytes.as_mut_ptr();
    std::mem::forget(bytes);
    begin
}

/// The length of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    STATE.with_borrow(|state| state.answer.len())
}

/// Takes the bytes that the page has written to [`room`].
fn take_bytes(begin: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the worker of the page is the only caller. It passes the address and the length of a call of `room`, and
    // passes each of them once.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(begin, length)) }.into_vec()
}

/// Computes an answer and returns its address, which is valid until the next answer.
fn write_answer(answer: impl FnOnce(&mut Page) -> Vec<u8>) -> *const u8 {
    STATE.with_borrow_mut(|state| {
        state.answer = answer(&mut state.page);
        state.answer.as_ptr()
    })
}

/// Answers a text that the page has written to [`room`].
fn answer_text(
    begin: *mut u8,
    length: usize,
    answer: impl FnOnce(&mut Page, &str) -> String,
) -> *const u8 {
    let bytes = take_bytes(begin, length);
    write_answer(|page| answer(page, &String::from_utf8_lossy(&bytes)).into_bytes())
}

/// The style sheet of the answers.
#[unsafe(no_mangle)]
pub extern "C" fn style() -> *const u8 {
    write_answer(|_| Page::style().into_bytes())
}

/// Runs an entry. Unless the entry `is_whole`, it is not run if it may go on in another line.
#[unsafe(no_mangle)]
pub extern "C" fn enter(begin: *mut u8, length: usize, is_whole: bool) -> *const u8 {
    answer_text(begin, length, |page, text| page.enter(text, is_whole))
}

/// Sets the width of pictures in pixels.
#[unsafe(no_mangle)]
pub extern "C" fn set_width(pixels: usize) {
    STATE.with_borrow_mut(|state| state.page.set_width(pixels));
}

/// Runs the statements that bring back an earlier session.
#[unsafe(no_mangle)]
pub extern "C" fn restore(begin: *mut u8, length: usize) -> *const u8 {
    answer_text(begin, length, Page::restore)
}

/// Goes on with a lesson of an earlier session.
#[unsafe(no_mangle)]
pub extern "C" fn resume(begin: *mut u8, length: usize) -> *const u8 {
    answer_text(begin, length, Page::resume)
}

/// A worksheet: the first line is its title, and the others are statements.
#[unsafe(no_mangle)]
pub extern "C" fn worksheet(begin: *mut u8, length: usize) -> *const u8 {
    answer_text(begin, length, |page, words| {
        let (title, statements) = words.split_once('\n').unwrap_or_default();
        page.worksheet(title, statements)
    })
}

/// A page of its own: the first line is its title, and the others are answers.
#[unsafe(no_mangle)]
pub extern "C" fn document(begin: *mut u8, length: usize) -> *const u8 {
    answer_text(begin, length, |_, words| {
        let (title, answers) = words.split_once('\n').unwrap_or_default();
        Page::document(title, answers)
    })
}

/// Paints the line as it looks while it is typed. A live result that takes too long traps.
#[unsafe(no_mangle)]
pub extern "C" fn look(begin: *mut u8, length: usize, cursor: usize, is_hinted: bool) -> *const u8 {
    answer_text(begin, length, |page, line| {
        page.look(line, cursor, is_hinted)
    })
}

/// Answers an entry with the present numbers of the leaves, after the leaf with the name in the text has moved.
#[unsafe(no_mangle)]
pub extern "C" fn again(begin: *mut u8, length: usize, entry: usize) -> *const u8 {
    answer_text(begin, length, |page, leaf| page.answer_now(entry, leaf))
}

/// Answers an entry as if these leaves were set. The axis of a curve goes from `low` to `high`, unless these are NaN.
#[unsafe(no_mangle)]
pub extern "C" fn try_out(
    begin: *mut u8,
    length: usize,
    entry: usize,
    low: f64,
    high: f64,
) -> *const u8 {
    let axis = (!low.is_nan()).then_some((low, high));
    answer_text(begin, length, |page, settings| {
        page.try_out(entry, settings, axis)
    })
}

/// Notes an entry of an earlier session, so that it is answered again. `counted` results came before the entry, and
/// `is_of_before` says that its answer was outdated.
#[unsafe(no_mangle)]
pub extern "C" fn renew(
    begin: *mut u8,
    length: usize,
    counted: usize,
    is_of_before: bool,
    is_of_lesson: bool,
) -> *const u8 {
    answer_text(begin, length, |page, words| {
        page.renew(words, counted as u64, is_of_before, is_of_lesson)
    })
}

/// The completions at the cursor.
#[unsafe(no_mangle)]
pub extern "C" fn complete(begin: *mut u8, length: usize, cursor: usize) -> *const u8 {
    answer_text(begin, length, |page, line| page.complete(line, cursor))
}

/// Takes a file: its name, of `name_length` bytes, and then its contents.
#[unsafe(no_mangle)]
pub extern "C" fn put(begin: *mut u8, length: usize, name_length: usize) {
    let mut bytes = take_bytes(begin, length);
    let contents = bytes.split_off(name_length.min(length));
    STATE.with_borrow_mut(|state| state.page.put(&String::from_utf8_lossy(&bytes), contents));
}

/// The contents of a file that a statement has written.
#[unsafe(no_mangle)]
pub extern "C" fn file(begin: *mut u8, length: usize) -> *const u8 {
    let name = take_bytes(begin, length);
    write_answer(|page| page.file(&String::from_utf8_lossy(&name)))
}
