//! What output reads of memory: functions in C that go through the strings that `printf` is handed, as far as it prints them, and
//! the bytes that `fwrite` is.

use super::print::{Amount, conversion};
use super::{Cursor, Length, Made, Param};
use std::fmt::Write;

/// The definition of a function `name(…)` of what follows a format. `None` if the format has what is not known here.
pub(in crate::library) fn function(name: &str, format: &[u8]) -> Option<Made> {
    // Of a null pointer glibc prints "(null)"; but of this format gcc makes a call of `puts`.
    reads(name, format, format != b"%s\n")
}

/// Likewise, of `puts`, which reads a string from wherever it is told.
pub(in crate::library) fn text(name: &str) -> Option<Made> {
    reads(name, b"%s", false)
}

fn reads(name: &str, format: &[u8], takes_null: bool) -> Option<Made> {
    let (mut names, mut params, mut body) = (Vec::new(), Vec::new(), String::new());
    let mut rest = Cursor(format);
    let mut add = |ty: &str, param: Param| {
        let name = format!("a{}", params.len());
        names.push(format!("{ty} {name}"));
        params.push(param);
        name
    };
    while let Some(byte) = rest.next() {
        if byte != b'%' || rest.eat(b"%") {
            continue;
        }
        let c = conversion(&mut rest)?;
        if c.width == Some(Amount::Argument) {
            add("int", Param::Int(Length::Int, true));
        }
        let precision = c.precision.map(|amount| match amount {
            Amount::Is(number) => number.to_string(),
            Amount::Argument => add("int", Param::Int(Length::Int, true)),
        });
        let narrow = matches!(c.length, Length::Char | Length::Short);
        match c.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let (signed, unsigned) = c.length.types()?;
                let is_signed = narrow || matches!(c.letter, b'd' | b'i');
                let ty = if narrow {
                    "int"
                } else if is_signed {
                    signed
                } else {
                    unsigned
                };
                add(ty, Param::Int(c.length, is_signed));
            }
            b'c' if c.length == Length::Int => {
                add("int", Param::Int(Length::Int, true));
            }
            b's' if c.length == Length::Int => {
                let text = add("const char *", Param::Pointer);
                let more = precision.map_or("1".to_owned(), |p| format!("({p} < 0 || i < (SIZE){p})"));
                let some = if takes_null { text.as_str() } else { "1" };
                let _ = writeln!(body, "    if ({some}) {{\n        SIZE i = 0;");
                let _ = writeln!(body, "        while ({more} && {text}[i])\n            i++;\n    }}");
            }
            b'p' if c.length == Length::Int => {
                add("const void *", Param::Pointer);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let long = c.length == Length::LongDouble;
                let (ty, param) =
                    if long { ("long double", Param::LongDouble) } else { ("double", Param::Double) };
                add(ty, param);
            }
            _ => return None,
        }
    }
    let result = "__VERIFIER_approximated_printf";
    let names = if names.is_empty() { "void".to_owned() } else { names.join(", ") };
    let text = format!("int {result}(void);\nint {name}({names})\n{{\n{body}    return {result}();\n}}\n");
    Some(Made { text, params })
}

/// The definition of a function `name(from, size, count)` that reads what `fwrite` does.
pub(in crate::library) fn bytes(name: &str) -> Made {
    let result = "__VERIFIER_approximated_fwrite";
    let text = format!(
        "SIZE {result}(void);\nSIZE {name}(const void *from, SIZE size, SIZE count)\n{{\n    \
         const unsigned char *bytes = from;\n    for (SIZE i = 0; i < size * count; i++)\n        \
         bytes[i];\n    return {result}();\n}}\n"
    );
    Made { text, params: Vec::new() }
}
