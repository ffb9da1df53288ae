//! The functions of the calculator: those of the user, the library, and the operations of operators.

mod built_in;
mod defined;
mod function;
mod library;

pub(crate) use self::built_in::operation;
pub use self::built_in::{Callee, is_built_in, primed_name};
pub use self::defined::Functions;
pub use self::function::{Act, AnyValue, Function, Instruction, OwnFunction};
pub(crate) use self::function::{Branches, Code, Slot, Variable, function_error};
pub(crate) use self::library::Work;
pub use self::library::{GRAD, LIBRARY, LibraryFunction, NUMPY_NAMES, is_python_name, native_name};
