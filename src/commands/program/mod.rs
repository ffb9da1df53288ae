//! Commands about the session as a whole: files, lessons, settings, time and quitting.

pub(crate) mod config;
pub(crate) mod data;
pub(crate) mod play;
pub(crate) mod quit;
pub(crate) mod save;
pub(crate) mod time;
