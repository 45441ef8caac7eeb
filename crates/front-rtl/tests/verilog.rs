//! Verilog through Yosys: what designs mean, what is known of their source, what is refused and how.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tamis_design::{Design, Run, Stimulus};
use tamis_diagnostics::Error;
use tamis_front_rtl::{Options, Source, load};
use tamis_logic::{Bits, Model, Terms, Value};
use tamis_testing::yosys;

/// Files in a folder of their own, which goes in the end.
struct Files {
    folder: PathBuf,
    options: Options,
}

impl Files {
    /// None without Yosys.
    fn new() -> Option<Files> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let yosys = yosys()?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tamis-verilog-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Some(Files { folder, options: Options { yosys: Some(yosys.into()), ..Options::default() } })
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.join(name);
        std::fs::write(&file, text).expect("a file");
        file
    }

    fn load(&self, files: &[PathBuf]) -> Result<(Terms, Source), Error> {
        let mut terms = Terms::new();
        let source = load(&mut terms, files, &self.options)?;
        Ok((terms, source))
    }

    fn read(&self, text: &str) -> (Terms, Source) {
        self.load(&[self.write("t.sv", text)]).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    fn refused(&self, text: &str) -> Error {
        match self.load(&[self.write("t.sv", text)]) {
            Ok(_) => panic!("this is taken:\n{text}"),
            Err(error) => error,
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A cycle with inputs by name.
fn cycle(design: &Design, values: &[(&str, u128)]) -> Model {
    let mut model = Model::new();
    for signal in design.signals() {
        if let Some((_, value)) = values.iter().find(|(name, _)| *name == signal.name) {
            model.set(signal.term, Value::Bits(Bits::new(1, *value)));
        }
    }
    model
}

/// In which cycles a property is violated on given inputs.
fn violations(terms: &Terms, design: &Design, property: usize, cycles: Vec<Model>) -> Vec<usize> {
    let count = cycles.len();
    let run = Run::new(terms, design, &Stimulus { initial: Model::new(), cycles }).expect("an execution");
    (0..count).filter(|&c| run.value(terms, c, design.properties[property].term).as_bool()).collect()
}

#[test]
fn names_and_places_are_those_of_the_source() {
    let Some(files) = Files::new() else { return };
    let (_, source) = files.read(
        "module cell_(input clk, input d, output reg q);\n  always @(posedge clk) q <= d;\n  never: assert property (@(posedge clk) d |=> q);\n\
         endmodule\nmodule top(input clk, input [1:0] in);\n  wire [1:0] q;\n  reg [3:0] mem [0:3];\n  cell_ u(clk, in[0], q[0]);\n  \
         cell_ v(clk, in[1], q[1]);\n  always @(posedge clk) if (in == 2) mem[in] <= 3;\n  always @* assert (mem[q] != 5);\nendmodule\n",
    );
    let design = &source.design;
    let place = |name: &str| {
        let signal = design.signals().find(|s| s.name == name).unwrap_or_else(|| panic!("no {name}"));
        signal.place.as_ref().map(|p| (p.line, p.column))
    };
    assert_eq!(place("u.q"), Some((1, 45)));
    assert_eq!(place("in"), Some((5, 35)));
    assert_eq!(place("mem"), Some((7, 13)));
    let properties: Vec<(&str, u32)> =
        design.properties.iter().map(|p| (p.name.as_str(), p.place.as_ref().map_or(0, |p| p.line))).collect();
    assert_eq!(properties, [("u: never", 3), ("v: never", 3), ("assert (mem[q] != 5)", 11)]);
    assert!(design.properties[0].place.as_ref().is_some_and(|p| p.file.ends_with("t.sv")));
}

#[test]
fn what_has_no_value_has_any() {
    let Some(files) = Files::new() else { return };
    let (terms, source) = files.read(
        "module m(input clk, input pick);\n  reg [3:0] set = 5;\n  reg [3:0] unset;\n  reg [3:0] mixed; initial mixed[1:0] = 2;\n  \
         reg [1:0] filled [0:1]; initial begin filled[0] = 1; filled[1] = 2; end\n  reg [1:0] empty [0:1];\n  \
         wire unknown = pick ? 1'bx : 1'b0;\n  wire [3:0] constant = $anyconst;\n  wire [3:0] sequence_ = $anyseq;\n  \
         reg [3:0] before; reg old = 0;\n  always @(posedge clk) begin before <= constant; old <= 1; end\n  \
         always @* begin\n    a: assert (set == 5); b: assert (unset == 5); c: assert (mixed[1:0] == 2); d: assert (mixed[2]);\n    \
         e: assert (filled[pick] == 1 + pick); f: assert (empty[pick] == 1); g: assert (!unknown); h: assert (pick || !unknown);\n    \
         i: assert (!old || before == constant); j: assert (sequence_ == 0);\n  end\nendmodule\n",
    );
    let design = &source.design;
    // What can be violated in the first two cycles, by trying what the registers and inputs of one bit and word are.
    let mut found = std::collections::BTreeSet::new();
    for choice in 0..64u128 {
        let pattern = |width: u32, i: usize| {
            Value::Bits(Bits::new(width, ((choice >> (i % 6)) * 0x5555_5555) ^ choice))
        };
        let mut initial = Model::new();
        let mut inputs = [Model::new(), Model::new()];
        for (i, signal) in design.signals().enumerate() {
            if let Some(width) = terms.sort(signal.term).width() {
                initial.set(signal.term, pattern(width, i));
                inputs[0].set(signal.term, pattern(width, i));
                inputs[1].set(signal.term, pattern(width, i + 1));
            }
        }
        let stimulus = Stimulus { initial, cycles: inputs.to_vec() };
        let run = Run::new(&terms, design, &stimulus).expect("there are no constraints");
        for property in &design.properties {
            if (0..2).any(|c| run.value(&terms, c, property.term).as_bool()) {
                found.insert(property.name.as_str());
            }
        }
    }
    let found: Vec<&str> = found.into_iter().collect();
    // `f` too: what is not tried here is another first content of the memory than 0.
    assert_eq!(found, ["b", "d", "f", "g", "j"]);
}

#[test]
fn a_clocked_assertion_is_about_its_cycle() {
    let Some(files) = Files::new() else { return };
    let (terms, source) = files.read(
        "module m(input clk, a, b);\n  reg [1:0] n = 0;\n  always @(posedge clk) n <= n + 1;\n  always @(posedge clk) assert (n != 2);\n  \
         always @* assert (n != 2);\n  assert property (@(posedge clk) n != 2);\n  \
         assume property (@(posedge clk) a |=> b);\n  always @* assume (a == b);\nendmodule\n",
    );
    let design = &source.design;
    assert_eq!((design.properties.len(), design.constraints.len()), (3, 2));
    for property in 0..3 {
        let cycles = vec![cycle(design, &[]); 5];
        assert_eq!(violations(&terms, design, property, cycles), [2], "property {property}");
    }
    // An assumption is known in the cycle that it is about as well.
    let cycles = vec![cycle(design, &[("a", 1), ("b", 1)]), cycle(design, &[])];
    let error =
        Run::new(&terms, design, &Stimulus { initial: Model::new(), cycles }).expect_err("it does not hold");
    assert_eq!(error.cycle, 1);
}

#[test]
fn functions_of_other_cycles() {
    let Some(files) = Files::new() else { return };
    let (terms, source) = files.read(
        "module m(input clk, a, b);\n  reg v = 0; always @(posedge clk) v <= 1;\n  default clocking @(posedge clk); endclocking\n  \
         assert property (v |-> !$rose(a));\n  assert property (v |-> !$fell(a));\n  assert property (v |-> $stable(a));\n  \
         assert property (v |-> !$changed(a));\n  assert property (v ##1 1 |-> $past(a, 2) == a);\n  \
         assert property ($onehot({a, b}));\n  assert property ($onehot0({a, b}));\n  assert property (a |-> ##1 $past(b) && $sampled(a));\nendmodule\n",
    );
    let (a, b) = ([0, 1, 1, 0, 0, 1, 0, 1], [1, 1, 0, 0, 1, 0, 1, 1]);
    let design = &source.design;
    let cycles = || (0..8).map(|t| cycle(design, &[("a", a[t]), ("b", b[t])])).collect();
    let expect = |holds: &dyn Fn(usize) -> bool, from: usize| -> Vec<usize> {
        (from..8).filter(|&t| !holds(t)).collect()
    };
    let expected = [
        expect(&|t| !(a[t - 1] == 0 && a[t] == 1), 1),
        expect(&|t| !(a[t - 1] == 1 && a[t] == 0), 1),
        expect(&|t| a[t - 1] == a[t], 1),
        expect(&|t| a[t - 1] == a[t], 1),
        expect(&|t| a[t - 2] == a[t], 2),
        expect(&|t| a[t] + b[t] == 1, 0),
        expect(&|t| a[t] + b[t] <= 1, 0),
        expect(&|t| a[t - 1] == 0 || (b[t - 1] == 1 && a[t] == 1), 1),
    ];
    for (property, expected) in expected.iter().enumerate() {
        assert_eq!(violations(&terms, design, property, cycles()), *expected, "property {property}");
    }
}

/// With two clocks a step is a moment: what happens between the edges of one of them is seen.
#[test]
fn two_clocks_are_not_one() {
    let Some(files) = Files::new() else { return };
    let (terms, source) = files.read(
        "module m(input clk, other);\n  reg [3:0] a = 0, b = 0;\n  always @(posedge clk) a <= a + 1;\n  \
         always @(posedge other) b <= b + 1;\n  always @* assert (a == b);\nendmodule\n",
    );
    let design = &source.design;
    let one_ticks = (0..6).map(|t| cycle(design, &[("clk", t % 2), ("other", 0)])).collect();
    assert!(!violations(&terms, design, 0, one_ticks).is_empty(), "one clock may tick alone");
    let (terms, source) = files.read(
        "module m(input clk);\n  reg a = 0, b = 0;\n  always @(posedge clk) a <= !a;\n  always @(negedge clk) b <= a;\n  \
         always @* assert (a == b);\nendmodule\n",
    );
    let design = &source.design;
    let ticks = (0..6).map(|t| cycle(design, &[("clk", t % 2)])).collect();
    assert!(!violations(&terms, design, 0, ticks).is_empty(), "between the edges they differ");
    // A memory has a clock, too.
    let (terms, source) = files.read(
        "module m(input clk, other);\n  reg [3:0] a = 0; reg [3:0] mem [0:1]; initial begin mem[0] = 0; mem[1] = 0; end\n  \
         always @(posedge clk) a <= a + 1;\n  always @(posedge other) mem[0] <= mem[0] + 1;\n  always @* assert (a == mem[0]);\nendmodule\n",
    );
    let design = &source.design;
    let ticks = (0..6).map(|t| cycle(design, &[("clk", t % 2), ("other", 0)])).collect();
    assert!(!violations(&terms, design, 0, ticks).is_empty(), "one clock may tick alone");
    let (_, source) = files.read(
        "module m(input clk);\n  reg [3:0] a = 0; reg [3:0] mem [0:1]; wire c = clk;\n  always @(posedge clk) a <= a + 1;\n  \
         always @(posedge c) begin mem[0] <= mem[1]; mem[a[0]] <= 3; end\n  always @* assert (a == mem[0]);\nendmodule\n",
    );
    assert_eq!(source.design.registers.len(), 2, "an edge is a step");
    // The same clock through the hierarchy is one.
    let (terms, source) = files.read(
        "module r(input c, output reg [3:0] q); initial q = 0; always @(posedge c) q <= q + 1; endmodule\n\
         module m(input clk);\n  wire [3:0] a, b; wire same = clk; r u(clk, a); r v(same, b);\n  always @* assert (a == b);\nendmodule\n",
    );
    let design = &source.design;
    let ticks = (0..6).map(|t| cycle(design, &[("clk", t % 2)])).collect();
    assert!(violations(&terms, design, 0, ticks).is_empty(), "they are equal");
    assert_eq!(design.registers.len(), 2, "and an edge is a step");
}

/// A reset between two edges ends the attempts of a property.
#[test]
fn resets_come_between_edges() {
    let Some(files) = Files::new() else { return };
    let (terms, source) = files.read(
        "module m(input clk, other, rst, a, b);\n  reg x; always @(posedge other) x <= a; always @* assert (!x || 1);\n  \
         assert property (@(posedge clk) disable iff (rst) a |=> b);\nendmodule\n",
    );
    let design = &source.design;
    let run = |pulse: u128| {
        let steps = [(0, 0, 1), (1, 0, 1), (1, pulse, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 0)];
        let cycles = steps
            .iter()
            .map(|&(clk, rst, a)| cycle(design, &[("clk", clk), ("rst", rst), ("a", a)]))
            .collect();
        violations(&terms, design, 1, cycles)
    };
    assert!(!run(0).is_empty() && run(1).is_empty(), "{:?} {:?}", run(0), run(1));
}

/// [CTL, Fig. 1], and `case`, `casez`, `?:`, parameters and instances.
#[test]
fn branch_conditions_are_candidates() {
    let Some(files) = Files::new() else { return };
    let (terms, source) = files.read(
        "module m(input clk, input [1:0] mode, input [3:0] a, b);\n  parameter NO_CONF = 2;\n  reg [3:0] x = 0;\n  \
         always @(posedge clk) begin\n    if (mode != NO_CONF) begin\n      x <= 1;\n    end else if (a == b) begin\n      x <= 2;\n    end\n    \
         casez (a)\n      4'b1??0: x <= 3;\n      4'd1, 4'd2: x <= (b < 7) ? 4 : 5;\n    endcase\n  end\n  assert property (x != 9);\nendmodule\n",
    );
    let design = &source.design;
    let found: Vec<(&str, u32)> =
        design.branches.iter().map(|b| (b.name.as_str(), b.place.as_ref().map_or(0, |p| p.line))).collect();
    let expected = [
        ("mode != NO_CONF", 5),
        ("a == b", 7),
        ("casez (a) 4'1--0", 10),
        ("casez (a) 4'0001, 4'0010", 10),
        ("(b < 7)", 12),
    ];
    assert_eq!(found, expected);
    let input = |name: &str| design.inputs.iter().find(|i| i.name == name).expect("an input").term;
    for value in 0..64u128 {
        let (a, b, mode) = (value % 16, value * 7 % 16, value % 4);
        let mut model = Model::new();
        for (name, width, value) in [("a", 4, a), ("b", 4, b), ("mode", 2, mode)] {
            model.set(input(name), Value::Bits(Bits::new(width, value)));
        }
        let holds: Vec<bool> = design.branches.iter().map(|b| terms.eval(b.term, &model).as_bool()).collect();
        assert_eq!(
            holds,
            [mode != 2, a == b, a & 9 == 8, a == 1 || a == 2, b < 7],
            "a = {a}, b = {b}, mode = {mode}"
        );
    }
    let vars = design.branches.iter().flat_map(|b| terms.free_vars(b.term));
    assert!(
        vars.into_iter().all(|v| design.signals().any(|s| s.term == v)),
        "they are over the design's signals"
    );
}

#[test]
fn options_files_and_tops() {
    let Some(mut files) = Files::new() else { return };
    std::fs::create_dir_all(files.folder.join("inc")).expect("a folder");
    files.write("inc/width.vh", "`define WIDTH 3\n");
    files.write("near.vh", "`define NEAR 1\n");
    let leaf = files.write("leaf x.sv", "`include \"width.vh\"\nmodule leaf(input [`WIDTH-1:0] a, input clk);\n  lab: assert property (@(posedge clk) a |=> a != `LIMIT);\nendmodule\n");
    let top = files.write("top.v", "`include \"near.vh\"\nmodule top(input [2:0] a, input clk); leaf l(a, clk); endmodule\nmodule other(output x); assign x = 1; endmodule\n");
    files.options.include = vec![files.folder.join("inc")];
    files.options.define = vec!["LIMIT=4".to_owned()];
    let both = [leaf, top];
    let error = files.load(&both).map(drop).expect_err("there are two tops");
    assert!(error.diagnostic().message.contains("other, top"), "{error}");
    files.options.top = Some("top".to_owned());
    let (_, source) = files.load(&both).expect("it is read");
    assert_eq!(source.design.properties[0].name, "l: lab");
    let place = source.design.properties[0].place.clone().expect("a place");
    assert!(place.file.ends_with("leaf x.sv") && (place.line, place.column) == (3, 3), "{place}");
    files.options.top = Some("a; shell".to_owned());
    assert!(files.load(&both).is_err());
    files.options.top = Some("top".to_owned());
    for define in ["X; shell touch x", "A\"", "1 2", ""] {
        files.options.define = vec![define.to_owned()];
        let error = files.load(&both).map(drop).expect_err("it is no macro");
        assert!(error.diagnostic().message.contains("macro"), "{error}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let Some(files) = Files::new() else { return };
    for (text, line, part) in [
        ("module m;\n  wire x = ;\nendmodule\n", 2, "syntax error"),
        ("module m(input a);\n  gone u(a);\nendmodule\n", 2, "no module `gone`"),
        (
            "(* blackbox *) module box(input a, output b); endmodule\nmodule m(input a); wire b;\n  box u(a, b);\n  always @* assert (b);\nendmodule\n",
            3,
            "black box `box`",
        ),
        (
            "module m(input a);\n  wire x, y;\n  assign x = y & a;\n  assign y = x | a;\n  always @* assert (x);\nendmodule\n",
            3,
            "loop",
        ),
        (
            "module m(input a, b);\n  wire x;\n  assign x = a;\n  assign x = b;\n  always @* assert (x);\nendmodule\n",
            1,
            "several drivers",
        ),
        (
            "module m(input clk, a);\n  assume property (@(posedge clk) s_eventually a);\nendmodule\n",
            2,
            "safety",
        ),
        (
            "module s; wire x = 1; endmodule\nmodule m(input a);\n  s u();\n  always @* assert (u.x);\nendmodule\n",
            4,
            "`u.x` is a name of another module",
        ),
        (
            "module m(input clk, a);\n  assert property (@(posedge clk) a |=> b);\nendmodule\n",
            2,
            "`b` is declared nowhere",
        ),
    ] {
        let error = files.refused(text);
        let d = error.diagnostic();
        let known = d.line == line || (part == "loop" && [3, 4].contains(&d.line));
        assert!(known && d.message.contains(part) && d.source_line.is_some(), "{text}: {d:?}");
    }
    let error = files.refused("");
    assert!(error.diagnostic().message.contains("module"), "{error}");
}

/// What is not taken is told with the others, which are.
#[test]
fn an_assertion_that_is_not_taken_leaves_the_others() {
    let Some(files) = Files::new() else { return };
    let (_, source) = files.read(
        "module m(input clk, a);\n  live: assert property (@(posedge clk)\n    s_eventually a);\n  safe: assert property (@(posedge clk) a |=> a);\n\
         endmodule\n",
    );
    assert_eq!(source.design.properties.len(), 1);
    let [unchecked] = &source.unchecked[..] else { panic!("one is not taken") };
    assert_eq!(unchecked.name, "live");
    assert!(unchecked.why.contains("liveness") && unchecked.why.contains("t.sv:3:5"), "{}", unchecked.why);
    // A module in which nothing is left is still there.
    let (_, source) =
        files.read("module m(input clk, a); assert property (@(posedge clk) s_eventually a); endmodule");
    assert_eq!((source.design.properties.len(), source.unchecked.len()), (0, 1));
}

/// Delays that are parameters have the value that they have in each instance, also in `generate`.
#[test]
fn constants_are_delays() {
    let Some(files) = Files::new() else { return };
    let (terms, source) = files.read(
        "module s #(parameter N = 1) (input clk, a, b);\n  localparam M = N + 1;\n  p: assert property (@(posedge clk) a |-> ##N b);\n  \
         q: assert property (@(posedge clk) a |-> ##[N:M] b);\nendmodule\nmodule m(input clk, a, b);\n  s one(clk, a, b);\n  \
         s #(.N(2)) two(clk, a, b);\n  genvar i;\n  generate for (i = 0; i < 2; i = i + 1) begin: g\n    \
         r: assert property (@(posedge clk) a |-> ##(i) b);\n  end endgenerate\nendmodule\n",
    );
    let design = &source.design;
    let names: Vec<&str> = design.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["one: p", "two: p", "one: q", "two: q", "g[0].r", "g[1].r"]);
    // `a` in the first cycle alone, and `b` in the third.
    let cycles = (0..6).map(|c| cycle(design, &[("a", u128::from(c == 0)), ("b", u128::from(c == 2))]));
    let cycles: Vec<Model> = cycles.collect();
    let fails: Vec<Vec<usize>> = (0..6).map(|p| violations(&terms, design, p, cycles.clone())).collect();
    assert_eq!(fails, [vec![1], vec![], vec![], vec![], vec![0], vec![1]]);
}

/// A memory may be declared and never used, or never read.
#[test]
fn memories_that_nothing_reads_are_left_out() {
    let Some(files) = Files::new() else { return };
    let (_, source) = files.read(
        "module m(input clk, a, input [1:0] i);\n  reg [3:0] unused [0:3];\n  reg [3:0] unread [0:3];\n  reg [3:0] held [0:3];\n  \
         always @(posedge clk) begin unread[i] <= a; held[i] <= a; assert (held[i] < 2); end\nendmodule\n",
    );
    let names: Vec<&str> = source.design.registers.iter().map(|r| r.signal.name.as_str()).collect();
    assert!(names.contains(&"held") && !names.contains(&"unread"), "{names:?}");
}

/// Assertions that come from macros of a header, at the places of their uses.
#[test]
fn macros_make_assertions() {
    let Some(files) = Files::new() else { return };
    files.write(
        "checks.svh",
        "`define CHECK(name, p) name: assert property (@(posedge clk) disable iff (rst) p) \\\n  else $error(`\"name`\");\n`define SOON ##[1:2]\n",
    );
    let (terms, source) = files.read(
        "`include \"checks.svh\"\nmodule m(input clk, rst, a, b);\n  `CHECK(soon, a |-> `SOON b)\n  wire x;\n\
         `ifdef FORMAL\n  `CHECK(once,\n    a |=> !a)\n`endif\nendmodule\n",
    );
    let design = &source.design;
    let found: Vec<(&str, u32)> =
        design.properties.iter().map(|p| (p.name.as_str(), p.place.as_ref().map_or(0, |p| p.line))).collect();
    assert_eq!(found, [("soon", 3), ("once", 6)]);
    let cycles = [1, 1, 0, 0].map(|a| cycle(design, &[("a", a), ("b", 0), ("rst", 0)])).to_vec();
    assert_eq!(violations(&terms, design, 0, cycles.clone()), [2, 3]);
    assert_eq!(violations(&terms, design, 1, cycles), [1]);
}

#[cfg(unix)]
#[test]
fn another_yosys_is_not_trusted() {
    use std::os::unix::fs::PermissionsExt;
    let Some(mut files) = Files::new() else { return };
    let real = files.options.yosys.clone().expect("a name").display().to_string();
    let text =
        "module m(input clk, a);\n  always @(posedge clk) begin assert (a); assert (!a); end\nendmodule\n";
    for (script, part) in [
        ("echo 'Yosys 0.9 (git)'".to_owned(), "0.23 or newer"),
        ("echo 'Yosys 0.23'; exit 3".to_owned(), "Yosys"),
        // It loses an assertion on the way.
        (
            format!(
                "[ \"$1\" = -V ] && exec {real} -V\nsed 's/^expose/delete *tamis_check_1\\nexpose/; s/^opt_clean/delete *\\/tamis_check_1\\nopt_clean/' \"$4\" > \"$4.lossy\"\nexec {real} -Q -T -s \"$4.lossy\""
            ),
            "leaves it in 0",
        ),
    ] {
        let fake = files.write("fake", &format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).expect("a mode");
        files.options.yosys = Some(fake);
        let error = files.refused(text);
        assert!(error.diagnostic().message.contains(part), "{script}: {error}");
    }
    files.options.yosys = Some(files.folder.join("none"));
    assert!(files.refused(text).diagnostic().message.contains("cannot be run"));
    let slow = files.write("slow", "#!/bin/sh\nexec sleep 100\n");
    std::fs::set_permissions(&slow, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    files.options.yosys = Some(slow);
    files.options.deadline = Some(Instant::now() + Duration::from_millis(50));
    assert!(files.refused(text).diagnostic().message.contains("time limit"));
}
