//! The parameters of a function as declarations of variables, in the words of its definition.

use crate::cprover::words::Words;
use crate::tree::{FunctionId, Unit};
use std::ops::Range;

/// Qualifiers and storage that a variable which is to be filled does without.
const LEFT_OUT: [&str; 7] =
    ["const", "restrict", "__restrict", "__restrict__", "register", "volatile", "__const"];

/// A declaration for each parameter.
pub(super) fn declarations(text: &str, unit: &Unit, function: FunctionId) -> Result<Vec<String>, String> {
    let data = &unit[function];
    if data.params.is_empty() {
        return Ok(Vec::new());
    }
    let words = Words::of(text);
    let list = definition(&words, &data.name).ok_or("its definition was not found in the text")?;
    let parts: Vec<_> =
        words.split(list, ",").into_iter().filter(|part| words.word(part.start) != "...").collect();
    if parts.len() != data.params.len() {
        return Err("a definition without a prototype has no harness".to_owned());
    }
    let named = parts.into_iter().zip(&data.params);
    named.map(|(part, &param)| declaration(&words, part, &unit[param].name)).collect()
}

/// The words between the brackets of a function's definition.
fn definition(words: &Words<'_>, name: &str) -> Option<Range<usize>> {
    let mut i = 0;
    while i < words.words.len() {
        if words.word(i) == name && words.word(i + 1) == "(" {
            let end = words.closing(i + 1)?;
            let mut behind = end + 1;
            // Attributes may stand between the declarator and the body.
            while matches!(words.word(behind), "__attribute__" | "__asm__" | "asm") {
                behind = words.closing(behind + 1)? + 1;
            }
            if words.word(behind) == "{" {
                return Some(i + 2..end);
            }
        }
        match words.word(i) {
            "{" => i = words.closing(i)? + 1,
            _ => i += 1,
        }
    }
    None
}

/// A parameter as a variable: an array is a pointer to its first element, and a function one to it.
fn declaration(words: &Words<'_>, part: Range<usize>, name: &str) -> Result<String, String> {
    let place = part
        .clone()
        .rev()
        .find(|&i| words.word(i) == name && words.word(i + 1) != "(")
        .or_else(|| part.clone().find(|&i| words.word(i) == name));
    let place = place.ok_or_else(|| format!("its parameter `{name}` was not found in the text"))?;
    let mut out: Vec<String> = Vec::new();
    let mut i = part.start;
    while i < part.end {
        let word = words.word(i);
        if i == place {
            match words.word(i + 1) {
                "[" if i + 1 < part.end => {
                    out.push(format!("(*{name})"));
                    i = words.closing(i + 1).ok_or("brackets do not match")?;
                }
                "(" if i + 1 < part.end => out.push(format!("(*{name})")),
                _ => out.push(name.to_owned()),
            }
        } else if !LEFT_OUT.contains(&word) {
            out.push(word.to_owned());
        }
        i += 1;
    }
    Ok(out.join(" ").replace("* ", "*").replace("( ", "(").replace(" )", ")").replace(" ,", ","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let text = format!("{text};");
        let words = Words::of(&text);
        declaration(&words, 0..words.words.len() - 1, "a").expect("it is a declaration")
    }

    #[test]
    fn parameters_are_variables() {
        assert_eq!(of("const struct s *const a"), "struct s *a");
        assert_eq!(of("int a[static 3]"), "int (*a)");
        assert_eq!(of("char a[2][4]"), "char (*a) [ 4 ]");
        assert_eq!(of("int a(int, char)"), "int (*a) (int, char)");
        assert_eq!(of("int (*a)(void)"), "int (*a) (void)");
    }
}
