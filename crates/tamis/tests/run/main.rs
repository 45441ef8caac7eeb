//! `tamis run`, against the system's compiler and against what C says.

#[path = "../command_line/support.rs"]
#[expect(dead_code, reason = "these tests look at stderr themselves")]
mod support;

mod command;
mod compiled;
mod determined;
mod orders;
mod random;
mod types;
mod undefined;
