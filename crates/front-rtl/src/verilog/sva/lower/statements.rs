//! Where statements end.

use super::super::lexer::Kind;
use super::super::words::closing;
use super::File;

impl File<'_> {
    /// Where a statement ends that starts here.
    pub(super) fn statement(&self, start: usize, limit: usize) -> usize {
        if start >= limit {
            return limit;
        }
        let parenthesised = |i: usize| match self.word(i) {
            "(" => closing(self.tokens, i).unwrap_or(limit),
            _ => i + 1,
        };
        match self.word(start) {
            "@" | "#" | "while" | "for" | "repeat" | "foreach" | "wait" => {
                self.statement(parenthesised(start + 1), limit)
            }
            "forever" | "unique" | "unique0" | "priority" => self.statement(start + 1, limit),
            "begin" => self.nested(start, limit, &["begin"], &["end"]),
            "fork" => self.nested(start, limit, &["fork"], &["join", "join_any", "join_none"]),
            "case" | "casez" | "casex" => {
                self.nested(start, limit, &["case", "casez", "casex"], &["endcase"])
            }
            "if" => {
                let end = self.statement(parenthesised(start + 1), limit);
                if self.word(end) == "else" { self.statement(end + 1, limit) } else { end }
            }
            "assert" | "assume" | "cover" | "restrict" => {
                let open = (start..limit).find(|&i| self.word(i) == "(").unwrap_or(limit);
                let close = parenthesised(open);
                let end = if self.word(close) == "else" { close } else { self.statement(close, limit) };
                if self.word(end) == "else" { self.statement(end + 1, limit) } else { end }
            }
            _ if self.word(start + 1) == ":" && self.tokens[start].kind == Kind::Name => {
                self.statement(start + 2, limit)
            }
            _ => {
                let mut i = start;
                while i < limit && self.word(i) != ";" {
                    i = if ["(", "[", "{"].contains(&self.word(i)) {
                        closing(self.tokens, i).unwrap_or(limit)
                    } else {
                        i + 1
                    };
                }
                (i + 1).min(limit)
            }
        }
    }

    /// The end of what starts with one of some words and ends with one of others, with a label if it has one.
    fn nested(&self, start: usize, limit: usize, opens: &[&str], closes: &[&str]) -> usize {
        let mut depth = 0;
        for i in start..limit {
            depth += usize::from(opens.contains(&self.word(i)));
            if closes.contains(&self.word(i)) {
                depth -= 1;
                if depth == 0 {
                    return if self.word(i + 1) == ":" { (i + 3).min(limit) } else { i + 1 };
                }
            }
        }
        limit
    }
}
