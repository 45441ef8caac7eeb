//! Functions that mean something without a definition, by their names.

/// The property is violated if the first argument is 0. Some verifiers have such a function built in, under their own
/// names; programs that were written for them call it without a definition.
pub const ASSERTIONS: [&str; 6] = [
    "assert",
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__CPROVER_precondition",
    "__CPROVER_postcondition",
    "__ESBMC_assert",
];

/// The execution goes on only if the first argument is not 0.
pub const ASSUMPTIONS: [&str; 3] = ["__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume"];

/// What changes nothing: marks that other threads do not run in between, of which there are none; goals of coverage;
/// what is shown in traces.
pub const IDLE: [&str; 10] = [
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__CPROVER_atomic_begin",
    "__CPROVER_atomic_end",
    "__CPROVER_fence",
    "__CPROVER_cover",
    "__CPROVER_input",
    "__CPROVER_output",
    "__CPROVER_printf",
    "__CPROVER_initialize",
];

/// What the names of functions begin with that give inputs.
pub const INPUT: &str = "__VERIFIER_nondet_";

/// Likewise, where the program does not define the function.
pub const UNDEFINED_INPUT: &str = "nondet_";

/// Whether an undefined function of this name gives inputs.
pub fn is_input(name: &str) -> bool {
    name.starts_with(INPUT) || name.starts_with(UNDEFINED_INPUT)
}

/// What the names of functions begin with that tell whether their argument is the object that a specification is about,
/// which the environment chooses. They are inputs too: 1 for one object and no other. No program calls them: what is woven
/// into it does.
pub const OBJECT: &str = "__VERIFIER_nondet_object_of_";

/// What the names of functions begin with that give a value which C, or gcc, leaves open: a proof is for all its values,
/// and a violation must not depend on it. No program calls them: the front end does.
pub const UNSPECIFIED: &str = "__VERIFIER_unspecified_";

/// What the names of functions begin with of which nothing is known but that equal arguments give equal results.
pub const UNINTERPRETED: &str = "__CPROVER_uninterpreted_";

/// Functions that ask or say something about memory, or make it arbitrary.
const MEMORY: [&str; 15] = [
    APART,
    "__CPROVER_r_ok",
    "__CPROVER_w_ok",
    "__CPROVER_rw_ok",
    "__CPROVER_LIVE_OBJECT",
    "__CPROVER_WRITEABLE_OBJECT",
    "__CPROVER_POINTER_OBJECT",
    "__CPROVER_OBJECT_SIZE",
    "__CPROVER_POINTER_OFFSET",
    "__CPROVER_same_object",
    "__CPROVER_DYNAMIC_OBJECT",
    "__CPROVER_havoc_slice",
    "__CPROVER_havoc_object",
    ENTER_CONTRACT,
    "__VERIFIER_new_in_contract",
];

/// Says that two pieces of memory of a size do not overlap, which a function of the C library wants. No program calls it: the texts
/// of the C library do.
pub const APART: &str = "__VERIFIER_apart";

/// Marks, with the number of a function, that objects from now on are new in it.
pub const ENTER_CONTRACT: &str = "__VERIFIER_enter_contract";

/// What the names of functions begin with that give a value which is not modelled. No program calls them: the texts of the
/// C library do.
pub const APPROXIMATED: &str = "__VERIFIER_approximated_";

/// The input that says of each allocation whether it fails, where that is asked for.
pub const MALLOC_FAILS: &str = "malloc_fails";

/// The input that says how far an object is from where the automaton has it, where addresses are looked at.
pub const SHIFT: &str = "place_of_an_object";

/// The prefixes of names that are verifiers' own.
const VERIFIERS: [&str; 3] = ["__VERIFIER_", "__CPROVER_", "__ESBMC_"];

/// What the names of CBMC's functions begin with.
pub const CPROVER: &str = "__CPROVER_";

/// Whether an undefined function of this name is one that a verifier has built in, and that is not known here. What it
/// does to an execution cannot be guessed: it may be an assertion.
pub fn is_unknown_to_us(name: &str) -> bool {
    let known = || {
        [&ASSERTIONS[..], &ASSUMPTIONS, &IDLE].concat().contains(&name)
            || name == "__VERIFIER_error"
            || name.starts_with(INPUT)
            || name.starts_with(UNINTERPRETED)
            || MEMORY.contains(&name)
            || name.starts_with(UNSPECIFIED)
            || name.starts_with(APPROXIMATED)
    };
    VERIFIERS.iter().any(|prefix| name.starts_with(prefix)) && !known()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_verifiers() {
        for known in
            ["__VERIFIER_nondet_int", "__CPROVER_assert", "__VERIFIER_error", "assert", "f", "nondet_int"]
        {
            assert!(!is_unknown_to_us(known), "{known}");
        }
        for unknown in ["__CPROVER_forget", "__ESBMC_same_object", "__VERIFIER_ensure"] {
            assert!(is_unknown_to_us(unknown), "{unknown}");
        }
    }
}
