//! Invariants about all elements of arrays: what is accepted, and that nothing false is.

use tamis_evidence::{Certificate, Rejection, certify, conditions, decide, tidy};
use tamis_logic::{Sort, Term, Terms};
use tamis_program::{Builder, Command, Event, Havoc, Location, Program, Var};
use tamis_solver::Budget;

/// A loop that stores 7 at the first `n` of 256 places, and then a read at some place below `n`, which must give 7. The places
/// are the multiples of `stride`.
struct Fill {
    program: Program,
    head: Location,
    i: Var,
    n: Var,
    a: Var,
    stride: u128,
}

fn fill(terms: &mut Terms, stride: u128) -> Fill {
    let memory = terms.array_sort(Sort::BitVec(8), Sort::BitVec(8));
    let mut b = Builder::new();
    let [i, n, x] = ["i", "n", "x"].map(|name| b.variable(terms, name, Sort::BitVec(8), None));
    let a = b.variable(terms, "a", memory, None);
    let [start, from, head, body, next, after, read, error] = [(); 8].map(|()| b.location(None));
    let [zero, one, seven, stride_term] = [0, 1, 7, stride].map(|value| terms.bits(8, value));
    let (i_term, n_term, x_term, a_term) = (b.term(i), b.term(n), b.term(x), b.term(a));
    let more = terms.ult(i_term, n_term);
    let (at_i, at_x) = (terms.mul(i_term, stride_term), terms.mul(x_term, stride_term));
    let element = terms.select(a_term, at_x);
    for (from, to, command) in [
        (start, from, Command::Havoc(n, Havoc::Input("n".into()))),
        (from, head, Command::Assign(i, zero)),
        (head, body, Command::Assume(more)),
        (body, next, Command::Assign(a, terms.store(a_term, at_i, seven))),
        (next, head, Command::Assign(i, terms.add(i_term, one))),
        (head, after, Command::Assume(terms.not(more))),
        (after, read, Command::Havoc(x, Havoc::Input("x".into()))),
        (
            read,
            error,
            Command::Assume({
                let (below, differs) = (terms.ult(x_term, n_term), terms.ne(element, seven));
                terms.and2(below, differs)
            }),
        ),
    ] {
        b.edge(from, to, command, None, Event::Step);
    }
    Fill { program: b.finish(start, error), head, i, n, a, stride }
}

impl Fill {
    /// That the elements at multiples of the stride are `value`, of all indices for which `range` holds, with `j` for the index.
    fn all(&self, terms: &mut Terms, j: Term, range: Term, value: u128) -> Term {
        let (stride, value) = (terms.bits(8, self.stride), terms.bits(8, value));
        let at_j = terms.mul(j, stride);
        let element = terms.select(self.program.term(self.a), at_j);
        let is_value = terms.eq(element, value);
        terms.implies(range, is_value)
    }

    fn judged(&self, terms: &mut Terms, invariants: &[Term]) -> Result<(), Rejection> {
        let invariant = terms.and(invariants);
        let proof = Certificate { invariants: vec![(self.head, invariant)] };
        certify(terms, &self.program, &proof, &Budget::unlimited())
    }
}

#[test]
fn what_holds_of_all_elements_is_a_proof() {
    for stride in [1, 3] {
        let mut terms = Terms::new();
        let fill = fill(&mut terms, stride);
        let (j, i, n) = (terms.index_variable(0, 8), fill.program.term(fill.i), fill.program.term(fill.n));
        let below = terms.ult(j, i);
        let all = fill.all(&mut terms, j, below, 7);
        let bound = terms.ule(i, n);
        assert_eq!(fill.judged(&mut terms, &[all, bound]), Ok(()), "stride {stride}");
        // The conditions have no quantifiers, and the fact about `i` is not needed.
        let proof = Certificate { invariants: vec![(fill.head, terms.and2(all, bound))] };
        let budget = Budget::unlimited();
        let made = conditions(&mut terms, &fill.program, &proof).expect("the loop is cut");
        assert_eq!(decide(&terms, &made, &budget), Ok(None));
        assert!(made.iter().all(|c| !c.script(&terms, &fill.program).contains("forall")));
        let tidied = tidy(&mut terms, &fill.program, &proof, &budget).expect("no limit").expect("inductive");
        assert_eq!(tidied.invariants, [(fill.head, all)]);
    }
}

#[test]
fn what_does_not_hold_of_all_elements_is_refused() {
    let mut terms = Terms::new();
    // Multiples of 2 meet again after half of the values of an index.
    for (stride, value, range) in
        [(1, 7, "up to"), (1, 8, "below"), (1, 7, "after"), (1, 7, "all"), (2, 6, "below")]
    {
        let fill = fill(&mut terms, stride);
        let (j, i) = (terms.index_variable(0, 8), fill.program.term(fill.i));
        let range_term = match range {
            "up to" => terms.ule(j, i),
            "below" => terms.ult(j, i),
            "after" => {
                let one = terms.bits(8, 1);
                let next = terms.add(i, one);
                terms.ult(j, next)
            }
            _ => terms.tru(),
        };
        let claim = fill.all(&mut terms, j, range_term, value);
        let refused = fill.judged(&mut terms, &[claim]);
        assert!(refused.is_err(), "stride {stride}, {value}, {range}: {refused:?}");
    }
}

/// A variable that an invariant is meant for all values of must not be one that something else says something of, whatever
/// it is called.
#[test]
fn names_do_not_matter() {
    // The names that conditions give to what is chosen, made before them and after.
    for name in ["j%8", "x@0", "x!0", "x@0!0", "x@0!1", "n@0!0", "choice@0!2", "j%8!0", "j%8!1", "any"] {
        for early in [true, false] {
            let mut terms = Terms::new();
            let named = early.then(|| terms.var_at(name, Sort::BitVec(8)));
            let fill = fill(&mut terms, 1);
            let j = named.unwrap_or_else(|| terms.var_at(name, Sort::BitVec(8)));
            let i = fill.program.term(fill.i);
            let below = terms.ult(j, i);
            let right = fill.all(&mut terms, j, below, 7);
            assert_eq!(fill.judged(&mut terms, &[right]), Ok(()), "{name}");
            // Of one element it does not follow for all.
            let (nine, zero) = (terms.bits(8, 9), terms.bits(8, 0));
            let is_nine = terms.eq(j, nine);
            let only_nine = terms.and2(below, is_nine);
            for range in [is_nine, only_nine] {
                let claim = fill.all(&mut terms, j, range, 7);
                assert!(fill.judged(&mut terms, &[claim]).is_err(), "{name}");
            }
            // That no variable has a value but 0 is false, and excludes everything.
            let is_zero = terms.eq(j, zero);
            assert!(fill.judged(&mut terms, &[is_zero]).is_err(), "{name}");
            let error =
                Certificate { invariants: vec![(fill.program.entry(), is_zero), (fill.head, terms.fals())] };
            let refused = certify(&mut terms, &fill.program, &error, &Budget::unlimited());
            assert_eq!(refused, Err(Rejection::Initiation), "{name}");
        }
    }
}
