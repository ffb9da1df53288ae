//! The session of a page as a WebAssembly module: a plain C interface for the script of the page.
//!
//! The page asks for space with [`room`], writes a request there, and passes the address to [`ask`], which frees the space.
//! The answers go to the function `answer` of the page. [`chainrule::shell::page`] describes requests and answers. Files
//! are bytes, so [`put`] and [`file`] take and return them as they are.

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
    /// Takes an answer, or how far work has come.
    fn answer(text: *const u8, length: usize);
}

// SAFETY: the page copies the text before it returns. It does not call back into the module, where `STATE` is borrowed.
const BROWSER: Browser = Browser {
    now: || now(),
    answer: |text| unsafe { answer(text.as_ptr(), text.len()) },
};

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State {
        page: Page::new(BROWSER),
        file: Vec::new(),
    });
}

struct State {
    page: Page,
    /// The file that the page has asked for last.
    file: Vec<u8>,
}

/// Allocates space for a text, which the next call frees.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut bytes = vec![0; length].into_boxed_slice();
    let begin = bytes.as_mut_ptr();
    std::mem::forget(bytes);
    begin
}

/// Takes the bytes that the page has written to [`room`].
fn take_bytes(begin: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the worker of the page is the only caller. It passes the address and the length of a call of `room`, and
    // passes each of them once.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(begin, length)) }.into_vec()
}

/// Answers a request that the page has written to [`room`]. The answer goes to `answer`.
#[unsafe(no_mangle)]
pub extern "C" fn ask(begin: *mut u8, length: usize) {
    let request = take_bytes(begin, length);
    STATE.with_borrow_mut(|state| state.page.ask(&request));
}

/// Takes a file: its name, of `name_length` bytes, and then its contents.
#[unsafe(no_mangle)]
pub extern "C" fn put(begin: *mut u8, length: usize, name_length: usize) {
    let mut bytes = take_bytes(begin, length);
    let contents = bytes.split_off(name_length.min(length));
    STATE.with_borrow_mut(|state| state.page.put(&String::from_utf8_lossy(&bytes), contents));
}

/// The contents of a file that a statement has written. The address is valid until the next file.
#[unsafe(no_mangle)]
pub extern "C" fn file(begin: *mut u8, length: usize) -> *const u8 {
    let name = take_bytes(begin, length);
    STATE.with_borrow_mut(|state| {
        state.file = state.page.file(&String::from_utf8_lossy(&name));
        state.file.as_ptr()
    })
}

/// The length of the last file.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    STATE.with_borrow(|state| state.file.len())
}
