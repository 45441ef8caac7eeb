//! Arithmetic by the procedure that fits: difference logic as long as every bound is a difference, else simplex.
//!
//! Variables have numbers here that do not depend on the procedure. Bounds are entered when a search begins; if one of
//! them is no difference, the bounds so far are entered anew into the simplex method, which stays from then on.

use std::mem::take;
use tamis_theories::arith::{
    Difference, Integers, LinearForm, Rational, Reals, Relation, Simplex, Sort, Split, Stop, Var,
};
use tamis_theories::{Atom, Check, Conflict, Literal, Theory};

/// A bound `form ≤ constant`.
#[derive(Clone)]
struct Bound {
    atom: Atom,
    form: LinearForm,
    constant: Rational,
}

#[derive(Clone)]
enum Procedure {
    Integers(Difference<Integers>),
    Reals(Difference<Reals>),
    Simplex(Simplex),
}

/// The procedure in use. A variable of ours has the same place in `vars`.
#[derive(Clone)]
pub(crate) struct Arithmetic {
    sorts: Vec<Sort>,
    bounds: Vec<Bound>,
    procedure: Procedure,
    /// The procedure's variables.
    vars: Vec<Var>,
    /// The procedure's variable that stands for 0, in difference logic.
    zero: Var,
    /// How many bounds the procedure has.
    entered: usize,
    propagation: bool,
    stop: Option<Stop>,
}

impl Default for Arithmetic {
    fn default() -> Arithmetic {
        Arithmetic {
            sorts: Vec::new(),
            bounds: Vec::new(),
            procedure: Procedure::Simplex(Simplex::new()),
            vars: Vec::new(),
            zero: Var(0),
            entered: 0,
            propagation: true,
            stop: None,
        }
    }
}

/// The sides of a form `x - y`, either of which may be missing.
fn difference(form: &LinearForm) -> Option<(Option<Var>, Option<Var>)> {
    let minus_one = Rational::from(-1);
    let (mut plus, mut minus) = (None, None);
    for (var, coefficient) in form.terms() {
        let side = match coefficient {
            c if *c == Rational::ONE => &mut plus,
            c if *c == minus_one => &mut minus,
            _ => return None,
        };
        if side.replace(*var).is_some() {
            return None;
        }
    }
    Some((plus, minus))
}

/// Calls `$body` with the procedure as `$theory`.
macro_rules! each {
    ($procedure:expr, $theory:ident => $body:expr) => {
        match $procedure {
            Procedure::Integers($theory) => $body,
            Procedure::Reals($theory) => $body,
            Procedure::Simplex($theory) => $body,
        }
    };
}

impl Arithmetic {
    pub fn variable(&mut self, sort: Sort) -> Var {
        self.sorts.push(sort);
        Var(self.sorts.len() as u32 - 1)
    }

    /// Gives `atom` the meaning `form ≤ constant`.
    pub fn bound(&mut self, atom: Atom, form: LinearForm, constant: Rational) {
        self.bounds.push(Bound { atom, form, constant });
    }

    pub fn set_propagation(&mut self, on: bool) {
        self.propagation = on;
        each!(&mut self.procedure, theory => theory.set_propagation(on));
    }

    /// Whether theory propagation is on.
    pub fn propagates(&self) -> bool {
        self.propagation
    }

    pub fn set_stop(&mut self, stop: Stop) {
        self.stop = Some(stop.clone());
        each!(&mut self.procedure, theory => theory.set_stop(Some(stop)));
    }

    /// The domain of difference logic that all bounds fit in.
    fn fitting(&self) -> Option<Sort> {
        let sort = *self.sorts.first()?;
        // Variables of other terms count too: model values of all of them are asked for.
        let one_sort = self.sorts.iter().all(|s| *s == sort);
        let fits = |bound: &Bound| {
            let constant = sort == Sort::Real || bound.constant.to_i64().is_some_and(|c| c.abs() < 1 << 40);
            constant && difference(&bound.form).is_some()
        };
        (one_sort && !self.bounds.is_empty() && self.bounds[self.entered..].iter().all(fits)).then_some(sort)
    }

    /// Enters the bounds that are new. Nothing is asserted now.
    pub fn enter(&mut self) {
        let fitting = self.fitting();
        let stays = match (&self.procedure, fitting) {
            // What was no difference once stays with the simplex method.
            (Procedure::Simplex(_), _) => self.entered > 0 || fitting.is_none(),
            (Procedure::Integers(_), Some(Sort::Int)) | (Procedure::Reals(_), Some(Sort::Real)) => true,
            _ => self.entered == self.bounds.len() && fitting.is_some(),
        };
        if !stays {
            self.procedure = match fitting {
                Some(Sort::Int) if self.entered == 0 => Procedure::Integers(Difference::new()),
                Some(Sort::Real) if self.entered == 0 => Procedure::Reals(Difference::new()),
                _ => Procedure::Simplex(Simplex::new()),
            };
            self.vars.clear();
            self.entered = 0;
            self.zero = match &mut self.procedure {
                Procedure::Integers(theory) => theory.variable(),
                Procedure::Reals(theory) => theory.variable(),
                Procedure::Simplex(_) => Var(0),
            };
            self.set_propagation(self.propagation);
            if let Some(stop) = self.stop.clone() {
                self.set_stop(stop);
            }
        }
        for &sort in &self.sorts[self.vars.len()..] {
            self.vars.push(match &mut self.procedure {
                Procedure::Integers(theory) => theory.variable(),
                Procedure::Reals(theory) => theory.variable(),
                Procedure::Simplex(theory) => theory.variable(sort),
            });
        }
        for at in take(&mut self.entered)..self.bounds.len() {
            self.enter_bound(at);
        }
        self.entered = self.bounds.len();
    }

    fn enter_bound(&mut self, at: usize) {
        let Bound { atom, form, constant } = &self.bounds[at];
        let place = |var: Option<Var>| var.map_or(self.zero, |var| self.vars[var.0 as usize]);
        if let Procedure::Simplex(theory) = &mut self.procedure {
            let form: LinearForm =
                form.terms().iter().map(|(var, c)| (self.vars[var.0 as usize], c.clone())).collect();
            theory.bound(*atom, &form, Relation::Le, constant.clone());
            return;
        }
        let Some((x, y)) = difference(form) else { unreachable!("bounds that fit are differences") };
        let (x, y) = (place(x), place(y));
        match &mut self.procedure {
            Procedure::Integers(theory) => {
                theory.difference(*atom, x, y, constant.to_i64().unwrap_or_default());
            }
            Procedure::Reals(theory) => theory.difference(*atom, x, y, constant.clone()),
            Procedure::Simplex(_) => {}
        }
    }

    /// What the last check needs, over our variables.
    pub fn take_splits(&mut self) -> Vec<Split> {
        let Procedure::Simplex(theory) = &mut self.procedure else { return Vec::new() };
        let mut splits = theory.take_splits();
        let ours = |var: Var| Var(self.vars.partition_point(|&other| other < var) as u32);
        for split in &mut splits {
            match split {
                Split::Branch { var, .. } => *var = ours(*var),
                Split::Cut { form, .. } => {
                    *form = form.terms().iter().map(|(var, c)| (ours(*var), c.clone())).collect();
                }
            }
        }
        splits
    }

    /// Values of our variables, after a check that found what is asserted consistent.
    pub fn model(&self) -> Vec<Rational> {
        let from = |values: &[Rational], origin: &Rational| {
            self.vars.iter().map(|var| &values[var.0 as usize] - origin).collect()
        };
        match &self.procedure {
            Procedure::Integers(theory) => {
                let values = theory.model();
                from(&values, &values[self.zero.0 as usize])
            }
            Procedure::Reals(theory) => {
                let values = theory.model();
                from(&values, &values[self.zero.0 as usize])
            }
            Procedure::Simplex(theory) => {
                let values = theory.model();
                self.vars.iter().map(|var| values[var.0 as usize].clone()).collect()
            }
        }
    }
}

impl Theory for Arithmetic {
    fn push(&mut self) {
        each!(&mut self.procedure, theory => theory.push());
    }

    fn pop(&mut self, levels: usize) {
        each!(&mut self.procedure, theory => theory.pop(levels));
    }

    fn assert(&mut self, literal: Literal) -> Result<(), Conflict> {
        each!(&mut self.procedure, theory => theory.assert(literal))
    }

    fn propagate(&mut self, implied: &mut Vec<Literal>) -> Result<(), Conflict> {
        each!(&mut self.procedure, theory => theory.propagate(implied))
    }

    fn explain(&mut self, implied: Literal, reasons: &mut Vec<Literal>) {
        each!(&mut self.procedure, theory => theory.explain(implied, reasons));
    }

    fn check(&mut self) -> Check {
        each!(&mut self.procedure, theory => theory.check())
    }
}
