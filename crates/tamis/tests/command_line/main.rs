//! The program as its users meet it: arguments, files, limits, output and exit codes.

mod examples;
mod input;
mod limits;
mod support;
mod usage;
