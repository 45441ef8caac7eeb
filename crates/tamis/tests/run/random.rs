//! Random programs over all integer types, arrays, bit-fields and pointers: the interpreter prints what the compiled
//! program prints.

use crate::compiled::same_as_compiled;
use crate::support::Folder;
use std::fmt::Write as _;
pub use tamis_testing::Random;

const TYPES: [&str; 11] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
];

struct Generator {
    random: Random,
    /// How many functions can be called.
    functions: usize,
    loops: usize,
}

impl Generator {
    /// An lvalue that exists in every function.
    fn place(&mut self) -> String {
        match self.random.below(7) {
            0 => format!("g{}", self.random.below(TYPES.len())),
            1 => format!("arr{}[{} & 7]", self.random.below(3), self.small()),
            2 => format!("s.{}", self.random.pick(&["a", "b", "c", "d", "e"])),
            3 => format!("ss[{} & 3].{}", self.small(), self.random.pick(&["a", "b", "c", "d", "e"])),
            4 => format!("*p{}", self.random.below(3)),
            _ => format!("{}{}", self.random.pick(&["x", "y"]), self.random.below(3)),
        }
    }

    /// An index without side effects.
    fn small(&mut self) -> String {
        self.random.pick(&["0", "2", "5", "x0", "y1", "g5", "g1"]).to_owned()
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            return match self.random.below(3) {
                0 => {
                    let n = self.random.below(1 << 20) as i64 - (1 << 19);
                    let n = [n % 5, n, n << 13, n << 40][self.random.below(4)];
                    format!("({n}{})", self.random.pick(&["", "", "u", "ll", "ull"]))
                }
                _ => self.place(),
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.random.below(15) {
            0 => format!("({})({a})", self.random.pick(&TYPES)),
            1 => format!("({a} {} ({b} & 7))", self.random.pick(&["<<", ">>"])),
            2 => format!("({a} / (({b} & 1023) + 1))"),
            3 => format!("({a} % (({b} & 63) + 1))"),
            4 => format!("({a} {} {b})", self.random.pick(&["<", ">", "<=", ">=", "==", "!="])),
            5 => format!("({a} {} {b})", self.random.pick(&["&&", "||"])),
            6 => format!("({} ? {a} : {b})", self.expr(0)),
            7 => format!("{}({a})", self.random.pick(&["-", "~", "!"])),
            8 => format!("({a}, {b})"),
            _ => format!("({a} {} {b})", self.random.pick(&["+", "-", "*", "&", "|", "^"])),
        }
    }

    fn block(&mut self, depth: usize, out: &mut String) {
        for _ in 0..1 + self.random.below(4) {
            let (place, value) = (self.place(), self.expr(3));
            match self.random.below(10) {
                0 if depth > 0 => {
                    let _ = writeln!(out, "if ({value}) {{");
                    self.block(depth - 1, out);
                    out.push_str("} else {\n");
                    self.block(depth - 1, out);
                    out.push_str("}\n");
                }
                1 if depth > 0 => {
                    self.loops += 1;
                    let (i, n) = (self.loops, 1 + self.random.below(5));
                    let _ = writeln!(out, "for (int i{i} = 0; i{i} < {n}; i{i}++) {{ if ({value}) continue;");
                    self.block(depth - 1, out);
                    out.push_str("}\n");
                }
                2 if depth > 0 => {
                    let _ = writeln!(
                        out,
                        "switch ((int)({value}) & 3) {{ case 0: {place} = 1; case 1: break; default:"
                    );
                    self.block(depth - 1, out);
                    out.push_str("}\n");
                }
                3 => drop(writeln!(
                    out,
                    "{place} {}= {value};",
                    self.random.pick(&["+", "-", "*", "&", "|", "^"])
                )),
                4 => drop(writeln!(out, "{}{place};", self.random.pick(&["++", "--"]))),
                // A call stands alone: what it changes must not be read in the same expression.
                7 if self.functions > 0 => {
                    let (f, arg) = (self.random.below(self.functions), self.expr(0));
                    let _ = writeln!(out, "{{ long long t = f{f}({value}, {arg}); {place} = t; }}");
                }
                5 => drop(writeln!(out, "s = ss[{} & 3]; ss[{} & 3] = swap(s);", self.small(), self.small())),
                6 => drop(writeln!(out, "p{} = &x{};", self.random.below(3), self.random.below(3))),
                _ => drop(writeln!(out, "{place} = {value};")),
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut g = Generator { random: Random::new(seed), functions: 0, loops: 0 };
    let mut out = String::from("#include <stdio.h>\n");
    for (i, ty) in TYPES.iter().enumerate() {
        let _ = writeln!(out, "static {ty} g{i} = {};", g.random.below(300) - 150);
    }
    for i in 0..3 {
        let _ =
            writeln!(out, "static {} arr{i}[8] = {{ 1, {} }};", g.random.pick(&TYPES), g.random.below(99));
    }
    let mut field = |name: &str| {
        let (ty, width) = g.random.pick(&[("int", 32), ("unsigned", 32), ("short", 16), ("long long", 32)]);
        if g.random.below(3) == 0 {
            format!("{ty} {name};")
        } else {
            format!("{ty} {name} : {};", 1 + g.random.below(width))
        }
    };
    let fields: String = ["a", "b", "c", "d", "e"].iter().map(|n| field(n)).collect();
    let _ = writeln!(out, "struct S {{ {fields} }}; static struct S s = {{ 1, 0, 1 }}, ss[4];");
    out.push_str(
        "static struct S swap(struct S v) { struct S r = v; r.a = v.b; r.b = v.a; r.e ^= 1; return r; }\n",
    );
    for f in 0..3 {
        let _ = writeln!(out, "static {} f{f}(int x0, long long x1) {{", g.random.pick(&TYPES));
        out.push_str("int x2 = 3; int y0 = 0; unsigned short y1 = 7; signed char y2 = -1;\n");
        out.push_str("int z = 5, *p0 = &z, *p1 = &x0, *p2 = &x2;\n");
        let mut body = String::new();
        g.block(2, &mut body);
        out.push_str(&body.replace("&x1", "&x2"));
        let _ = writeln!(out, "return {};\n}}", g.expr(2).replace("&x1", "&x2"));
        g.functions += 1;
    }
    out.push_str("int main(void) {\nfor (int round = 0; round < 5; round++) {\n");
    out.push_str("g0 += f2(round, g9); g9 ^= f1((int)g7, round);\n}\n");
    for i in 0..TYPES.len() {
        let _ = writeln!(out, "printf(\"%lld\\n\", (long long)g{i});");
    }
    out.push_str("for (int i = 0; i < 8; i++) printf(\"%lld %lld %lld\\n\", (long long)arr0[i], (long long)arr1[i], (long long)arr2[i]);\n");
    out.push_str("ss[0] = s; for (int i = 0; i < 4; i++) printf(\"%lld %lld %lld %lld %lld\\n\", (long long)ss[i].a, (long long)ss[i].b, (long long)ss[i].c, (long long)ss[i].d, (long long)ss[i].e);\n");
    out.push_str("return (int)g4 & 63;\n}\n");
    out
}

#[test]
fn random_programs_print_the_same() {
    for seed in 0..25 {
        let folder = Folder::with("p.c", program(seed));
        eprintln!("seed {seed}:\n{}", program(seed));
        same_as_compiled(&folder.path.join("p.c"));
    }
}
