//! Names of a specification in the C that it becomes.
//!
//! A name such as `locks$depth` is C to gcc and in no program by accident.

use crate::scanner::is_part_of_name;

/// The variables of one specification.
pub struct Names<'a> {
    specification: &'a str,
    variables: Vec<&'a str>,
}

impl<'a> Names<'a> {
    pub fn new(specification: &'a str) -> Names<'a> {
        Names { specification, variables: Vec::new() }
    }

    pub fn add(&mut self, variable: &'a str) {
        self.variables.push(variable);
    }

    pub fn knows(&self, variable: &str) -> bool {
        self.variables.contains(&variable)
    }

    /// The name of a variable in C.
    pub fn of(&self, variable: &str) -> String {
        format!("{}${variable}", self.specification)
    }

    /// C, with the specification's variables under their names there. Members of the same name stay.
    pub fn in_c(&self, text: &str) -> String {
        let mut out = String::new();
        for (word, _) in words(text) {
            let is_member = out.trim_end().ends_with('.') || out.trim_end().ends_with("->");
            match self.variables.contains(&word) && !is_member {
                true => out += &self.of(word),
                false => out += word,
            }
        }
        out
    }
}

/// A text cut into names, constants and single characters, each with whether it is a name.
pub fn words(text: &str) -> Vec<(&str, bool)> {
    let (mut words, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            c if is_part_of_name(c) || c == '$' => {
                rest.find(|c| !is_part_of_name(c) && c != '$').unwrap_or(rest.len())
            }
            '"' | '\'' => constant_end(rest, first),
            c => c.len_utf8(),
        };
        words.push((&rest[..end], is_part_of_name(first) && !first.is_ascii_digit()));
        rest = &rest[end..];
    }
    words
}

fn constant_end(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_are_renamed() {
        let mut names = Names::new("r");
        names.add("n");
        names.add("l");
        assert_eq!(
            names.in_c("n + p->n + q . n + nn + 'n' + \"n\\\"n\" + $1"),
            "r$n + p->n + q . n + nn + 'n' + \"n\\\"n\" + $1"
        );
        assert_eq!(names.in_c("l==0x1l"), "r$l==0x1l");
    }
}
