//! RTLIL, the text of Yosys' netlists, as far as it is needed: modules with their wires, cells and the switches of processes.
//!
//! It is a language of lines. A line `attribute \src "…"` belongs to what follows it.

use rustc_hash::{FxHashMap, FxHashSet};

/// A module.
#[derive(Debug, Default)]
pub struct Module {
    /// The name, with the `\` or `$` that it starts with.
    pub name: String,
    /// Widths and places of the wires.
    pub wires: FxHashMap<String, Wire>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The cases of all switches, in order.
    pub cases: Vec<Case>,
    /// Wires that are others by another name.
    pub aliases: FxHashMap<String, String>,
    /// The wires that a process gives a value at an edge of a clock.
    pub registers: FxHashSet<String>,
    /// The number of the line with its `end`, from 0.
    pub end: usize,
    /// A module without contents of its own.
    pub black_box: bool,
}

/// A wire.
#[derive(Debug)]
pub struct Wire {
    /// Its width.
    pub width: u32,
    /// Where it is declared.
    pub src: String,
}

/// A cell: an operator, an assertion, an instance of a module.
#[derive(Debug, Default)]
pub struct Cell {
    /// What it is.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub src: String,
    /// The value of the parameter `\FLAVOR`, of a `$check`.
    pub flavor: String,
    /// What the port `\S` is connected to, of a `$mux`.
    pub select: String,
    /// What the port `\A` is connected to.
    pub input: String,
    /// What the port `\EN` is connected to.
    pub enable: String,
    /// Whether a `$check` looks at an edge.
    pub triggered: bool,
    /// The clocks of a memory's write ports, the last port first, which of them are used, and their edges: `1` for rising.
    pub write_clocks: [String; 3],
    /// The number of its first line, from 0.
    pub line: usize,
    /// The line of the parameter `\FLAVOR`.
    pub flavor_line: Option<usize>,
}

impl Cell {
    /// What is checked, if it is a check: `assert`, `assume`, `cover`, `live`, `fair`.
    pub fn check(&self) -> &str {
        match self.kind.as_str() {
            "$check" => &self.flavor,
            "$assert" | "$assume" | "$cover" | "$live" | "$fair" => &self.kind[1..],
            _ => "",
        }
    }
}

/// A case of a switch that compares.
#[derive(Debug)]
pub struct Case {
    /// What is switched on.
    pub signal: String,
    /// What it is compared with; one has to be equal.
    pub values: Vec<String>,
    /// Where the switch stands.
    pub switch_src: String,
    /// Where the condition stands, if that is known.
    pub src: String,
}

/// Reads a netlist. What is not understood is left out: Yosys reads the same text itself.
pub fn modules(text: &str) -> Vec<Module> {
    let mut modules = Vec::new();
    let mut module = Module::default();
    let (mut src, mut black_box) = (String::new(), false);
    // The depth of what ends with a line `end` inside a module, and the switches around a line.
    let mut depth: usize = 0;
    let mut switches: Vec<(String, String)> = Vec::new();
    let mut clocked = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "attribute" => {
                if let Some(value) = rest.strip_prefix("\\src ") {
                    src = value.trim_matches('"').to_owned();
                }
                black_box |= rest.starts_with("\\blackbox ") || rest.starts_with("\\whitebox ");
                continue;
            }
            "module" => {
                module = Module { name: rest.to_owned(), black_box, ..Module::default() };
                (depth, black_box) = (0, false);
            }
            "wire" => {
                let name = rest.rsplit(' ').next().unwrap_or(rest);
                let width = rest.split("width ").nth(1).and_then(|w| w.split(' ').next()?.parse().ok());
                let wire = Wire { width: width.unwrap_or(1), src: src.clone() };
                module.wires.insert(name.to_owned(), wire);
            }
            "cell" => {
                let (kind, name) = rest.split_once(' ').unwrap_or((rest, ""));
                let (kind, name) = (kind.to_owned(), name.to_owned());
                module.cells.push(Cell { kind, name, src: src.clone(), line: number, ..Cell::default() });
                depth += 1;
            }
            "parameter" | "connect" if depth > 0 && switches.is_empty() => {
                if let Some(cell) = module.cells.last_mut() {
                    if let Some(flavor) = rest.strip_prefix("\\FLAVOR ") {
                        cell.flavor = flavor.trim_matches('"').to_owned();
                        cell.flavor_line = Some(number);
                    } else if let Some(select) = rest.strip_prefix("\\S ") {
                        cell.select = select.to_owned();
                    } else if let Some(input) = rest.strip_prefix("\\A ") {
                        cell.input = input.to_owned();
                    } else if let Some(enable) = rest.strip_prefix("\\EN ") {
                        cell.enable = enable.to_owned();
                    }
                    for (i, name) in
                        ["\\WR_CLK ", "\\WR_CLK_ENABLE ", "\\WR_CLK_POLARITY "].iter().enumerate()
                    {
                        if let Some(value) = rest.strip_prefix(name) {
                            cell.write_clocks[i] = value.to_owned();
                        }
                    }
                    cell.triggered |= rest == "\\TRG_ENABLE 1" || rest == "\\TRG_ENABLE 1'1";
                }
            }
            "connect" => {
                if let Some((name, value)) = rest.split_once(' ').filter(|(_, v)| !v.contains([' ', '\''])) {
                    module.aliases.insert(name.to_owned(), value.to_owned());
                }
            }
            "process" => depth += 1,
            "sync" => clocked = rest.starts_with("posedge ") || rest.starts_with("negedge "),
            "update" if clocked => {
                module.registers.extend(rest.split(' ').next().map(str::to_owned));
            }
            "switch" => {
                switches.push((rest.to_owned(), src.clone()));
                depth += 1;
            }
            "case" => {
                if let (Some((signal, at)), false) = (switches.last(), rest.trim().is_empty()) {
                    module.cases.push(Case {
                        signal: signal.clone(),
                        values: rest.split(" , ").map(|v| v.trim().to_owned()).collect(),
                        switch_src: at.clone(),
                        src: src.clone(),
                    });
                }
            }
            "end" if depth > 0 => {
                depth -= 1;
                // Inside a module, a process has depth 1 and its outermost switch 2.
                if switches.len() > depth.saturating_sub(1) {
                    switches.pop();
                }
            }
            "end" => {
                module.end = number;
                modules.push(std::mem::take(&mut module));
            }
            _ => {}
        }
        src.clear();
    }
    modules
}

/// A value: bits of wires and constants, the highest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// A constant.
    Constant(String),
    /// Something else, of this width.
    Wires(u32),
}

impl Spec {
    /// The width.
    pub fn width(&self) -> u32 {
        match self {
            Spec::Constant(bits) => bits.len() as u32,
            Spec::Wires(width) => *width,
        }
    }
}

/// What a value's text says: `\wire`, `\wire [3]`, `\wire [3:0]`, `4'01x-`, a number of 32 bits, `{ … }`.
pub fn spec(module: &Module, text: &str) -> Option<Spec> {
    let mut words = text.split_whitespace();
    let mut total = 0;
    let mut constant = Some(String::new());
    let mut parts: Vec<Spec> = Vec::new();
    for word in &mut words {
        if word == "{" || word == "}" {
            continue;
        }
        let part = if let Some(range) = word.strip_prefix('[') {
            let range = range.strip_suffix(']')?;
            let (high, low) = range.split_once(':').unwrap_or((range, range));
            parts.pop()?;
            let (high, low): (u32, u32) = (high.parse().ok()?, low.parse().ok()?);
            Spec::Wires(high.checked_sub(low)? + 1)
        } else if word.starts_with(['\\', '$']) {
            Spec::Wires(module.wires.get(word)?.width)
        } else if let Some((_, bits)) = word.split_once('\'') {
            let width: usize = word.split('\'').next()?.parse().ok()?;
            // Yosys shortens a constant of equal bits.
            match bits.len() {
                length if length == width => Spec::Constant(bits.to_owned()),
                1 => Spec::Constant(bits.repeat(width)),
                _ => return None,
            }
        } else {
            let number: i64 = word.parse().ok()?;
            Spec::Constant(format!("{:032b}", number as u32))
        };
        parts.push(part);
    }
    for part in parts {
        total += part.width();
        constant = match (constant, part) {
            (Some(before), Spec::Constant(bits)) => Some(before + &bits),
            _ => None,
        };
    }
    Some(constant.map_or(Spec::Wires(total), Spec::Constant))
}

impl Module {
    /// The edges and wires that clock the memories of a flat design; none if they are not understood.
    pub fn memory_clocks(&self) -> Option<Vec<(&'static str, &str)>> {
        let mut clocks = Vec::new();
        for cell in self.cells.iter().filter(|c| c.kind.starts_with("$mem")) {
            let [wires, used, rising] = &cell.write_clocks;
            let (Some(Spec::Constant(used)), Some(Spec::Constant(rising))) =
                (spec(self, used), spec(self, rising))
            else {
                return None;
            };
            let wires: Vec<&str> = wires.split_whitespace().filter(|w| !["{", "}"].contains(w)).collect();
            if wires.len() != used.len() || wires.len() != rising.len() {
                // A memory that nothing writes has no clocks.
                if used.contains('1') {
                    return None;
                }
                continue;
            }
            for ((mut wire, used), rising) in wires.into_iter().zip(used.chars()).zip(rising.chars()) {
                // As many names as there are, so that no circle of them is followed for ever.
                for _ in 0..self.aliases.len() {
                    wire = self.aliases.get(wire).map_or(wire, String::as_str);
                }
                if used == '1' {
                    clocks.push((if rising == '1' { "posedge" } else { "negedge" }, wire));
                }
            }
        }
        Some(clocks)
    }
}

/// How often each module is instantiated below the top, the top once. A design of Yosys has no recursion left.
pub fn instances<'a>(modules: &'a [Module], top: &'a str) -> FxHashMap<&'a str, usize> {
    let by_name: FxHashMap<&str, &Module> = modules.iter().map(|m| (m.name.as_str(), m)).collect();
    let mut count = FxHashMap::default();
    let mut work = vec![top];
    while let Some(name) = work.pop() {
        let Some(module) = by_name.get(name) else { continue };
        *count.entry(name).or_insert(0) += 1;
        work.extend(module.cells.iter().map(|c| c.kind.as_str()).filter(|kind| by_name.contains_key(kind)));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{Spec, instances, modules, spec};

    const TEXT: &str = "attribute \\src \"a.v:1.1-9.9\"\nmodule \\top\n  attribute \\src \"a.v:2.3-2.4\"\n  wire width 4 input 1 \\a\n  \
        wire \\b\n  cell \\sub \\u\n    connect \\A \\a\n  end\n  cell \\sub \\v\n  end\n  process $p\n    attribute \\src \"a.v:3.1-8.2\"\n    \
        switch { \\b \\a [3:2] }\n      attribute \\src \"a.v:3.5-3.6\"\n      case 3'01- , 3'111\n        switch \\b\n          \
        case 1'1\n          case \n        end\n      case \n    end\n    sync posedge \\b\n  end\nend\nmodule \\sub\n  \
        cell $mux $m\n    connect \\S \\b\n  end\nend\n";

    #[test]
    fn modules_have_wires_cells_and_cases() {
        let read = modules(TEXT);
        assert_eq!(read.len(), 2);
        let top = &read[0];
        assert_eq!((top.wires["\\a"].width, top.wires["\\b"].width), (4, 1));
        let cases: Vec<_> =
            top.cases.iter().map(|c| (c.signal.as_str(), c.values.len(), c.src.as_str())).collect();
        assert_eq!(cases, [("{ \\b \\a [3:2] }", 2, "a.v:3.5-3.6"), ("\\b", 1, "")]);
        assert_eq!(read[1].cells[0].select, "\\b");
        assert_eq!(instances(&read, "\\top")["\\sub"], 2);
        assert_eq!(spec(top, "{ \\b \\a [3:2] }"), Some(Spec::Wires(3)));
        assert_eq!(spec(top, "{ 2'01 1'x }"), Some(Spec::Constant("01x".to_owned())));
        assert_eq!(spec(top, "4'0"), Some(Spec::Constant("0000".to_owned())));
    }
}
