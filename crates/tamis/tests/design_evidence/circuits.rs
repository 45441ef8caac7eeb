//! Witness circuits against the conditions that Certifaiger and Cerbtora check, made here from the two files alone.

use crate::{Folder, explore, random, small};
use tamis_design::Design;
use tamis_front_rtl::{aiger, btor2};
use tamis_logic::{Substitution, Term, Terms};
use tamis_solver::{Answer, Budget, Solver};
use tamis_testing::Random;

/// One of two designs at one of two times: the values of its words.
type Values = Substitution;

/// What holds of a design at a time.
struct Side<'a> {
    design: &'a Design,
    /// The words that are shared: of registers, so many.
    shared: usize,
}

impl Side<'_> {
    fn all(terms: &mut Terms, formulas: impl Iterator<Item = Term>, at: &Values) -> Term {
        let formulas: Vec<Term> = formulas.collect();
        let formulas = terms.substitute_all(&formulas, at);
        terms.and(&formulas)
    }

    fn constraints(&self, terms: &mut Terms, at: &Values) -> Term {
        Side::all(terms, self.design.constraints.iter().map(|c| c.term), at)
    }

    fn good(&self, terms: &mut Terms, at: &Values) -> Term {
        let fine: Vec<Term> = self.design.properties.iter().map(|p| terms.not(p.term)).collect();
        Side::all(terms, fine.into_iter(), at)
    }

    /// That so many registers have their first values.
    fn reset(&self, terms: &mut Terms, registers: usize, at: &Values) -> Term {
        let first = self.design.registers.iter().take(registers);
        let equal: Vec<Term> =
            first.filter_map(|r| r.init.map(|init| terms.eq(r.signal.term, init))).collect();
        Side::all(terms, equal.into_iter(), at)
    }

    /// That so many registers have their next values.
    fn transition(&self, terms: &mut Terms, registers: usize, from: &Values, to: &Values) -> Term {
        let mut equal = Vec::new();
        for register in self.design.registers.iter().take(registers) {
            let Some(next) = register.next else { continue };
            let value = terms.substitute(next, from);
            let then = terms.substitute(register.signal.term, to);
            equal.push(terms.eq(then, value));
        }
        terms.and(&equal)
    }
}

/// The condition of a witness circuit that does not hold, if there is one. The first inputs and registers of the circuit are
/// those of the model.
pub fn failing(terms: &mut Terms, model: &Design, circuit: &Design) -> Option<&'static str> {
    let (m, w) = (
        Side { design: model, shared: model.registers.len() },
        Side { design: circuit, shared: model.registers.len() },
    );
    let mut times = Vec::new();
    for _ in 0..2 {
        let (mut of_model, mut of_circuit) = (Values::new(), Values::new());
        let copy = |terms: &mut Terms, word: Term| terms.fresh("w", terms.sort(word));
        for input in &model.inputs {
            let word = copy(terms, input.term);
            of_model.insert(input.term, word);
        }
        for register in model.state() {
            let word = copy(terms, register);
            of_model.insert(register, word);
        }
        let inputs = circuit.inputs.iter().map(|i| i.term).zip(model.inputs.iter().map(|i| i.term));
        let shared: Vec<(Term, Term)> = inputs.chain(circuit.state().zip(model.state())).collect();
        for &(own, other) in &shared {
            of_circuit.insert(own, of_model.get(other).expect("a copy"));
        }
        for signal in circuit.signals().filter(|s| !shared.iter().any(|(own, _)| *own == s.term)) {
            let word = copy(terms, signal.term);
            of_circuit.insert(signal.term, word);
        }
        times.push((of_model, of_circuit));
    }
    let [(m0, w0), (m1, w1)] = &times[..] else { unreachable!("two times") };
    let (cm0, cm1) = (m.constraints(terms, m0), m.constraints(terms, m1));
    let (cw0, cw1) = (w.constraints(terms, w0), w.constraints(terms, w1));
    let (pw0, pw1) = (w.good(terms, w0), w.good(terms, w1));
    let all = circuit.registers.len();
    let cases = [
        ("reset", vec![m.reset(terms, m.shared, m0), cm0], vec![w.reset(terms, w.shared, w0), cw0]),
        (
            "transition",
            vec![m.transition(terms, m.shared, m0, m1), cm0, cm1, cw0],
            vec![w.transition(terms, w.shared, w0, w1), cw1],
        ),
        ("property", vec![cm0, cw0, pw0], vec![m.good(terms, m0)]),
        ("base", vec![w.reset(terms, all, w0), cw0], vec![pw0]),
        ("step", vec![w.transition(terms, all, w0, w1), cw0, cw1, pw0], vec![pw1]),
    ];
    for (name, before, after) in cases {
        let after = terms.and(&after);
        let not = terms.not(after);
        let mut solver = Solver::new(&Budget::unlimited());
        before.into_iter().chain([not]).for_each(|formula| solver.assert(terms, formula));
        if solver.check(terms, &[]).expect("no limit") != Answer::Unsat {
            return Some(name);
        }
    }
    None
}

/// The presets that prove by an invariant, by induction and by either.
const PRESETS: [&str; 3] = ["ic3", "k-induction", "hardware"];

#[test]
fn circuits_of_aiger_simulate_and_are_inductive() {
    let folder = Folder::new("aiger-circuits");
    let (mut written, mut proofs) = ([0; 3], [0; 3]);
    for seed in 0..140 {
        let text = small::circuit(seed, false);
        let mut terms = Terms::new();
        let model = aiger::read(&mut terms, "model.aag", text.as_bytes()).expect("AIGER").design;
        if explore::violations(&terms, &model)[0].is_some() {
            continue;
        }
        folder.write("model.aag", &text);
        let which = seed as usize % 3;
        let file = if seed % 2 == 0 { "circuit.aag" } else { "circuit.aig" };
        let _ = std::fs::remove_file(folder.0.join(file));
        let arguments = ["check", "model.aag", "--preset", PRESETS[which], "--witness", file];
        assert_eq!(folder.verdict(&arguments), "true", "circuit {seed}\n{text}");
        proofs[which] += 1;
        let Some(bytes) = folder.read(file) else { continue };
        let circuit = aiger::read(&mut terms, file, &bytes).expect("AIGER").design;
        assert_eq!(failing(&mut terms, &model, &circuit), None, "circuit {seed}\n{text}");
        written[which] += 1;
    }
    assert_eq!(written, proofs, "all proofs have a circuit");
    assert!(written.iter().all(|&n| n > 5), "only {written:?} witness circuits");
}

#[test]
fn circuits_of_btor2_simulate_and_are_inductive() {
    let folder = Folder::new("btor2-circuits");
    let mut written = [0; 3];
    for seed in 3000..3080 {
        let mut terms = Terms::new();
        let size = random::Size { state: 6, inputs: 2 };
        let mut design = random::design(&mut Random::new(seed), &mut terms, &size);
        design.properties.truncate(1);
        let Ok(text) = btor2::write(&terms, &design) else { continue };
        if explore::violations(&terms, &design)[0].is_some() {
            continue;
        }
        folder.write("model.btor2", &text);
        let which = seed as usize % 3;
        let _ = std::fs::remove_file(folder.0.join("circuit.btor2"));
        let arguments = ["check", "model.btor2", "--preset", PRESETS[which], "--witness", "circuit.btor2"];
        let run = folder.tamis(&arguments);
        // What is not of bits, IC3 does not decide.
        if run.status.code() == Some(3) && which == 0 {
            continue;
        }
        assert_eq!(run.status.code(), Some(0), "design {seed}\n{text}");
        // A memory's first value cannot be compared with in BTOR2.
        let Some(bytes) = folder.read("circuit.btor2") else { continue };
        let mut terms = Terms::new();
        let model = btor2::read(&mut terms, "model", text.as_bytes()).expect("BTOR2").design;
        let circuit = btor2::read(&mut terms, "circuit", &bytes).expect("BTOR2").design;
        assert_eq!(failing(&mut terms, &model, &circuit), None, "design {seed}\n{text}");
        written[which] += 1;
    }
    assert!(written.iter().all(|&n| n > 5), "only {written:?} witness circuits");
}

/// A chain of registers is proved by induction over its length, and by nothing shorter.
const CHAIN: &str = "1 sort bitvec 1\n2 zero 1\n3 state 1 a\n4 init 1 3 2\n5 next 1 3 2\n6 state 1 b\n7 init 1 6 2\n\
    8 next 1 6 3\n9 state 1 c\n10 init 1 9 2\n11 next 1 9 6\n12 bad 9 set\n";

/// All executions end after three cycles, and a register that is never set would set another.
const ENDS: &str = "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 n\n5 init 1 4 3\n6 inc 1 4\n7 next 1 4 6\n\
    8 constd 1 3\n9 ult 2 4 8\n10 constraint 9\n11 zero 2\n12 state 2 a\n13 init 2 12 11\n14 next 2 12 12\n\
    15 state 2 b\n16 init 2 15 11\n17 next 2 15 12\n18 bad 15 set\n";

#[test]
fn induction_and_exhaustion_have_circuits() {
    let folder = Folder::new("windows");
    for (text, preset, more) in [(CHAIN, "k-induction", true), (ENDS, "bounded", true), (CHAIN, "ic3", false)]
    {
        folder.write("model.btor2", text);
        let arguments = ["check", "model.btor2", "--preset", preset, "--witness", "circuit.btor2"];
        assert_eq!(folder.verdict(&arguments), "true", "{preset}\n{text}");
        let mut terms = Terms::new();
        let model = btor2::read(&mut terms, "model", text.as_bytes()).expect("BTOR2").design;
        let circuit = btor2::read(&mut terms, "circuit", folder.text("circuit.btor2").as_bytes());
        let mut circuit = circuit.expect("BTOR2").design;
        // Only cycles that are remembered take more registers.
        assert_eq!(circuit.registers.len() > model.registers.len(), more, "{preset}\n{text}");
        assert_eq!(failing(&mut terms, &model, &circuit), None, "{preset}\n{text}");
        // Without what is remembered nothing is inductive.
        circuit.properties[0].term = model.properties[0].term;
        assert_eq!(failing(&mut terms, &model, &circuit), Some("step"), "{preset}\n{text}");
        // A circuit of another design does not simulate this one.
        circuit.registers[0].next = circuit.registers[0].init;
        circuit.registers[0].init = None;
        assert!(failing(&mut terms, &model, &circuit).is_some(), "{preset}\n{text}");
    }
}
