//! The program as its users meet it: arguments, files, limits, output and exit codes.

mod examples;
mod input;
mod limits;
mod properties;
mod support;
mod tasks;
mod told;
mod unknowns;
mod usage;
