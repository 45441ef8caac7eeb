//! The three ways agree, and with the paper's running example.

use super::*;
use crate::explore::{Explicit, Exploration};
use crate::refine::generate::{Random, TinyProgram};
use crate::trace_check::{Blocks, Checked, Simulation, TraceCheck, WeakestPrecondition};
use crate::{Silent, Strategy};
use tamis_logic::Terms;
use tamis_program::{Builder, Command, Event, IntType, Program, ProgramSystem, Source, SummaryKind};
use tamis_solver::Budget;
use tamis_system::{BranchId, Branching, GuardId};

/// \[MIN\]'s running example, with another variable and a branch that has nothing to do with it.
fn running_example(terms: &mut Terms) -> Program {
    let mut b = Builder::new();
    let (file, main) = (b.file("f.c"), b.frame("main", None));
    let at = Source { file, line: 1, column: 1 };
    let int = IntType { bits: 32, signed: true };
    let [x, y, z] = ["x", "y", "z"].map(|name| b.variable(terms, name, int, None));
    let [l0, l1, l2, between, l3, l4] = std::array::from_fn(|_| b.location(main));
    let (one, equal) = (terms.bits(32, 1), terms.eq(b.term(x), b.term(y)));
    let (unequal, z_is_1) = (terms.not(equal), terms.eq(b.term(z), one));
    let z_is_not_1 = terms.not(z_is_1);
    b.edge(l0, l1, Command::Assign(x, one), at, Event::Step);
    b.edge(l1, between, Command::Assign(y, one), at, Event::Step);
    b.edge(between, l2, Command::Assume(z_is_1), at, Event::Branch(true));
    b.edge(between, l2, Command::Assume(z_is_not_1), at, Event::Branch(false));
    b.edge(l2, l3, Command::Assume(equal), at, Event::Branch(true));
    b.edge(l2, l4, Command::Assume(unequal), at, Event::Branch(false));
    b.finish(l0, l4)
}

#[test]
fn the_branch_of_the_running_example_eliminates_its_trace() {
    let mut terms = Terms::new();
    let program = running_example(&mut terms);
    let system = ProgramSystem::over(&terms, &program, SummaryKind::Sbe);
    let (budget, strategy, mut silent) = (Budget::unlimited(), Strategy::default(), Silent);
    let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
    let trace = Explicit::new(&run).explore(&mut run).unwrap().expect("nothing excludes L4 yet");
    let path = Path::new(&system, &trace);

    let mut pool = Pool::default();
    let mut candidate = |run: &mut Run<'_, _>, b| pool.branch(run.terms, &system, BranchId(b), 8);
    let (of_x, of_z) = (candidate(&mut run, 0), candidate(&mut run, 1));
    let of_xy =
        if system.branch_location(BranchId(0)) == program.edge(program.incoming(program.error())[0]).from {
            of_x
        } else {
            of_z
        };
    let other = of_x + of_z - of_xy;
    let (mut at_once, mut images) = (TraceAgreement::default(), TraceImages::default());
    let mut relations = TraceRelations::new(&pool, &BTreeSet::from([of_x, of_z]));
    let mut eliminates = |run: &mut Run<'_, _>, set: &[CandidateId]| {
        let set = set.iter().copied().collect();
        let answer = at_once.eliminates(run, &path, &pool, &set).unwrap();
        assert_eq!(images.eliminates(run, &path, &pool, &set).unwrap(), answer);
        assert_eq!(relations.eliminates(run, &path, &pool, &set).unwrap(), answer);
        answer
    };
    assert!(!eliminates(&mut run, &[]));
    assert!(!eliminates(&mut run, &[other]));
    assert!(eliminates(&mut run, &[of_xy]));
    assert!(eliminates(&mut run, &[of_xy, other]));
}

/// On paths of random programs, with random sets of branches.
#[test]
fn the_three_ways_agree() {
    let (mut eliminated, mut left) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let tiny = match seed % 3 {
            0 => TinyProgram::random(&mut random),
            1 => TinyProgram::looping(&mut random),
            _ => TinyProgram::with_memory(&mut random),
        };
        let mut terms = Terms::new();
        let program = tiny.build(&mut terms);
        let system = ProgramSystem::over(&terms, &program, SummaryKind::Sbe);
        let (budget, strategy, mut silent) = (Budget::unlimited(), Strategy::default(), Silent);
        let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
        let Some(trace) = Explicit::new(&run).explore(&mut run).unwrap() else { continue };
        let path = Path::new(&system, &trace);
        let mut pool = Pool::default();
        let ids: Vec<CandidateId> =
            (0..system.branches() as u32).map(|b| pool.branch(run.terms, &system, BranchId(b), 8)).collect();
        let (mut at_once, mut images) = (TraceAgreement::default(), TraceImages::default());
        let mut relations = TraceRelations::new(&pool, &ids.iter().copied().collect());
        for _ in 0..6 {
            let set: BTreeSet<CandidateId> = ids.iter().copied().filter(|_| random.coin()).collect();
            let answer = images.eliminates(&mut run, &path, &pool, &set).unwrap();
            assert_eq!(at_once.eliminates(&mut run, &path, &pool, &set).unwrap(), answer, "{tiny:#?}");
            assert_eq!(relations.eliminates(&mut run, &path, &pool, &set).unwrap(), answer, "{tiny:#?}");
            if answer { eliminated += 1 } else { left += 1 }
        }
    }
    assert!(eliminated > 100 && left > 100, "{eliminated} eliminated, {left} left");
}

#[test]
fn all_checks_refute_the_trace_and_simulation_names_the_guard() {
    let mut terms = Terms::new();
    let program = running_example(&mut terms);
    let system = ProgramSystem::over(&terms, &program, SummaryKind::Sbe);
    let (budget, strategy, mut silent) = (Budget::unlimited(), Strategy::default(), Silent);
    let mut run = Run::new(&mut terms, &system, &strategy, &budget, &mut silent);
    let trace = Explicit::new(&run).explore(&mut run).unwrap().expect("nothing excludes L4 yet");
    let last = trace.steps.len() - 1;
    let path = Path::new(&system, &trace);
    let mut spurious = |check: &mut dyn TraceCheck<_>| match check.check(&mut run, &trace).unwrap() {
        Checked::Spurious(why) => why,
        Checked::Real(_) => panic!("L4 is not reachable"),
    };
    let blocks = || Blocks::new(&system, &budget);
    assert_eq!(spurious(&mut blocks()).step, None);
    // X becomes FALSE when both assignments have been passed: in the first block.
    assert_eq!(spurious(&mut WeakestPrecondition::new(blocks())).step, Some(0));
    // Forward it is the branch to L4, the last edge of the path.
    let why = spurious(&mut Simulation::new(blocks()));
    let guard = GuardId { edge: path.edges.len() - 1, index: 0 };
    assert_eq!((why.step, why.guard), (Some(last), Some(guard)));
}
