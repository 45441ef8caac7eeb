//! Random C programs over integers.

pub use tamis_testing::Random;

const TYPES: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

const INPUTS: [&str; 11] =
    ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong"];

const INTERESTING: [&str; 16] = [
    "0",
    "1",
    "(-1)",
    "2",
    "3",
    "7",
    "31",
    "127",
    "128",
    "255",
    "32767",
    "65535",
    "2147483647",
    "(-2147483647 - 1)",
    "4294967295u",
    "0x8000000000000000ull",
];

/// One program, whose names all end in `_<number>`.
pub struct Generator<'a> {
    random: &'a mut Random,
    number: usize,
    wide: bool,
    variables: Vec<String>,
    assignable: usize,
    fresh: usize,
    functions: usize,
    loops: usize,
    effects: usize,
}

/// A definition of `int main_<number>(void)` and of what it uses. `wide`: whether 128-bit integers and divisions of
/// every width may occur.
pub fn program(random: &mut Random, number: usize, wide: bool) -> String {
    let mut g = Generator {
        random,
        number,
        wide,
        variables: Vec::new(),
        assignable: 0,
        fresh: 0,
        functions: 0,
        loops: 0,
        effects: 0,
    };
    let mut text = String::new();
    for _ in 0..3 {
        let name = g.name("g");
        let (ty, value) = (g.ty(), g.random.pick(&INTERESTING));
        text += &format!("static {ty} {name} = {value};\n");
        g.variables.push(name);
    }
    for (i, ty) in ["unsigned char", "_Bool", "int"].into_iter().enumerate() {
        text += &format!("static {ty} side{i}_{number} = {i};\n");
    }
    let globals = g.variables.clone();
    for _ in 0..2 {
        let (result, a, b) = (g.ty(), g.ty(), g.ty());
        let function = g.functions;
        let (x, y) = (g.name("p"), g.name("q"));
        // The first function is called in expressions, the second one only by itself: it may change the globals.
        g.variables = if function == 0 { Vec::new() } else { globals.clone() };
        g.variables.extend([x.clone(), y.clone()]);
        g.assignable = g.variables.len();
        let (mut body, value) = (String::new(), g.expr(2));
        g.block(&mut body, 1, 2);
        text += &format!(
            "static {result} f{function}_{number}({a} {x}, {b} {y}) {{ static int calls_{number}; calls_{number}++;\n{body}return {value} + calls_{number}; }}\n"
        );
        g.functions += 1;
    }
    g.variables = globals;
    g.assignable = g.variables.len();
    let mut body = String::new();
    for _ in 0..4 {
        let name = g.name("v");
        let ty = g.ty();
        let value = if g.random.below(2) == 0 {
            format!("__VERIFIER_nondet_{}()", g.random.pick(&INPUTS))
        } else {
            g.expr(1)
        };
        body += &format!("{ty} {name} = {value};\n");
        g.variables.push(name);
    }
    g.assignable = g.variables.len();
    g.block(&mut body, 3, 5);
    g.variables.truncate(g.assignable);
    g.variables.extend((0..3).map(|i| format!("side{i}_{number}")));
    for variable in g.variables {
        body += &format!("checksum = checksum * 31 + (unsigned long long)({variable});\n");
    }
    body += "if ((unsigned)checksum % 3 == 0) reach_error();\n";
    text += &format!("int main_{number}(void) {{\n{body}return 0; }}\n");
    text
}

impl Generator<'_> {
    fn name(&mut self, kind: &str) -> String {
        self.fresh += 1;
        format!("{kind}{}_{}", self.fresh, self.number)
    }

    fn ty(&mut self) -> &'static str {
        if self.wide && self.random.below(16) == 0 {
            return self.random.pick(&["__int128", "unsigned __int128"]);
        }
        self.random.pick(&TYPES)
    }

    fn variable(&mut self) -> String {
        let n = self.variables.len() as u64;
        self.variables[self.random.below(n) as usize].clone()
    }

    fn target(&mut self) -> String {
        let n = self.assignable as u64;
        self.variables[self.random.below(n) as usize].clone()
    }

    /// A variable to change inside an expression: mostly one that no expression reads.
    fn side(&mut self) -> String {
        if self.random.below(20) == 0 {
            self.target()
        } else {
            format!("side{}_{}", self.random.below(3), self.number)
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(3) {
                0 => self.random.pick(&INTERESTING).to_owned(),
                _ => self.variable(),
            };
        }
        let d = depth - 1;
        match self.random.below(26) {
            0..=5 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            6 | 7 => {
                let op = self.random.pick(&["/", "%"]);
                // A compiler may fold a division whose result it knows, such as `x % x`, and so miss the trap.
                if self.wide {
                    format!("({} {op} (({} & 32767) | 1))", self.expr(d), self.expr(d))
                } else {
                    format!("((int)({}) {op} (short)(({} & 32767) | 1))", self.expr(d), self.expr(d))
                }
            }
            8 | 9 => {
                let op = self.random.pick(&["<<", ">>"]);
                let mask = self.random.pick(&["7", "15", "31"]);
                format!("({} {op} ({} & {mask}))", self.expr(d), self.expr(d))
            }
            10..=12 => {
                let op = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            13 | 14 => {
                let op = self.random.pick(&["&&", "||"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            15 => format!("({} ? {} : {})", self.expr(d), self.expr(d), self.expr(d)),
            16 => format!("({} ?: {})", self.expr(d), self.expr(d)),
            17 | 18 => format!("({})({})", self.ty(), self.expr(d)),
            19 | 20 => format!("({}{})", self.random.pick(&["-", "~", "!", "+"]), self.expr(d)),
            21 if self.functions > 0 && self.take_effect() => {
                format!("f0_{number}({}, {})", self.expr(d), self.expr(d), number = self.number)
            }
            22 if self.take_effect() => {
                let op = self.random.pick(&["=", "+=", "-=", "*=", "^=", "|=", "&="]);
                format!("({} {op} {})", self.side(), self.expr(d))
            }
            23 if self.take_effect() => {
                let target = self.side();
                match self.random.below(4) {
                    0 => format!("({target}++)"),
                    1 => format!("({target}--)"),
                    2 => format!("(++{target})"),
                    _ => format!("(--{target})"),
                }
            }
            // With a constant on the left, gcc 12 fails on some of these.
            24 if self.take_effect() => format!("({}++, {})", self.side(), self.expr(d)),
            25 => {
                let (ty, name) = (self.ty(), self.name("t"));
                format!("({{ {ty} {name} = {}; {name} ^ {}; }})", self.expr(d), self.expr(0))
            }
            _ => format!("(sizeof({}) + {})", self.ty(), self.expr(d)),
        }
    }

    /// Whether one more side effect may go into the expression: with many, the order of evaluation soon matters.
    fn take_effect(&mut self) -> bool {
        let taken = self.effects == 0;
        self.effects += 1;
        taken || self.random.below(12) == 0
    }

    fn block(&mut self, out: &mut String, depth: u32, statements: u32) {
        for _ in 0..statements {
            self.statement(out, depth);
        }
    }

    fn statement(&mut self, out: &mut String, depth: u32) {
        let scope = self.variables.len();
        self.effects = 0;
        if depth == 0 {
            let text = format!("{} = {};\n", self.target(), self.expr(3));
            out.push_str(&text);
            return;
        }
        let d = depth - 1;
        match self.random.below(14) {
            0..=2 => {
                let text = format!("{} = {};\n", self.target(), self.expr(3));
                out.push_str(&text);
            }
            3 => {
                let (target, value) = (self.target(), self.expr(2));
                let text = match self.random.below(if self.wide { 10 } else { 8 }) {
                    8 => format!("{target} /= ({value} & 127) | 1;\n"),
                    9 => format!("{target} %= ({value} & 127) | 1;\n"),
                    n if n < 2 => format!("{target} <<= ({value}) & 7;\n"),
                    n if n < 4 => format!("{target} >>= ({value}) & 7;\n"),
                    _ => format!(
                        "{target} {} {value};\n",
                        self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="])
                    ),
                };
                out.push_str(&text);
            }
            4 | 5 => {
                *out += &format!("if ({}) {{\n", self.expr(2));
                self.block(out, d, 2);
                if self.random.below(2) == 0 {
                    out.push_str("} else {\n");
                    self.block(out, d, 2);
                }
                out.push_str("}\n");
            }
            6 | 7 => {
                self.loops += 1;
                let k = self.name("k");
                let bound = 1 + self.random.below(4);
                match self.random.below(3) {
                    0 => *out += &format!("{{ for (int {k} = 0; {k} < {bound}; {k}++) {{\n"),
                    1 => *out += &format!("{{ int {k} = 0; while ({k}++ < {bound}) {{\n"),
                    _ => *out += &format!("{{ unsigned char {k} = 0; do {{\n"),
                }
                let is_do = out.ends_with("do {\n");
                self.variables.push(k.clone());
                self.block(out, d, 2);
                if self.random.below(3) == 0 {
                    let jump = self.random.pick(&["break", "continue"]);
                    *out += &format!("if ({}) {jump};\n", self.expr(1));
                    self.block(out, d, 1);
                }
                if is_do {
                    *out += &format!("}} while (++{k} < {bound}); }}\n")
                } else {
                    out.push_str("} }\n")
                }
                self.variables.truncate(scope);
            }
            8 | 9 => {
                *out += &format!("switch ({}) {{\n", self.expr(2));
                let default = self.random.below(4);
                for case in 0..3 {
                    if case == default {
                        out.push_str("default:\n");
                    }
                    match self.random.below(3) {
                        0 => *out += &format!("case {} ... {}:\n", case * 10, case * 10 + 5),
                        _ => *out += &format!("case {}:\n", case * 10),
                    }
                    self.block(out, d, 1);
                    if self.random.below(2) == 0 {
                        out.push_str("break;\n");
                    }
                }
                out.push_str("}\n");
            }
            10 => {
                let label = self.name("L");
                *out += &format!("if ({}) goto {label};\n", self.expr(1));
                self.block(out, d, 1);
                *out += &format!("{label}:;\n");
            }
            11 => {
                let name = self.name("n");
                *out += &format!("{{ {} {name} = {};\n", self.ty(), self.expr(2));
                self.variables.push(name);
                self.block(out, d, 2);
                out.push_str("}\n");
                self.variables.truncate(scope);
            }
            12 if self.functions == 2 => {
                let (target, number) = (self.target(), self.number);
                let text = format!("{target} = f1_{number}({}, {});\n", self.expr(1), self.expr(1));
                out.push_str(&text);
            }
            12 => {
                let text = format!("{};\n", self.expr(3));
                out.push_str(&text);
            }
            _ => {
                let what = self.random.below(8);
                let text = match what {
                    0 => format!("if ({}) reach_error();\n", self.expr(3)),
                    1 => format!("__VERIFIER_assume(({}) != 77);\n", self.expr(2)),
                    2 => format!("if (({}) == 12345) abort();\n", self.expr(2)),
                    3 => {
                        format!("{} = (int){} / __VERIFIER_nondet_char();\n", self.target(), self.variable())
                    }
                    4 => {
                        format!("{} = (int){} % __VERIFIER_nondet_char();\n", self.target(), self.variable())
                    }
                    _ => format!("{} = __VERIFIER_nondet_{}();\n", self.target(), self.random.pick(&INPUTS)),
                };
                out.push_str(&text);
            }
        }
    }
}
