//! Lines into nodes, nodes into a design.

use super::fields::{Fields, Word};
use super::operators::{is_one, operator};
use crate::Source;
use crate::names::Names;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tamis_design::{Condition, Justice, Place, Register, Signal};
use tamis_diagnostics::Error;
use tamis_logic::{Bits, IBig, Sort, Term, Terms, UBig};

/// The widest word that is taken. A word is as many literals to the solver, and more than this are a slip of the pen.
pub const MAX_WIDTH: u32 = 1 << 20;

/// Reads a design. `file` is its name in messages.
///
/// # Errors
/// If the text is no BTOR2, with the place.
///
/// ```
/// use tamis_logic::Terms;
/// let text = "1 sort bitvec 8\n2 state 1 count\n3 zero 1\n4 init 1 2 3\n5 inc 1 2\n6 next 1 2 5\n\
///     7 ones 1\n8 sort bitvec 1\n9 eq 8 2 7\n10 bad 9 full\n";
/// let source = tamis_front_rtl::btor2::read(&mut Terms::new(), "count.btor2", text.as_bytes())?;
/// assert_eq!(source.design.registers[0].signal.name, "count");
/// assert_eq!(source.design.properties[0].name, "full");
/// # Ok::<(), tamis_diagnostics::Error>(())
/// ```
pub fn read(terms: &mut Terms, file: &str, text: &[u8]) -> Result<Source, Error> {
    let mut read = read_nodes(terms, file, text)?;
    read.name_registers(|_| true);
    Ok(read.source)
}

/// What a file has beside the design.
pub(crate) struct Nodes {
    pub(crate) source: Source,
    /// The terms of all nodes, by number.
    pub(crate) nodes: FxHashMap<u64, Term>,
    /// The outputs that have a name.
    pub(crate) outputs: Vec<(String, Term)>,
    /// The registers without a name of their own, by their variable.
    unnamed: FxHashMap<Term, usize>,
}

impl Nodes {
    /// A register without a name has that of an output that shows it: Yosys names outputs, not the registers behind them.
    pub(crate) fn name_registers(&mut self, is_name: impl Fn(&str) -> bool) {
        let mut taken: FxHashSet<String> = self.source.design.signals().map(|s| s.name.clone()).collect();
        for (name, term) in self.outputs.iter().filter(|(name, _)| is_name(name)) {
            if let Some(&register) = self.unnamed.get(term)
                && taken.insert(name.clone())
            {
                self.source.design.registers[register].signal.name.clone_from(name);
                self.unnamed.remove(term);
            }
        }
    }
}

/// Reads a design, and keeps what is known of its nodes.
pub(crate) fn read_nodes(terms: &mut Terms, file: &str, text: &[u8]) -> Result<Nodes, Error> {
    let mut reader = Reader {
        terms,
        file: file.into(),
        sorts: FxHashMap::default(),
        nodes: FxHashMap::default(),
        registers: FxHashMap::default(),
        reads: FxHashMap::default(),
        last: 0,
        names: Names::default(),
        outputs: Vec::new(),
        unnamed: FxHashMap::default(),
        source: Source::default(),
    };
    for (i, line) in text.split(|&b| b == b'\n').enumerate() {
        let number = i as u32 + 1;
        // Names and comments may be in any encoding.
        let line = String::from_utf8_lossy(line);
        reader.line(number, &mut Fields::new(file, number, &line))?;
    }
    let Reader { source, nodes, outputs, unnamed, .. } = reader;
    Ok(Nodes { source, nodes, outputs, unnamed })
}

/// What a term reads that matters for a first value.
#[derive(Clone, Copy, Default)]
struct Reads {
    input: bool,
    /// Registers below this one, in the order of the design.
    registers: usize,
}

struct Reader<'a> {
    terms: &'a mut Terms,
    file: Arc<str>,
    sorts: FxHashMap<u64, Sort>,
    nodes: FxHashMap<u64, Term>,
    /// The place of a state's register in the design, by the state's number.
    registers: FxHashMap<u64, usize>,
    /// What terms read, as far as it was asked.
    reads: FxHashMap<Term, Reads>,
    /// The last line's number.
    last: u64,
    names: Names,
    outputs: Vec<(String, Term)>,
    /// The registers without a name of their own, by their variable.
    unnamed: FxHashMap<Term, usize>,
    source: Source,
}

impl Reader<'_> {
    fn line(&mut self, line: u32, fields: &mut Fields) -> Result<(), Error> {
        let Some((word, column)) = fields.next() else { return Ok(()) };
        let id: u64 = match word.parse() {
            Ok(id) if id > 0 && word.bytes().all(|b| b.is_ascii_digit()) => id,
            _ => {
                return Err(fields.error(column, format!("a line starts with its number, not with `{word}`")));
            }
        };
        if id <= self.last {
            let last = self.last;
            return Err(fields.error(column, format!("line numbers increase: {id} comes after {last}")));
        }
        self.last = id;
        let keyword = fields.word("a keyword")?;
        let place = Place { file: self.file.clone(), line, column };
        match keyword.0 {
            "sort" => self.sort(id, fields)?,
            "input" | "state" => self.signal(id, keyword.0 == "state", fields, place)?,
            "init" | "next" => self.value_of_register(keyword, fields)?,
            "bad" | "constraint" | "output" | "fair" => self.condition(keyword.0, fields, place)?,
            "justice" => self.justice(fields, place)?,
            _ => {
                let term = self.node(keyword, fields)?;
                self.nodes.insert(id, term);
            }
        }
        // What has no use for a name may have one all the same.
        fields.name().map(drop)
    }

    fn sort(&mut self, id: u64, fields: &mut Fields) -> Result<(), Error> {
        let kind = fields.word("a kind of sort")?;
        let sort = match kind {
            ("bitvec", _) => match fields.number("the width")? {
                (width, _) if (1..=u64::from(MAX_WIDTH)).contains(&width) => Sort::BitVec(width as u32),
                (0, column) => return Err(fields.error(column, "a word has at least one bit")),
                (width, column) => {
                    return Err(
                        fields.error(column, format!("words have at most {MAX_WIDTH} bits, not {width}"))
                    );
                }
            },
            ("array", _) => {
                let index = self.sort_of(fields)?;
                let element = self.sort_of(fields)?;
                let is_word = |sort| matches!(sort, Sort::BitVec(_));
                if !is_word(index) || !is_word(element) {
                    let message = "memories of memories are not taken";
                    return Err(Error::Unsupported(fields.diagnostic(kind.1, message)));
                }
                self.terms.array_sort(index, element)
            }
            (kind, column) => return Err(fields.error(column, format!("no kind of sort is called `{kind}`"))),
        };
        self.sorts.insert(id, sort);
        Ok(())
    }

    /// A sort by its number.
    fn sort_of(&self, fields: &mut Fields) -> Result<Sort, Error> {
        let (id, column) = fields.number("a sort's number")?;
        self.sorts
            .get(&id)
            .copied()
            .ok_or_else(|| fields.error(column, format!("no sort has the number {id}")))
    }

    /// A word's width by its sort's number.
    fn width_of(&self, fields: &mut Fields) -> Result<u32, Error> {
        let column = fields.column();
        let sort = self.sort_of(fields)?;
        sort.width().ok_or_else(|| fields.error(column, "a word is asked for, not a memory"))
    }

    /// A node by its number, complemented if there is a `-` before it.
    fn argument(&mut self, fields: &mut Fields) -> Result<(Term, u32), Error> {
        let (word, column) = fields.word("a node's number")?;
        let (digits, negated) = word.strip_prefix('-').map_or((word, false), |rest| (rest, true));
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let id: u64 = digits
            .parse()
            .ok()
            .filter(|_| plain)
            .ok_or_else(|| fields.error(column, format!("a node's number is asked for, not `{word}`")))?;
        let Some(&term) = self.nodes.get(&id) else {
            let what =
                if self.sorts.contains_key(&id) { "a sort, not a node" } else { "no node before this line" };
            return Err(fields.error(column, format!("{id} is the number of {what}")));
        };
        if !negated {
            return Ok((term, column));
        }
        match self.terms.sort(term) {
            Sort::BitVec(_) => Ok((self.terms.bv_not(term), column)),
            _ => Err(fields.error(column, "a memory has no complement")),
        }
    }

    /// An input or a state.
    fn signal(&mut self, id: u64, state: bool, fields: &mut Fields, place: Place) -> Result<(), Error> {
        let sort = self.sort_of(fields)?;
        let given = fields.name()?;
        let is_unnamed = given.is_none();
        let name = given.unwrap_or_else(|| format!("{}{id}", if state { "state" } else { "input" }));
        let term = self.names.variable(self.terms, &name, sort);
        self.nodes.insert(id, term);
        let design = &mut self.source.design;
        let number = if state { design.registers.len() } else { design.inputs.len() };
        self.reads.insert(term, Reads { input: !state, registers: if state { number + 1 } else { 0 } });
        let signal = Signal { number, name, term, place: Some(place) };
        if state {
            self.registers.insert(id, number);
            if is_unnamed {
                self.unnamed.insert(term, number);
            }
            design.registers.push(Register { signal, init: None, next: None });
        } else {
            design.inputs.push(signal);
        }
        Ok(())
    }

    /// `init` or `next`.
    fn value_of_register(&mut self, keyword: Word, fields: &mut Fields) -> Result<(), Error> {
        let sort = self.sort_of(fields)?;
        let (id, column) = fields.number("a state's number")?;
        let Some(&register) = self.registers.get(&id) else {
            return Err(fields.error(column, format!("no state has the number {id}")));
        };
        let (mut value, value_column) = self.argument(fields)?;
        let state = self.source.design.registers[register].signal.term;
        let first = keyword.0 == "init";
        let element = self.terms.array_parts(sort).map(|(_, element)| element);
        if first && element == Some(self.terms.sort(value)) {
            value = self.terms.const_array(sort, value);
        }
        if self.terms.sort(state) != sort || self.terms.sort(value) != sort {
            return Err(fields.error(value_column, "the sort, the state and its value do not fit together"));
        }
        if first {
            self.check_first_value(value, register).map_err(|why| fields.error(value_column, why))?;
        }
        let register = &mut self.source.design.registers[register];
        let place = if first { &mut register.init } else { &mut register.next };
        match place.replace(value) {
            None => Ok(()),
            Some(_) => Err(fields.error(keyword.1, format!("the state {id} has an `{}` already", keyword.0))),
        }
    }

    /// A first value may read registers before its own, and no inputs.
    fn check_first_value(&mut self, value: Term, register: usize) -> Result<(), &'static str> {
        let reads = self.reads_of(value);
        if reads.input {
            return Err("a first value reads no input: use a state without `init` and `next`");
        }
        if reads.registers > register {
            return Err("a first value reads only states that are declared before its own");
        }
        Ok(())
    }

    /// What a term reads. Each term is walked once in all, however many first values share it.
    fn reads_of(&mut self, value: Term) -> Reads {
        for term in self.terms.post_order_until(&[value], |t| self.reads.contains_key(&t)) {
            if self.reads.contains_key(&term) {
                continue;
            }
            let mut reads = Reads::default();
            for argument in self.terms.args(term) {
                let of = self.reads.get(argument).copied().unwrap_or_default();
                reads = Reads { input: reads.input | of.input, registers: reads.registers.max(of.registers) };
            }
            self.reads.insert(term, reads);
        }
        self.reads.get(&value).copied().unwrap_or_default()
    }

    fn condition(&mut self, keyword: &str, fields: &mut Fields, place: Place) -> Result<(), Error> {
        let (word, column) = self.argument(fields)?;
        if keyword == "output" {
            self.outputs.extend(fields.name()?.map(|name| (name, word)));
            return Ok(());
        }
        if self.terms.sort(word) != Sort::BitVec(1) {
            return Err(fields.error(column, format!("what is `{keyword}` is one bit")));
        }
        let name = fields.name()?;
        let design = &mut self.source.design;
        let list = match keyword {
            "bad" => &mut design.properties,
            "constraint" => &mut design.constraints,
            _ => &mut design.fairness,
        };
        let number = list.len();
        let name = name.unwrap_or_else(|| match keyword {
            "bad" => format!("b{number}"),
            _ => format!("{keyword} {number}"),
        });
        list.push(Condition { number, name, term: is_one(self.terms, word), place: Some(place) });
        Ok(())
    }

    fn justice(&mut self, fields: &mut Fields, place: Place) -> Result<(), Error> {
        let (count, column) = fields.number("how many conditions there are")?;
        if count == 0 {
            return Err(fields.error(column, "a justice property has at least one condition"));
        }
        let mut conditions = Vec::new();
        for _ in 0..count {
            let (word, column) = self.argument(fields)?;
            if self.terms.sort(word) != Sort::BitVec(1) {
                return Err(fields.error(column, "a condition of a justice property is one bit"));
            }
            conditions.push(is_one(self.terms, word));
        }
        let number = self.source.design.justice.len();
        let name = fields.name()?.unwrap_or_else(|| format!("j{number}"));
        self.source.design.justice.push(Justice { number, name, conditions, place: Some(place) });
        Ok(())
    }

    /// A constant or an operator.
    fn node(&mut self, (keyword, column): Word, fields: &mut Fields) -> Result<Term, Error> {
        match keyword {
            "zero" | "one" | "ones" => {
                let width = self.width_of(fields)?;
                let bits = match keyword {
                    "zero" => Bits::zero(width),
                    "one" => Bits::one(width),
                    _ => Bits::ones(width),
                };
                Ok(self.terms.bits_value(bits))
            }
            "const" | "constd" | "consth" => self.constant(keyword, fields),
            "sext" | "uext" | "slice" => self.indexed(keyword, fields),
            _ => {
                let operator = operator(keyword)
                    .ok_or_else(|| fields.error(column, format!("no operator is called `{keyword}`")))?;
                let sort = self.sort_of(fields)?;
                let mut args = Vec::with_capacity(operator.arity);
                for _ in 0..operator.arity {
                    args.push(self.argument(fields)?.0);
                }
                (operator.make)(self.terms, &args, sort)
                    .filter(|&made| self.terms.sort(made) == sort)
                    .ok_or_else(|| {
                        fields.error(column, format!("the arguments of `{keyword}` and its sort do not fit"))
                    })
            }
        }
    }

    fn constant(&mut self, keyword: &str, fields: &mut Fields) -> Result<Term, Error> {
        let width = self.width_of(fields)?;
        let (word, column) = fields.word("a constant")?;
        let radix = match keyword {
            "const" => 2,
            "constd" => 10,
            _ => 16,
        };
        let digits = if radix == 10 { word.strip_prefix('-').unwrap_or(word) } else { word };
        // As many digits as the widest word can need: a decimal digit is more than three bits.
        let fits = digits.len() <= width as usize + 1 && digits.chars().all(|c| c.is_digit(radix));
        let number = UBig::from_str_radix(digits, radix).ok().filter(|_| fits);
        let Some(number) = number else {
            return Err(
                fields.error(column, format!("`{word}` is no number of base {radix} in {width} bits"))
            );
        };
        let negative = digits.len() < word.len();
        let limit = UBig::ONE << if negative { width as usize - 1 } else { width as usize };
        if number > limit || (number == limit && !negative) {
            return Err(fields.error(column, format!("`{word}` does not fit into {width} bits")));
        }
        if radix == 2 && digits.len() != width as usize {
            return Err(fields.error(column, format!("`{word}` is not of {width} bits")));
        }
        let number = IBig::from(number);
        let bits = Bits::from_ibig(width, &if negative { -number } else { number });
        Ok(self.terms.bits_value(bits))
    }

    /// Extensions and slices.
    fn indexed(&mut self, keyword: &str, fields: &mut Fields) -> Result<Term, Error> {
        let sort = self.width_of(fields)?;
        let (word, column) = self.argument(fields)?;
        let Some(width) = self.terms.sort(word).width() else {
            return Err(fields.error(column, format!("`{keyword}` is of a word, not of a memory")));
        };
        let (first, first_column) = fields.number("a number of bits")?;
        if keyword == "slice" {
            let (low, _) = fields.number("the lowest bit")?;
            let high = first;
            if high >= u64::from(width) || low > high || high - low + 1 != u64::from(sort) {
                let message = format!("bits {high} to {low} of {width} bits are not a word of {sort}");
                return Err(fields.error(first_column, message));
            }
            return Ok(self.terms.extract(high as u32, low as u32, word));
        }
        if u64::from(width).checked_add(first) != Some(u64::from(sort)) {
            let message = format!("{width} bits and {first} more are not a word of {sort}");
            return Err(fields.error(first_column, message));
        }
        Ok(self.terms.resize(sort, keyword == "sext", word))
    }
}
