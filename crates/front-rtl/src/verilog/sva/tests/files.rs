//! What becomes of the text of files.

use super::super::lower::{Lowered, Manner, Probe, lower};
use super::super::words::Refusal;

/// A file lowered with monitors of this prefix.
fn lowered(text: &str, prefix: &str) -> Result<Option<Lowered>, Refusal> {
    lower(text, Manner { prefix, asynchronous: false, values: None })
}

#[test]
fn what_is_not_taken_is_refused_at_its_place() {
    for (assertion, column, part) in [
        ("assert property (@(posedge clk) s_eventually a);", 33, "only safety"),
        ("assert property (@(posedge clk) a |-> strong(##[1:$] b));", 39, "liveness"),
        ("assert property (@(posedge clk) not (a ##[1:$] b));", 38, "for ever"),
        ("assert property (@(posedge clk) a |-> ##\"N\" b);", 41, "a number"),
        ("assert property (@(posedge clk) a |-> ##[1:] b);", 44, "a number"),
        ("assert property (@(posedge clk) a[*0:2]);", 33, "no cycle matches"),
        ("assert property (@(posedge clk) (a, x = b) ##1 c);", 33, "local variables"),
        ("assert property (@(posedge clk) a |-> (b ##1 c) && d);", 42, "inside an expression"),
        ("assert property (@(clk) a |-> b);", 18, "the clock"),
        ("assert property (@(posedge clk) a ##1 @(posedge other) b);", 39, "several clocks"),
        ("assert property (a |=> b);", 1, "no clock"),
        ("always @(posedge clk or posedge b) assert property (a |-> b);", 36, "one clock alone"),
        ("always @(posedge clk) for (i = 0; i < 3; i++) assert property (a |-> b);", 47, "a loop"),
        ("always @(posedge clk) assert property (@(negedge clk) a |-> b);", 23, "another clock"),
        ("always @(posedge clk) assert property (a |-> ##N b);", 23, "inside of a process"),
        ("assert property (@(posedge clk) eventually a);", 33, "only safety"),
        ("assert property (@(posedge clk) s_always a);", 33, "a range"),
        ("property p; int x; a ##1 b; endproperty", 18, "local variables"),
        ("assert property (@(posedge clk) a |->);", 38, "expression"),
        ("assert property (@(posedge clk) a |=> b) property p; c; endproperty", 42, "inside of an assertion"),
        ("assert property (@(posedge clk) a ##[3:1] b);", 38, "empty"),
    ] {
        let text = format!("module m;\n{assertion}\nendmodule\n");
        let refusal = match lowered(&text, "p") {
            Err(refusal) => refusal,
            Ok(Some(Lowered { refused, .. })) if !refused.is_empty() => refused[0].1.clone(),
            Ok(lowered) => panic!("{assertion} is taken: {lowered:?}"),
        };
        let at = refusal.at - 10 + 1;
        assert!(
            refusal.message.contains(part) && (column == 0 || column == at),
            "{assertion}: {at}: {}",
            refusal.message
        );
    }
}

#[test]
fn the_rest_of_a_file_stays_where_it_is() {
    let text = "module m(input clk, a, b);\n  default clocking @(posedge clk);\n  endclocking\n  property p(x, y = b);\n    x |=>\n    y;\n  \
        endproperty : p\n  lab: assert property (p(a))\n    else $error(\"no; %d\", 3);\n  wire c = a; // here\n  \
        assert property (disable iff (a) b ##1 a);\n  always @(posedge clk) begin assert (a) else $error(\"x\"); end\nendmodule\n";
    let made = lowered(text, "m0").expect("it is taken").expect("it changes");
    assert_eq!(made.text.lines().count(), text.lines().count());
    assert_eq!(made.text.lines().nth(9), Some("  wire c = a; // here"));
    assert_eq!(
        made.text.lines().nth(11),
        Some("  always @(posedge clk) begin assert (a) ;                 end")
    );
    let names: Vec<&str> = made.assertions.iter().map(|(a, _)| a.name.as_str()).collect();
    assert_eq!(names, ["lab", "assert property (disable iff (a) b ##1 a)"]);
    assert!(made.text.contains("assert property (m0_0_ok)"), "{}", made.text);
    assert!(lowered("module m; assert property (a); endmodule", "p").expect("it is taken").is_none());
    let made = lowered("module m; assert (a); x: assert final (b); endmodule", "p").expect("it is taken");
    let text = made.expect("it changes").text;
    assert_eq!(text, "module m; assert property (a); x: assert property (b); endmodule");
    // A label in the middle, as older tools have it, and operators that Yosys does not read.
    for (text, expected) in [
        ("always assert p: a==1;", "       p: assert property (a==1);"),
        ("assert p: a -> b;", "p: assert property ((!(a) || (b)));"),
        ("always @a b = c;", "always @(a) b = c;"),
        ("always @(a) begin assert (a <-> b); end", "always @(a) begin assert ((!(a) == !(b))); end"),
    ] {
        let made = lowered(&format!("module m; {text} endmodule"), "p").expect("it is taken");
        assert_eq!(made.expect("it changes").text, format!("module m; {expected} endmodule"));
    }
}

#[test]
fn values_of_constants_are_asked_for() {
    let text = "module m; x: assert property (@(posedge clk) a |-> ##N b ##[M:N+1] c); endmodule";
    let made = lowered(text, "p").expect("it is taken").expect("it changes");
    assert_eq!(made.probes, [Probe { wire: "p_0_c".to_owned(), count: 3 }]);
    let expected = "localparam [31:0] p_0_c0 = N; localparam [31:0] p_0_c1 = M; localparam [31:0] p_0_c2 = N+1; \
                    wire [95:0] p_0_c = {p_0_c2, p_0_c1, p_0_c0};";
    assert_eq!(made.text, format!("module m; {expected} endmodule"));
    let bits = |value: u32| format!("{value:032b}");
    let netlist = format!("module m\n  connect \\g[1].p_0_c 96'{}{}{}\nend\n", bits(3), bits(1), bits(2));
    let values = made.probes[0].values(&netlist);
    assert_eq!(values.iter().collect::<Vec<_>>(), [&vec![2, 1, 3]]);
    let one = Probe { wire: "p_1_c".to_owned(), count: 1 };
    assert_eq!(
        one.values("  connect \\p_1_c 4\n  connect \\p_1_c \\x\n").into_iter().collect::<Vec<_>>(),
        [vec![4]]
    );
    let values = [("p_0_c".to_owned(), values)].into_iter().collect();
    let made = lower(text, Manner { prefix: "p", asynchronous: false, values: Some(&values) });
    let text = made.expect("it is taken").expect("it changes").text;
    assert!(text.contains("if (p_0_c0 == 2 && p_0_c1 == 1 && p_0_c2 == 3) begin: p_0_v0 "), "{text}");
}
