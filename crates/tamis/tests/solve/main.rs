//! `tamis solve` as its users meet it: scripts and their answers, bad input, limits, other solvers.

mod external;
mod malformed;
mod scripts;
mod seed;
mod status;
#[allow(dead_code)]
#[path = "../command_line/support.rs"]
mod support;
