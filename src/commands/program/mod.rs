//! Commands about the session as a whole: files, lessons, settings and quitting.

pub(crate) mod config;
pub(crate) mod data;
pub(crate) mod play;
pub(crate) mod quit;
pub(crate) mod save;
