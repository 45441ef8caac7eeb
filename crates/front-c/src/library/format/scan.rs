//! `sscanf` and `scanf` with a format that is known, as functions in C. What is read from a string is exact, but for
//! floating-point numbers; what is read from a stream is an input.

use super::{Cursor, Length, Made, Param};
use std::fmt::Write;

/// Where a function reads from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::library) enum From {
    Text,
    Stream,
    /// The standard input, which is not named.
    Input,
}

struct Writer {
    names: Vec<String>,
    body: String,
    from: From,
}

/// The definition of a function that reads by a format, and how many arguments follow the format. `None` if the format
/// has what is not known here.
pub(in crate::library) fn function(name: &str, format: &[u8], from: From) -> Option<Made> {
    let mut writer = Writer { names: Vec::new(), body: String::new(), from };
    let mut rest = Cursor(format);
    while let Some(byte) = rest.next() {
        match byte {
            b' ' | b'\t'..=b'\r' => writer.space(),
            b'%' if rest.eat(b"%") => {
                writer.space();
                writer.literal(b'%');
            }
            b'%' => writer.conversion(&mut rest)?,
            byte => writer.literal(byte),
        }
    }
    let first = match from {
        From::Text => Some("const char *text"),
        From::Stream => Some("void *stream"),
        From::Input => None,
    };
    let params = first.map(str::to_owned).into_iter().chain(writer.names.iter().cloned());
    let params = params.collect::<Vec<_>>().join(", ");
    let params = if params.is_empty() { "void" } else { &params };
    let start = if from == From::Text { "    const char *at = text;\n" } else { "" };
    let text = format!(
        "_Bool __VERIFIER_nondet_scanf_matches(void);\nunsigned char __VERIFIER_nondet_scanf_byte(void);\n\
         long long __VERIFIER_nondet_scanf_number(void);\ndouble __VERIFIER_nondet_scanf_real(void);\n\
         int __VERIFIER_unspecified_scanf(void);\nvoid __VERIFIER_assume(int);\n\
         int {name}({params})\n{{\n{start}    int done = 0;\n{}    return done;\n}}\n",
        writer.body
    );
    Some(Made { text, params: vec![Param::Pointer; writer.names.len()] })
}

/// Whether a byte of the input is white.
const WHITE: &str = "(*at == ' ' || (*at >= '\\t' && *at <= '\\r'))";

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "    {text}");
    }

    fn param(&mut self, ty: &str) -> String {
        let name = format!("a{}", self.names.len());
        self.names.push(format!("{ty} *{name}"));
        name
    }

    fn space(&mut self) {
        if self.from == From::Text {
            self.line(&format!("while {WHITE} at++;"));
        }
    }

    fn literal(&mut self, byte: u8) {
        match self.from {
            From::Text => {
                self.line(&format!("if ((unsigned char)*at != {byte}) return *at || done ? done : -1;"));
                self.line("at++;");
            }
            From::Stream | From::Input => self.may_end(),
        }
    }

    /// The input of a stream may end here, or be otherwise.
    fn may_end(&mut self) {
        self.line("if (!__VERIFIER_nondet_scanf_matches()) return done ? done : (int)__VERIFIER_nondet_scanf_matches() - 1;");
    }

    fn conversion(&mut self, rest: &mut Cursor<'_>) -> Option<()> {
        let kept = !rest.eat(b"*");
        let wide = rest.0.first()?.is_ascii_digit();
        let width = rest.number()?;
        if wide && width == 0 {
            return None;
        }
        let length = rest.length();
        let letter = rest.next()?;
        let width = if wide { width.to_string() } else { "(SIZE)-1".to_owned() };
        match letter {
            b'n' => {
                let (signed, _) = length.types()?;
                if kept {
                    let to = self.param(signed);
                    match self.from {
                        From::Text => self.line(&format!("*{to} = at - text;")),
                        From::Stream | From::Input => {
                            self.line(&format!("*{to} = __VERIFIER_nondet_scanf_number();"))
                        }
                    }
                }
                return Some(());
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => self.integer(letter, length, kept, &width)?,
            b's' | b'c' | b'[' if length == Length::Int => {
                let set = if letter == b'[' { Some(set(rest)?) } else { None };
                let width = if letter == b'c' && !wide { "1".to_owned() } else { width };
                self.characters(letter, set, kept, &width);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if self.from != From::Text => {
                self.may_end();
                let ty = match length {
                    Length::Int => "float",
                    Length::Long => "double",
                    _ => return None,
                };
                if kept {
                    let to = self.param(ty);
                    self.line(&format!("*{to} = __VERIFIER_nondet_scanf_real();"));
                }
            }
            _ => return None,
        }
        if kept {
            self.line("done++;");
        }
        Some(())
    }

    fn integer(&mut self, letter: u8, length: Length, kept: bool, width: &str) -> Option<()> {
        let (signed, unsigned) = length.types()?;
        let is_signed = matches!(letter, b'd' | b'i');
        let to = kept.then(|| self.param(if is_signed { signed } else { unsigned }));
        if self.from != From::Text {
            self.may_end();
            if let Some(to) = to {
                self.line(&format!("*{to} = __VERIFIER_nondet_scanf_number();"));
            }
            return Some(());
        }
        self.space();
        let base = match letter {
            b'o' => "8",
            b'x' | b'X' => "16",
            b'i' => "0",
            _ => "10",
        };
        // As glibc does: the number is that of `strtol` or `strtoul`, of the width of `long` or `long long`, and cut off.
        let (number, magnitude) = if matches!(length, Length::LongLong | Length::Largest) {
            ("long long", "unsigned long long")
        } else {
            ("long", "unsigned long")
        };
        self.line("if (!*at) return done ? done : -1;");
        self.line("{");
        self.line(&format!("SIZE left = {width}; int negative = 0, over = 0, any = 0; int base = {base};"));
        self.line("if (*at == '-' || *at == '+') { negative = *at == '-'; at++; left--; }");
        self.line("if (left > 0 && *at == '0') {");
        self.line("any = 1; at++; left--;");
        if matches!(letter, b'x' | b'X' | b'i') {
            // Whether a prefix without digits is a zero is a question of the library's version.
            self.line("if (left > 0 && (*at == 'x' || *at == 'X')) {");
            self.line("base = 16; at++; left--; any = __VERIFIER_unspecified_scanf() != 0; }");
        }
        self.line("if (base == 0) base = 8;");
        self.line("}");
        self.line("if (base == 0) base = 10;");
        let most =
            if is_signed { format!("(({magnitude})-1 >> 1) + negative") } else { format!("({magnitude})-1") };
        self.line(&format!("{magnitude} most = {most}, value = 0, limit = most / base, rest = most % base;"));
        self.line("for (; left > 0; left--, at++) {");
        self.line("int digit = (unsigned char)*at;");
        self.line("if (digit >= '0' && digit <= '9') digit -= '0';");
        self.line("else if (digit >= 'a' && digit <= 'f') digit -= 'a' - 10;");
        self.line("else if (digit >= 'A' && digit <= 'F') digit -= 'A' - 10;");
        self.line("else break;");
        self.line("if (digit >= base) break;");
        self.line("any = 1;");
        self.line("if (value > limit || (value == limit && digit > rest)) over = 1;");
        self.line("else value = value * base + digit;");
        self.line("}");
        self.line("if (!any) return done;");
        self.line("if (over) value = most;");
        if let Some(to) = to {
            let sign = if is_signed { "negative" } else { "negative && !over" };
            self.line(&format!("*{to} = ({number})({sign} ? -value : value);"));
        }
        self.line("}");
        Some(())
    }

    fn characters(&mut self, letter: u8, set: Option<String>, kept: bool, width: &str) {
        let to = kept.then(|| self.param("char"));
        if self.from != From::Text {
            self.may_end();
            self.line("{");
            if letter == b'c' {
                if let Some(to) = to {
                    self.line(&format!(
                        "for (SIZE i = 0; i < {width}; i++) {to}[i] = __VERIFIER_nondet_scanf_byte();"
                    ));
                }
            } else if let Some(to) = to {
                self.line("SIZE i = 0;");
                self.line("do {");
                self.line("unsigned char c = __VERIFIER_nondet_scanf_byte();");
                let test = match set {
                    Some(set) => set.replace("C", "c"),
                    None => "c != ' ' && !(c >= '\\t' && c <= '\\r')".to_owned(),
                };
                self.line(&format!("__VERIFIER_assume({test});"));
                self.line(&format!("{to}[i++] = c;"));
                self.line(&format!("}} while (i < {width} && __VERIFIER_nondet_scanf_matches());"));
                self.line(&format!("{to}[i] = 0;"));
            }
            self.line("}");
            return;
        }
        if letter == b's' {
            self.space();
        }
        self.line("if (!*at) return done ? done : -1;");
        self.line("{");
        self.line("SIZE i = 0;");
        let test = match (letter, set) {
            (_, Some(set)) => set.replace("C", "(unsigned char)*at"),
            (b's', _) => format!("!{WHITE}"),
            _ => "1".to_owned(),
        };
        self.line(&format!("for (; i < {width} && *at && {test}; i++, at++) {{"));
        if let Some(to) = &to {
            self.line(&format!("{to}[i] = *at;"));
        }
        self.line("}");
        self.line(if letter == b'c' { "if (i < 1) return done;" } else { "if (!i) return done;" });
        if let (Some(to), true) = (&to, letter != b'c') {
            self.line(&format!("{to}[i] = 0;"));
        }
        self.line("}");
    }
}

/// What a set of characters tests of a character `C`.
fn set(rest: &mut Cursor<'_>) -> Option<String> {
    let negated = rest.eat(b"^");
    let mut members = Vec::new();
    if rest.eat(b"]") {
        members.push((b']', b']'));
    }
    loop {
        let byte = rest.next()?;
        if byte == b']' {
            break;
        }
        match rest.0 {
            [b'-', last, ..] if *last != b']' => {
                members.push((byte, *last));
                rest.0 = &rest.0[2..];
            }
            _ => members.push((byte, byte)),
        }
    }
    let tests: Vec<String> = members
        .iter()
        .map(
            |(low, high)| {
                if low == high { format!("C == {low}") } else { format!("(C >= {low} && C <= {high})") }
            },
        )
        .collect();
    let any = tests.join(" || ");
    Some(if negated { format!("!({any})") } else { format!("({any})") })
}
