//! C programs.

pub mod beside;
pub mod input;
pub mod of_account;
pub mod of_replay;
pub mod property;
pub mod reproduction;
pub mod single;
pub mod task;
pub mod witness;
