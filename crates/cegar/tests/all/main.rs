//! The loop and the searches beside it, as one program: the loop is generic, and each test program that uses it compiles it again.

mod edge_query;
mod explicit;
mod generate;
mod judged_designs;
mod many_rounds;
mod paper_examples;
mod plain_automaton;
mod random_designs;
mod random_programs;
mod transition;
mod transition_systems;
mod traps;
