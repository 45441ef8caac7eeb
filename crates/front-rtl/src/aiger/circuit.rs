//! The circuit that a file says, gates in an order in which each stands behind its arguments.

use super::text::Text;
use rustc_hash::FxHashMap;
use tamis_diagnostics::Error;

/// The most inputs of a binary file, which takes no bytes for them. The largest known designs have a hundred thousand.
const MAX_INPUTS: usize = 1 << 22;

/// A variable or its negation; 0 is false, 1 is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Literal(usize);

impl Literal {
    /// The variable; 0 is the constant false.
    pub fn variable(self) -> usize {
        self.0 / 2
    }

    /// Whether it is negated.
    pub fn is_negated(self) -> bool {
        self.0 % 2 == 1
    }
}

/// A latch.
#[derive(Debug)]
pub struct Latch {
    /// Its variable.
    pub variable: usize,
    /// Its value in the next cycle.
    pub next: Literal,
    /// Its first value; any if there is none.
    pub reset: Option<bool>,
}

/// A conjunction.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// Its variable.
    pub variable: usize,
    /// What it is of.
    pub args: [Literal; 2],
}

/// A circuit.
#[derive(Debug, Default)]
pub struct Circuit {
    /// The largest variable.
    pub variables: usize,
    /// The variables of the inputs.
    pub inputs: Vec<usize>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The gates, each behind its arguments.
    pub gates: Vec<Gate>,
    /// The outputs.
    pub outputs: Vec<Literal>,
    /// Bad states.
    pub bad: Vec<Literal>,
    /// What holds in every cycle.
    pub constraints: Vec<Literal>,
    /// Liveness properties.
    pub justice: Vec<Vec<Literal>>,
    /// Fairness conditions.
    pub fairness: Vec<Literal>,
    symbols: FxHashMap<(char, usize), String>,
}

impl Circuit {
    /// The name of an input (`i`), latch (`l`), output (`o`) or condition (`b`, `c`, `j`, `f`).
    pub fn name(&self, kind: char, number: usize) -> String {
        self.symbols.get(&(kind, number)).cloned().unwrap_or_else(|| format!("{kind}{number}"))
    }
}

/// Reads a circuit.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Circuit, Error> {
    let mut text = Text::new(file, bytes);
    let binary = text.take("aig");
    if !binary && !text.take("aag") {
        return Err(text.error(0, "an AIGER file starts with `aag` or `aig`"));
    }
    let counts = header(&mut text)?;
    let mut parser = Parser { text, binary, places: Vec::new(), circuit: Circuit::default() };
    parser.circuit.variables = counts[0];
    parser.definitions(&counts, bytes.len())?;
    parser.circuit.outputs = parser.literals(counts[3])?;
    parser.circuit.bad = parser.literals(counts[5])?;
    parser.circuit.constraints = parser.literals(counts[6])?;
    let mut sizes = Vec::new();
    for _ in 0..counts[7] {
        sizes.push(parser.text.number("the number of conditions")?);
        parser.text.line_end()?;
    }
    for size in sizes {
        let conditions = parser.literals(size)?;
        parser.circuit.justice.push(conditions);
    }
    parser.circuit.fairness = parser.literals(counts[8])?;
    parser.gates(counts[4])?;
    parser.order()?;
    parser.symbols()?;
    Ok(parser.circuit)
}

/// The numbers of the first line: the largest variable, inputs, latches, outputs, gates, bad, constraints, justice, fairness.
fn header(text: &mut Text) -> Result<[usize; 9], Error> {
    let mut counts = [0; 9];
    for (i, count) in counts.iter_mut().enumerate() {
        if i >= 5 && !text.take(" ") {
            break;
        } else if i < 5 {
            text.blank()?;
        }
        *count = text.number("a number")?;
    }
    text.line_end()?;
    Ok(counts)
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    Undefined,
    /// An input, a latch or a constant.
    Known,
    /// A gate, by its place in the file.
    Gate(usize),
}

struct Parser<'a> {
    text: Text<'a>,
    binary: bool,
    /// Where literals are read that may not be defined.
    places: Vec<(usize, Literal)>,
    circuit: Circuit,
}

impl Parser<'_> {
    /// The inputs and latches.
    fn definitions(&mut self, counts: &[usize; 9], length: usize) -> Result<(), Error> {
        let [variables, inputs, latches, ..] = *counts;
        // What is not written as text is bounded by this; the rest ends with the file.
        let most = if self.binary { MAX_INPUTS + length } else { usize::MAX / 4 };
        if variables > most || inputs > most {
            return Err(self.text.error(4, "these are more variables than the file has room for"));
        }
        if self.binary
            && inputs.checked_add(latches).and_then(|n| n.checked_add(counts[4])) != Some(variables)
        {
            let message = "the number of variables is not that of inputs, latches and gates";
            return Err(self.text.error(4, message));
        }
        for i in 0..inputs {
            let variable = if self.binary { i + 1 } else { self.defined()? };
            if !self.binary {
                self.text.line_end()?;
            }
            self.circuit.inputs.push(variable);
        }
        for i in 0..latches {
            let variable = if self.binary { inputs + i + 1 } else { self.defined()? };
            if !self.binary {
                self.text.blank()?;
            }
            let next = self.literal()?;
            let mut reset = Some(false);
            if self.text.take(" ") {
                let at = self.text.at();
                reset = match self.text.number("a first value")? {
                    0 => Some(false),
                    1 => Some(true),
                    own if own == 2 * variable => None,
                    _ => {
                        return Err(self
                            .text
                            .error(at, "the first value of a latch is 0, 1 or the latch itself"));
                    }
                };
            }
            self.text.line_end()?;
            self.circuit.latches.push(Latch { variable, next, reset });
        }
        Ok(())
    }

    /// A variable that is defined here.
    fn defined(&mut self) -> Result<usize, Error> {
        let at = self.text.at();
        let literal = self.text.number("a literal")?;
        if literal % 2 == 1 || literal < 2 || literal / 2 > self.circuit.variables {
            return Err(self.text.error(at, "this literal cannot be defined"));
        }
        Ok(literal / 2)
    }

    /// A literal that is read here.
    fn literal(&mut self) -> Result<Literal, Error> {
        let at = self.text.at();
        let literal = Literal(self.text.number("a literal")?);
        if literal.variable() > self.circuit.variables {
            return Err(self.text.error(at, "the literal is larger than the largest variable"));
        }
        self.places.push((at, literal));
        Ok(literal)
    }

    /// Literals, a line each.
    fn literals(&mut self, count: usize) -> Result<Vec<Literal>, Error> {
        let mut literals = Vec::new();
        for _ in 0..count {
            literals.push(self.literal()?);
            self.text.line_end()?;
        }
        Ok(literals)
    }

    fn gates(&mut self, count: usize) -> Result<(), Error> {
        let first = 1 + self.circuit.inputs.len() + self.circuit.latches.len();
        for i in 0..count {
            let gate = if self.binary {
                let variable = first + i;
                let at = self.text.at();
                let mut left = 2 * variable;
                let mut args = [Literal(0); 2];
                for (index, arg) in args.iter_mut().enumerate() {
                    let difference = self.difference()?;
                    if difference > left || (index == 0 && difference == 0) {
                        return Err(self.text.error(at, "the arguments of a gate are smaller than the gate"));
                    }
                    left -= difference;
                    *arg = Literal(left);
                }
                Gate { variable, args }
            } else {
                let variable = self.defined()?;
                self.text.blank()?;
                let left = self.literal()?;
                self.text.blank()?;
                let right = self.literal()?;
                self.text.line_end()?;
                Gate { variable, args: [left, right] }
            };
            self.circuit.gates.push(gate);
        }
        Ok(())
    }

    /// A number of seven bits a byte, the lowest first.
    fn difference(&mut self) -> Result<usize, Error> {
        let (start, mut number) = (self.text.at(), 0usize);
        for shift in (0..usize::BITS).step_by(7) {
            let byte = self.text.byte()?;
            let part = usize::from(byte & 127);
            if part.leading_zeros() < shift {
                break;
            }
            number |= part << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(self.text.error(start, "the number is too large"))
    }

    /// Puts each gate behind its arguments; those of binary files are.
    fn order(&mut self) -> Result<(), Error> {
        let circuit = &mut self.circuit;
        // A file in text may leave out most variables.
        let mut variables: FxHashMap<usize, Variable> = FxHashMap::default();
        let known = circuit.inputs.iter().copied().chain(circuit.latches.iter().map(|l| l.variable));
        let gates = circuit.gates.iter().enumerate().map(|(i, g)| (g.variable, Variable::Gate(i)));
        for (variable, what) in
            [(0, Variable::Known)].into_iter().chain(known.map(|v| (v, Variable::Known))).chain(gates)
        {
            if variables.insert(variable, what).is_some() {
                return Err(self
                    .text
                    .error(self.text.at(), &format!("the literal {} is defined twice", 2 * variable)));
            }
        }
        let what = |v: usize| variables.get(&v).copied().unwrap_or(Variable::Undefined);
        if let Some(&(at, literal)) =
            self.places.iter().find(|(_, l)| what(l.variable()) == Variable::Undefined)
        {
            return Err(self.text.error(at, &format!("the literal {} is not defined", literal.0)));
        }
        // A walk over the gates: a gate is open from when its arguments are asked for until they are there.
        let (mut open, mut done) = (vec![false; circuit.gates.len()], vec![false; circuit.gates.len()]);
        let mut ordered = Vec::with_capacity(circuit.gates.len());
        for root in 0..circuit.gates.len() {
            let mut work = vec![root];
            while let Some(&gate) = work.last() {
                let args = circuit.gates[gate].args.iter().filter_map(|a| match what(a.variable()) {
                    Variable::Gate(arg) if !done[arg] => Some(arg),
                    _ => None,
                });
                let args: Vec<usize> = args.collect();
                if done[gate] || args.is_empty() {
                    work.pop();
                    if !std::mem::replace(&mut done[gate], true) {
                        ordered.push(circuit.gates[gate]);
                    }
                    continue;
                }
                if std::mem::replace(&mut open[gate], true) {
                    let message = format!("the gate {} is part of a cycle", 2 * circuit.gates[gate].variable);
                    return Err(self.text.error(self.text.at(), &message));
                }
                work.extend(args);
            }
        }
        circuit.gates = ordered;
        self.compact();
        Ok(())
    }

    /// Names the variables of a file in text by small numbers: it may have a largest one of any size.
    fn compact(&mut self) {
        if self.binary {
            return;
        }
        let circuit = &mut self.circuit;
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        numbers.insert(0, 0);
        let mut number = |v: &mut usize| {
            let next = numbers.len();
            *v = *numbers.entry(*v).or_insert(next);
        };
        circuit.inputs.iter_mut().for_each(&mut number);
        circuit.latches.iter_mut().for_each(|l| number(&mut l.variable));
        circuit.gates.iter_mut().for_each(|g| number(&mut g.variable));
        let literals = circuit.latches.iter_mut().map(|l| &mut l.next);
        let literals = literals.chain(circuit.gates.iter_mut().flat_map(|g| &mut g.args));
        let literals =
            literals.chain(&mut circuit.outputs).chain(&mut circuit.bad).chain(&mut circuit.constraints);
        let literals = literals.chain(circuit.justice.iter_mut().flatten()).chain(&mut circuit.fairness);
        for literal in literals {
            let mut variable = literal.variable();
            number(&mut variable);
            literal.0 = 2 * variable + usize::from(literal.is_negated());
        }
        circuit.variables = numbers.len() - 1;
    }

    /// `i0 name`, and a comment after a line `c`.
    fn symbols(&mut self) -> Result<(), Error> {
        while !self.text.is_at_end() {
            let at = self.text.at();
            let line = self.text.line();
            if line == "c" {
                break;
            }
            let kind = line.chars().next().filter(|k| "ilobcjf".contains(*k));
            let rest = line.get(1..).and_then(|rest| rest.split_once(' '));
            let number = rest.and_then(|(number, name)| Some((number.parse().ok()?, name)));
            let (Some(kind), Some((number, name))) = (kind, number) else {
                return Err(self
                    .text
                    .error(at, "a name is `i0 name`, with `l`, `o`, `b`, `c`, `j`, `f` for others"));
            };
            self.circuit.symbols.insert((kind, number), name.to_owned());
        }
        Ok(())
    }
}
