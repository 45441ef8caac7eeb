//! The program as its users meet it: arguments, files, limits, output and exit codes.

mod documents;
mod examples;
mod input;
mod limits;
mod manners;
mod properties;
mod report;
mod schema;
mod support;
mod tasks;
mod told;
mod unknowns;
mod usage;
