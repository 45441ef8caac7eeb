//! The tableau: sparse rows and the columns that lead back to them.

use super::LinearForm;
use crate::arith::{Rational, Var};

/// `Σ aⱼ·xⱼ = 0` over one basic variable and nonbasic ones.
///
/// Coefficients are kept integer and without common divisor, so that pivoting multiplies and adds machine integers in the
/// ordinary case; dividing by the basic variable's coefficient is left to whoever needs the quotient.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) basic: Var,
    pub(super) entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) var: Var,
    /// Where the variable's column has this entry.
    column: u32,
    pub(super) coefficient: Rational,
}

/// Where a variable occurs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) row: u32,
    position: u32,
}

const ABSENT: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(super) struct Tableau {
    pub(super) rows: Vec<Row>,
    pub(super) columns: Vec<Vec<Cell>>,
    /// The row of a basic variable.
    row_of: Vec<Option<u32>>,
    /// Scratch: positions of variables in the row that is being changed.
    positions: Vec<u32>,
}

impl Tableau {
    pub(super) fn add_variable(&mut self) -> Var {
        let var = Var(u32::try_from(self.columns.len()).expect("fewer than 2^32 variables"));
        self.columns.push(Vec::new());
        self.row_of.push(None);
        self.positions.push(ABSENT);
        var
    }

    /// Makes the new variable `slack` basic, and equal to `form`, whose coefficients are integers.
    pub(super) fn add_row(&mut self, slack: Var, form: &LinearForm) {
        let row = self.rows.len() as u32;
        self.rows.push(Row { basic: slack, entries: Vec::new() });
        self.insert(row, slack, -Rational::ONE);
        for (var, coefficient) in form.terms() {
            self.insert(row, *var, coefficient.clone());
        }
        for (var, _) in form.terms() {
            if let Some(source) = self.row_of[var.index()] {
                self.eliminate(row, source, *var);
            }
        }
        self.row_of[slack.index()] = Some(row);
    }

    pub(super) fn row_of(&self, var: Var) -> Option<u32> {
        self.row_of[var.index()]
    }

    pub(super) fn is_basic(&self, var: Var) -> bool {
        self.row_of[var.index()].is_some()
    }

    pub(super) fn row(&self, row: u32) -> &Row {
        &self.rows[row as usize]
    }

    /// The coefficient at a cell.
    pub(super) fn at(&self, cell: Cell) -> &Rational {
        &self.row(cell.row).entries[cell.position as usize].coefficient
    }

    /// The coefficient of the basic variable, which occurs in its own row only.
    pub(super) fn basic_coefficient(&self, row: u32) -> &Rational {
        self.at(self.columns[self.row(row).basic.index()][0])
    }

    /// Makes `entering`, a nonbasic variable of the row, basic in it.
    pub(super) fn pivot(&mut self, row: u32, entering: Var) {
        let leaving = self.row(row).basic;
        self.row_of[leaving.index()] = None;
        self.row_of[entering.index()] = Some(row);
        self.rows[row as usize].basic = entering;
        let others: Vec<u32> = self.columns[entering.index()]
            .iter()
            .map(|cell| cell.row)
            .filter(|&other| other != row)
            .collect();
        for other in others {
            self.eliminate(other, row, entering);
        }
    }

    fn insert(&mut self, row: u32, var: Var, coefficient: Rational) {
        let column = &mut self.columns[var.index()];
        let entries = &mut self.rows[row as usize].entries;
        let entry = Entry { var, column: column.len() as u32, coefficient };
        column.push(Cell { row, position: entries.len() as u32 });
        entries.push(entry);
    }

    /// Moves the last entry of the row and the last cell of the column into the gaps.
    fn remove(&mut self, row: u32, position: u32) {
        let Entry { var, column, .. } = self.rows[row as usize].entries.swap_remove(position as usize);
        let cells = &mut self.columns[var.index()];
        cells.swap_remove(column as usize);
        if let Some(moved) = cells.get(column as usize) {
            self.rows[moved.row as usize].entries[moved.position as usize].column = column;
        }
        if let Some(moved) = self.rows[row as usize].entries.get(position as usize) {
            self.columns[moved.var.index()][moved.column as usize].position = position;
        }
    }

    /// Adds the multiple of row `source` to a multiple of row `target` that rids it of `var`.
    fn eliminate(&mut self, target: u32, source: u32, var: Var) {
        for (position, entry) in self.rows[target as usize].entries.iter().enumerate() {
            self.positions[entry.var.index()] = position as u32;
        }
        let target_position = self.positions[var.index()];
        let there = &self.rows[target as usize].entries[target_position as usize].coefficient;
        let here =
            self.columns[var.index()].iter().find(|cell| cell.row == source).map(|&cell| self.at(cell));
        let here = here.expect("the variable is in the source row");
        let gcd = here.gcd(there);
        let (mut factor, mut multiple) = (here / &gcd, there / &gcd);
        if factor.is_negative() {
            (factor, multiple) = (-factor, -multiple);
        }
        if factor != Rational::ONE {
            for entry in &mut self.rows[target as usize].entries {
                entry.coefficient = &entry.coefficient * &factor;
            }
        }
        let mut vanished = false;
        for index in 0..self.rows[source as usize].entries.len() {
            let Entry { var, coefficient, .. } = &self.rows[source as usize].entries[index];
            let (var, change) = (*var, coefficient * &multiple);
            match self.positions[var.index()] {
                ABSENT => self.insert(target, var, -change),
                position => {
                    let coefficient = &mut self.rows[target as usize].entries[position as usize].coefficient;
                    *coefficient -= &change;
                    vanished |= coefficient.is_zero();
                }
            }
        }
        for entry in &self.rows[target as usize].entries {
            self.positions[entry.var.index()] = ABSENT;
        }
        if vanished {
            for position in (0..self.rows[target as usize].entries.len()).rev() {
                if self.rows[target as usize].entries[position].coefficient.is_zero() {
                    self.remove(target, position as u32);
                }
            }
        }
        self.divide_by_content(target);
    }

    fn divide_by_content(&mut self, row: u32) {
        let entries = &mut self.rows[row as usize].entries;
        let mut content = Rational::ZERO;
        for entry in &*entries {
            content = content.gcd(&entry.coefficient);
            if content == Rational::ONE {
                return;
            }
        }
        for entry in entries {
            entry.coefficient = &entry.coefficient / &content;
        }
    }
}
