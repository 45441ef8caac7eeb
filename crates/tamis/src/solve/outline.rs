//! What can be said about a script without understanding its terms: which answers it asks for, and what it says they
//! are. A script for another solver may be in a logic that is not read here.

/// For each check of a script, the answer that a `:status` before it declares. These declarations become blanks: some
/// solvers compare them, too, and answer with an error instead of what they have found.
pub fn take_expected_answers(script: &mut String) -> Vec<Option<String>> {
    let (mut found, mut status, mut taken) = (Vec::new(), None, Vec::new());
    let mut commands = Commands::new(script);
    while let Some((start, command)) = commands.next() {
        match command[..] {
            ["set-info", ":status", value] => {
                status = Some(value.to_owned());
                taken.push(start..script.len() - commands.rest.len());
            }
            ["check-sat" | "check-sat-assuming" | "check-allsat", ..] => found.push(status.take()),
            ["exit", ..] => break,
            _ => {}
        }
    }
    for range in taken {
        // Of the same length: lines and columns of what follows stay, and so do the other ranges.
        let blank = |c: u8| if c == b'\n' { '\n' } else { ' ' };
        let blanks: String = script[range.clone()].bytes().map(blank).collect();
        script.replace_range(range, &blanks);
    }
    found
}

/// The commands of a script, each by where it starts and its first tokens outside of further parentheses, at most three.
struct Commands<'s> {
    script: &'s str,
    rest: &'s str,
}

impl<'s> Commands<'s> {
    fn new(script: &'s str) -> Commands<'s> {
        Commands { script, rest: script }
    }

    /// The next token, if there is one: a parenthesis, or a symbol, keyword, string or number.
    fn token(&mut self) -> Option<&'s str> {
        loop {
            self.rest = self.rest.trim_start();
            let length = match self.rest.bytes().next()? {
                b';' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = &self.rest[end..];
                    continue;
                }
                b'(' | b')' => 1,
                quote @ (b'|' | b'"') => {
                    self.rest[1..].find(char::from(quote)).map_or(self.rest.len(), |end| end + 2)
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || "()|\";".contains(c);
                    self.rest.find(ends).unwrap_or(self.rest.len())
                }
            };
            let (token, rest) = self.rest.split_at(length);
            self.rest = rest;
            return Some(token);
        }
    }
}

impl<'s> Iterator for Commands<'s> {
    type Item = (usize, Vec<&'s str>);

    fn next(&mut self) -> Option<(usize, Vec<&'s str>)> {
        let (mut command, mut depth, mut start) = (Vec::new(), 0u64, 0);
        loop {
            match self.token()? {
                "(" => {
                    if depth == 0 {
                        start = self.script.len() - self.rest.len() - 1;
                    }
                    depth += 1;
                }
                ")" if depth > 1 => depth -= 1,
                ")" => return Some((start, command)),
                token if depth == 1 && command.len() < 3 => command.push(token),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_belongs_to_the_next_check() {
        let mut script = "(set-info :status sat) ; (check-sat)
            (declare-fun |a ) (check-sat)| () Bool) (echo \"(check-sat) \"\"(\") (check-sat)
            (push 1)(check-sat-assuming (a (not b)))(set-info :status unsat)(check-sat)(exit)(check-sat)"
            .to_owned();
        let before = script.clone();
        let (sat, unsat) = (Some("sat".to_owned()), Some("unsat".to_owned()));
        assert_eq!(take_expected_answers(&mut script), [sat, None, unsat]);
        assert!(script.starts_with("                       ; (check-sat)\n"), "{script}");
        assert_eq!((script.len(), script.find(":status")), (before.len(), None));
    }

    #[test]
    fn any_text_has_an_outline() {
        for text in
            ["", ")))", "(((", "(check-sat", "\"", "|", "(|x", ";", "(check-sat) é(", "(set-info :status"]
        {
            assert!(take_expected_answers(&mut text.to_owned()).len() <= 1, "{text}");
        }
    }
}
