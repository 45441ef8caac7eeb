//! `snprintf` with a format that is known, as a function in C. Strings and integers are exact; of a floating-point number
//! and an address only the number of characters is limited.

use super::{Cursor, Length, Made, Param};
use std::fmt::Write;

/// A conversion of a format.
pub(super) struct Conversion {
    minus: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    pub(super) width: Option<Amount>,
    pub(super) precision: Option<Amount>,
    pub(super) length: Length,
    pub(super) letter: u8,
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    Is(u32),
    /// The next argument.
    Argument,
}

/// A function being written.
struct Writer {
    names: Vec<String>,
    params: Vec<Param>,
    body: String,
    bounded: bool,
}

/// The definition of a function `name(to, limit, …)`, or without a limit, that does what `snprintf` and `sprintf` do by a
/// format. `None` if the format has what is not known here.
pub(in crate::library) fn function(name: &str, format: &[u8], bounded: bool) -> Option<Made> {
    let mut writer = Writer { names: Vec::new(), params: Vec::new(), body: String::new(), bounded };
    let mut rest = Cursor(format);
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            writer.put(&byte.to_string());
        } else if rest.eat(b"%") {
            writer.put("'%'");
        } else {
            let conversion = conversion(&mut rest)?;
            writer.conversion(&conversion)?;
        }
    }
    let params: String = writer.names.iter().map(|p| format!(", {p}")).collect();
    let (limit, end) = if bounded {
        (", SIZE limit", "if (limit > 0)\n        to[n < limit ? n : limit - 1] = 0;")
    } else {
        ("", "to[n] = 0;")
    };
    let text = format!(
        "SIZE __VERIFIER_approximated_length(void);\nchar __VERIFIER_approximated_char(void);\n\
         void __VERIFIER_assume(int);\nint {name}(char *to{limit}{params})\n{{\n    SIZE n = 0;\n{}    {end}\n    \
         return n;\n}}\n",
        writer.body
    );
    Some(Made { text, params: writer.params })
}

/// A conversion, from behind its `%`.
pub(super) fn conversion(rest: &mut Cursor<'_>) -> Option<Conversion> {
    let mut c = Conversion {
        minus: false,
        plus: false,
        space: false,
        alternative: false,
        zero: false,
        width: None,
        precision: None,
        length: Length::Int,
        letter: 0,
    };
    loop {
        match rest.0.first()? {
            b'-' => c.minus = true,
            b'+' => c.plus = true,
            b' ' => c.space = true,
            b'#' => c.alternative = true,
            b'0' => c.zero = true,
            _ => break,
        }
        rest.next();
    }
    if rest.eat(b"*") {
        c.width = Some(Amount::Argument);
    } else if rest.0.first()?.is_ascii_digit() {
        c.width = Some(Amount::Is(rest.number()?));
    }
    if rest.eat(b".") {
        c.precision = Some(if rest.eat(b"*") { Amount::Argument } else { Amount::Is(rest.number()?) });
    }
    c.length = rest.length();
    c.letter = rest.next()?;
    Some(c)
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "    {text}");
    }

    /// One more parameter, by its name.
    fn param(&mut self, ty: &str, param: Param) -> String {
        let name = format!("a{}", self.params.len());
        self.names.push(format!("{ty} {name}"));
        self.params.push(param);
        name
    }

    /// Writes a character.
    fn put(&mut self, c: &str) {
        let text = if self.bounded {
            format!("if (n + 1 < limit) to[n] = {c}; n++;")
        } else {
            format!("to[n++] = {c};")
        };
        self.line(&text);
    }

    /// Writes as many characters.
    fn repeat(&mut self, count: &str, c: &str) {
        self.line(&format!("for (SIZE i = 0; i < {count}; i++) {{"));
        self.put(c);
        self.line("}");
    }

    fn amount(&mut self, amount: Amount) -> String {
        match amount {
            Amount::Is(number) => number.to_string(),
            Amount::Argument => self.param("int", Param::Int(Length::Int, true)),
        }
    }

    fn conversion(&mut self, c: &Conversion) -> Option<()> {
        self.line("{");
        let mut minus = c.minus.to_string().replace("true", "1").replace("false", "0");
        let width = c.width.map(|w| (w, self.amount(w)));
        self.line("SIZE width = 0;");
        match &width {
            Some((Amount::Is(width), _)) => self.line(&format!("width = {width};")),
            Some((Amount::Argument, width)) => {
                self.line(&format!("width = {width} < 0 ? -(unsigned){width} : {width};"));
                minus = format!("({minus} || {width} < 0)");
            }
            None => {}
        }
        let precision = c.precision.map(|p| self.amount(p));
        match c.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                self.integer(c, &minus, width.is_some(), precision)?;
            }
            b'c' if c.length == Length::Int => {
                let value = self.param("int", Param::Int(Length::Int, true));
                self.padded("1", &minus, width.is_some(), |w| w.put(&format!("(char){value}")));
            }
            b's' if c.length == Length::Int => {
                let text = self.param("const char *", Param::Pointer);
                self.line(&format!("const char *text = {text} ? {text} : \"(null)\";"));
                self.line("SIZE length = 0;");
                match precision {
                    Some(p) => self
                        .line(&format!("while (({p} < 0 || length < (SIZE){p}) && text[length]) length++;")),
                    None => self.line("while (text[length]) length++;"),
                }
                self.padded("length", &minus, width.is_some(), |w| w.repeat("length", "text[i]"));
            }
            b'p' if c.length == Length::Int => {
                self.param("const void *", Param::Pointer);
                self.unknown("20 + width");
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let (ty, param, most) = match c.length {
                    Length::LongDouble => ("long double", Param::LongDouble, 5000),
                    _ => ("double", Param::Double, 330),
                };
                self.param(ty, param);
                let precision = precision.unwrap_or_else(|| "6".to_owned());
                self.line(&format!("SIZE precision = {precision} < 0 ? 6 : {precision};"));
                self.unknown(&format!("{most} + width + precision"));
            }
            b'n' => {
                let (signed, _) = c.length.types()?;
                let to = self.param(&format!("{signed} *"), Param::Pointer);
                self.line(&format!("*{to} = n;"));
            }
            _ => return None,
        }
        self.line("}");
        Some(())
    }

    /// Writes what has a length, with spaces before or behind it up to the width.
    fn padded(&mut self, length: &str, minus: &str, wide: bool, write: impl FnOnce(&mut Writer)) {
        if wide {
            self.line(&format!("SIZE pad = width > {length} ? width - {length} : 0;"));
            if minus != "1" {
                self.line(&format!("if (!{minus})"));
                self.repeat("pad", "' '");
            }
        }
        write(self);
        if wide && minus != "0" {
            self.line(&format!("if ({minus})"));
            self.repeat("pad", "' '");
        }
    }

    /// Writes any text of one character or more.
    fn unknown(&mut self, most: &str) {
        self.line("SIZE length = __VERIFIER_approximated_length();");
        self.line(&format!("__VERIFIER_assume(length >= 1 && length <= {most});"));
        self.line("for (SIZE i = 0; i < length; i++) {");
        self.line("char c = __VERIFIER_approximated_char();");
        self.line("__VERIFIER_assume(c != 0);");
        self.put("c");
        self.line("}");
    }

    fn integer(&mut self, c: &Conversion, minus: &str, wide: bool, precision: Option<String>) -> Option<()> {
        let (signed, unsigned) = c.length.types()?;
        let is_signed = matches!(c.letter, b'd' | b'i');
        let narrow = matches!(c.length, Length::Char | Length::Short);
        let passed = match (narrow, is_signed) {
            (true, _) => "int",
            (false, true) => signed,
            (false, false) => unsigned,
        };
        let value = self.param(passed, Param::Int(c.length, narrow || is_signed));
        let wider = if narrow { "unsigned int" } else { unsigned };
        if is_signed {
            self.line(&format!("{signed} given = {value};"));
            self.line(&format!("{wider} value = given < 0 ? -({wider})given : ({wider})given;"));
        } else {
            self.line(&format!("{wider} value = ({unsigned}){value};"));
        }
        let (base, ten) = match c.letter {
            b'o' => (8, '0'),
            b'x' => (16, 'a'),
            b'X' => (16, 'A'),
            _ => (10, '0'),
        };
        self.line("char digits[24]; SIZE count = 0;");
        if base == 16 {
            self.line(&format!(
                "for ({wider} v = value; v; v /= 16) digits[count++] = v % 16 < 10 ? '0' + v % 16 : '{ten}' - 10 + v % 16;"
            ));
        } else {
            self.line(&format!(
                "for ({wider} v = value; v; v /= {base}) digits[count++] = '0' + v % {base};"
            ));
        }
        match &precision {
            None => self.line("SIZE zeros = count == 0;"),
            Some(p) => {
                self.line(&format!(
                    "SIZE zeros = {p} < 0 ? count == 0 : (SIZE){p} > count ? {p} - count : 0;"
                ));
            }
        }
        // What stands before the digits: a sign, or the base.
        self.line("SIZE before = 0;");
        match c.letter {
            b'd' | b'i' if c.plus || c.space => self.line("before = 1;"),
            b'd' | b'i' => self.line("before = given < 0;"),
            b'x' | b'X' if c.alternative => self.line("before = value ? 2 : 0;"),
            b'o' if c.alternative => self.line("zeros = zeros ? zeros : 1;"),
            _ => {}
        }
        if wide && c.zero {
            let free = precision.map_or("1".to_owned(), |p| format!("{p} < 0"));
            self.line(&format!(
                "if (!{minus} && ({free}) && width > before + zeros + count) zeros = width - before - count;"
            ));
        }
        self.line("SIZE length = before + zeros + count;");
        let letter = char::from(c.letter);
        let sign = if c.plus { "'+'" } else { "' '" };
        self.padded("length", minus, wide, |w| {
            match letter {
                'd' | 'i' if c.plus || c.space => w.put(&format!("(given < 0 ? '-' : {sign})")),
                'd' | 'i' => {
                    w.line("if (before) {");
                    w.put("'-'");
                    w.line("}");
                }
                'x' | 'X' if c.alternative => {
                    w.line("if (before) {");
                    w.put("'0'");
                    w.put(&format!("'{letter}'"));
                    w.line("}");
                }
                _ => {}
            }
            w.line("while (zeros > 0) {");
            w.put("'0'");
            w.line("zeros--; }");
            w.line("while (count > 0) {");
            w.line("count--;");
            w.put("digits[count]");
            w.line("}");
        });
        Some(())
    }
}
