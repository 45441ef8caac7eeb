//! Contracts of functions, as functions in C.
//!
//! The definition of a function whose contract is enforced gets another name, and the function is one that assumes what
//! the contract requires, calls the definition and checks what the contract ensures. Of a function that its contract
//! stands for, the definition is left out: the function checks what is required, makes what it may assign to
//! arbitrary, and assumes what is ensured.

use super::clauses::{Clause, Kind, from};
use super::conditions::{Conditions, Use};
use super::targets::{Target, targets};
use crate::cprover::Refused;
use crate::cprover::words::{self, Words};
use crate::lines::Lines;
use std::fmt::Write;
use std::ops::Range;

/// A declaration of a function, or its definition.
pub(super) struct Declared {
    /// The first word.
    start: usize,
    /// The word that names it.
    name: usize,
    /// The words between the brackets of its parameters.
    params: Range<usize>,
    pub(super) clauses: Vec<Clause>,
    /// The word that opens its body, and the one that closes it.
    body: Option<(usize, usize)>,
}

/// The declarations of a function, outside of all braces.
pub(super) fn declarations(words: &Words<'_>, function: &str) -> Result<Vec<Declared>, Refused> {
    let (mut found, mut i, mut start) = (Vec::new(), 0, 0);
    while i < words.words.len() {
        match words.word(i) {
            ";" => start = i + 1,
            "{" => {
                i = words.closing(i).unwrap_or(words.words.len());
                // A record or an initial value is part of a declaration; the body of a function ends one.
                if !matches!(words.word(i + 1), ";" | "," | "*" | "=") && !is_record(words, start) {
                    start = i + 1;
                }
            }
            name if name == function && words.word(i + 1) == "(" && i > start => {
                if let Some(end) = words.closing(i + 1) {
                    let (clauses, behind) = from(words, end + 1)?;
                    let body = (words.word(behind) == "{")
                        .then(|| words.closing(behind).map(|last| (behind, last)))
                        .flatten();
                    if body.is_some() || matches!(words.word(behind), ";" | ",") {
                        found.push(Declared { start, name: i, params: i + 2..end, clauses, body });
                    }
                    if let Some((_, last)) = body {
                        start = last + 1;
                        i = last;
                    } else {
                        i = end;
                    }
                }
            }
            _ => {}
        }
        i += 1;
    }
    Ok(found)
}

/// Whether the braces that end at a word are those of a struct, a union or an enumeration.
fn is_record(words: &Words<'_>, start: usize) -> bool {
    let open = (start..words.words.len()).find(|&i| words.word(i) == "{");
    let Some(open) = open else { return false };
    let tag = |i: usize| matches!(words.word(i), "struct" | "union" | "enum");
    open >= 1 && tag(open - 1) || open >= 2 && tag(open - 2) && open - 2 >= start
}

impl Declared {
    pub(super) fn is_defined(&self) -> bool {
        self.body.is_some()
    }

    /// Whether other files can name it.
    pub(super) fn is_static(&self, words: &Words<'_>) -> bool {
        (self.start..self.name).any(|i| words.word(i) == "static")
    }

    /// What stands before its name.
    fn specifiers(&self, words: &Words<'_>) -> String {
        words.line(self.start..self.name)
    }

    fn is_void(&self, words: &Words<'_>) -> bool {
        let mut rest = Vec::new();
        let mut i = self.start;
        while i < self.name {
            match words.word(i) {
                "static" | "extern" | "inline" | "__inline" | "__inline__" | "__extension__" | "const"
                | "_Noreturn" => {}
                "__attribute__" => i = words.closing(i + 1).unwrap_or(i),
                word => rest.push(word),
            }
            i += 1;
        }
        rest == ["void"]
    }

    /// What the text becomes where it is defined under another name: a declaration, and the definition.
    pub(super) fn renamed(&self, words: &Words<'_>, function: &str) -> Vec<(Range<usize>, String)> {
        let Some((open, close)) = self.body else { return Vec::new() };
        let header = words.line(self.start..self.params.end + 1);
        let name = original(function);
        let before = words.words[self.start].at.start;
        let mut pieces =
            vec![(before..before, format!("{header}; ")), (words.words[self.name].at.clone(), name.clone())];
        // Its own calls are calls of the definition.
        for i in open..close {
            let calls = words.word(i) == function
                && words.word(i + 1) == "("
                && !matches!(words.word(i - 1), "." | "->");
            if calls {
                pieces.push((words.words[i].at.clone(), name.clone()));
            }
        }
        pieces
    }

    /// What the text becomes where the definition is left out.
    pub(super) fn removed(&self, words: &Words<'_>) -> Vec<(Range<usize>, String)> {
        let Some((open, close)) = self.body else { return Vec::new() };
        vec![(words.words[open].at.start..words.words[close].at.end, ";".to_owned())]
    }
}

/// What a definition is called whose contract is enforced.
pub(super) fn original(function: &str) -> String {
    format!("{function}$body")
}

/// A contract, and where it stands.
pub(super) struct Contract<'a, 'b> {
    pub(super) words: &'b Words<'a>,
    pub(super) lines: &'b Lines,
    pub(super) function: &'b str,
    pub(super) declared: &'b Declared,
    /// The number of the function among those whose contracts are enforced.
    pub(super) number: usize,
    /// Whether it matters that values were set.
    pub(super) set: bool,
}

impl<'a> Contract<'a, '_> {
    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Clause> {
        self.declared.clauses.iter().filter(move |clause| clause.kind == kind)
    }

    /// The parameters as a declaration of the function has them, and their names.
    fn parameters(&self) -> Result<(String, Vec<String>), Refused> {
        let words = self.words;
        let parts = words.split(self.declared.params.clone(), ",");
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        for (number, part) in parts.into_iter().enumerate() {
            if part.len() == 1 && words.word(part.start) == "void" {
                continue;
            }
            let refuse = |why: &str| Err((words.words[part.start].at.start, why.to_owned()));
            if words.word(part.start) == "..." {
                return refuse("a contract of a function with variable arguments is not supported yet");
            }
            let text = words.line(part.clone());
            match named(words, part.clone()) {
                Some(name) => {
                    names.push(words.word(name).to_owned());
                    texts.push(text);
                }
                None if part.clone().any(|i| matches!(words.word(i), "(" | "[")) => {
                    return refuse(
                        "a contract with a parameter of this type without a name is not supported yet",
                    );
                }
                None => {
                    let name = format!("tamis_unnamed_{number}");
                    texts.push(format!("{text} {name}"));
                    names.push(name);
                }
            }
        }
        let texts = if texts.is_empty() { "void".to_owned() } else { texts.join(", ") };
        Ok((texts, names))
    }

    fn marker(&self, word: usize) -> String {
        let at = self.lines.position(self.words.words[word].at.start as u32);
        let file = self.lines.files().get(at.file as usize).map_or("", String::as_str);
        format!("\n# {} \"{}\"\n", at.line, file.replace('\\', "\\\\").replace('"', "\\\""))
    }

    /// What a clause is called where it is violated.
    fn told(&self, what: &str, clause: &Clause) -> String {
        let text = self.words.line(clause.inside.clone()).replace('\\', "\\\\").replace('"', "\\\"");
        format!("contract of {}: {what} {text}", self.function)
    }

    fn targets(&self, kind: Kind) -> Result<Vec<Target>, Refused> {
        let mut all = Vec::new();
        for clause in self.of_kind(kind) {
            all.extend(targets(self.words, clause.inside.clone())?);
        }
        Ok(all)
    }

    /// What is required cannot speak of what was before.
    fn check_requires(&self) -> Result<(), Refused> {
        for clause in self.of_kind(Kind::Requires) {
            let words = clause.inside.clone().map(|i| (i, self.words.word(i)));
            let mut words =
                words.filter(|(_, word)| matches!(*word, "__CPROVER_old" | "__CPROVER_return_value"));
            if let Some((i, word)) = words.next() {
                return Err((self.words.words[i].at.start, format!("`{word}` in what a contract requires")));
            }
        }
        Ok(())
    }

    /// The conditions of the contract, with what they need to know of each other.
    fn conditions(&self) -> Conditions<'a, '_> {
        let mut conditions = Conditions::new(self.words, "tamis_", self.set);
        self.of_kind(Kind::Ensures).for_each(|clause| conditions.look_at(clause.inside.clone()));
        conditions
    }

    /// The function that enforces the contract.
    pub(super) fn enforced(&self) -> Result<String, Refused> {
        self.check_requires()?;
        let (params, names) = self.parameters()?;
        let (name, number) = (original(self.function), self.number);
        let specifiers = self.declared.specifiers(self.words);
        let mut conditions = self.conditions();
        let (mut before, mut behind) = (String::new(), String::new());
        for clause in self.of_kind(Kind::Requires) {
            let condition = conditions.condition(clause.inside.clone(), Use::Assumed)?;
            let _ = write!(before, "{}__CPROVER_assume({condition});", self.marker(clause.name));
        }
        for clause in self.of_kind(Kind::Ensures) {
            let condition = conditions.condition(clause.inside.clone(), Use::CheckedBehind(number))?;
            let (marker, told) = (self.marker(clause.name), self.told("ensures", clause));
            let _ = write!(behind, "{marker}__CPROVER_assert({condition}, \"{told}\");");
        }
        let here = self.marker(self.declared.name);
        let (assigned, freed) = (self.targets(Kind::Assigns)?, self.targets(Kind::Frees)?);
        let (globals, find) = self.frame(&assigned, &freed);
        let mut text = format!(
            "{here}{specifiers} {name}({params});{globals}{specifiers} {}({params}) {{",
            self.function
        );
        text += &before;
        let _ = write!(
            text,
            "{here}{}{}{find}__VERIFIER_enter_contract({number}); ",
            conditions.kept(),
            conditions.pointers()
        );
        let active = super::frame::active(number);
        let call = format!("{name}({})", names.join(", "));
        if self.declared.is_void(self.words) {
            let _ = writeln!(text, "{active} = 1; {call}; {active} = 0;{behind}{here}}}");
        } else {
            let _ = writeln!(
                text,
                "{active} = 1; __typeof__({call}) tamis_return = {call}; {active} = 0;{behind}{here}return tamis_return; }}"
            );
        }
        Ok(text)
    }

    /// Globals that hold what may be assigned to and freed, with the functions that ask for it, and the statements that find it.
    fn frame(&self, assigned: &[Target], freed: &[Target]) -> (String, String) {
        let number = self.number;
        let active = super::frame::active(number);
        let told = super::frame::told_in_c(self.function, number);
        let mut globals = format!("static _Bool {active}; {told}");
        let mut find = String::new();
        let mut may = format!(
            "static _Bool {}(const void *p, __CPROVER_size_t n) {{ if (!{active} || n == 0) return 1; \
             if (__VERIFIER_new_in_contract({number}, p)) return 1; __CPROVER_size_t from, at; ",
            super::frame::may_assign(number)
        );
        for (i, target) in assigned.iter().enumerate() {
            let (start, size) = (format!("tamis_start_{number}_{i}"), format!("tamis_size_{number}_{i}"));
            let _ = write!(globals, "static const void *{start}; static __CPROVER_size_t {size}; ");
            let _ = write!(find, "{start} = 0; ");
            let when = target.when.as_ref().map_or(String::new(), |when| format!("if ({when}) "));
            let bytes = target.size.clone().unwrap_or_else(|| "0".to_owned());
            let _ = write!(find, "{when}{{ {start} = {}; {size} = {bytes}; }} ", target.start);
            // The usual case needs no offsets. What is asked is asked one after the other.
            if target.size.is_some() {
                let _ = write!(may, "if (p == {start} && n <= {size}) return 1; ");
            }
            let inside = match (&target.size, target.whole) {
                (Some(_), _) => format!("from <= at && at + n <= from + {size}"),
                (None, true) => "1".to_owned(),
                (None, false) => "from <= at".to_owned(),
            };
            let _ = write!(
                may,
                "if ({start} != 0 && __CPROVER_same_object(p, {start})) {{ from = __CPROVER_POINTER_OFFSET({start}); \
                 at = __CPROVER_POINTER_OFFSET(p); if ({inside}) return 1; }} "
            );
        }
        let _ = write!(
            may,
            "return 0; }} static _Bool {}(const void *p) {{ if (!{active} || p == 0) return 1; __CPROVER_size_t \
             at = __CPROVER_POINTER_OFFSET(p); __CPROVER_size_t n = __CPROVER_OBJECT_SIZE(p); return \
             {}((const char *)p - at, n); }} static _Bool {}(const void *p) {{ return !{active} || p == 0 || __VERIFIER_new_in_contract({number}, p)",
            super::frame::may_havoc(number),
            super::frame::may_assign(number),
            super::frame::may_free(number)
        );
        for (i, target) in freed.iter().enumerate() {
            let freed = format!("tamis_freed_{number}_{i}");
            let _ = write!(globals, "static const void *{freed}; ");
            let when = target.when.as_ref().map_or(String::new(), |when| format!("if ({when}) "));
            let _ = write!(find, "{freed} = 0; {when}{freed} = {}; ", target.freed());
            let _ = write!(may, " || p == {freed}");
        }
        may.push_str("; } ");
        (globals + &may, find)
    }

    /// The function that the contract stands for.
    pub(super) fn replacement(&self) -> Result<String, Refused> {
        self.check_requires()?;
        let (params, names) = self.parameters()?;
        let specifiers = self.declared.specifiers(self.words);
        let mut conditions = self.conditions();
        let (mut before, mut behind) = (String::new(), String::new());
        for clause in self.of_kind(Kind::Requires) {
            let condition = conditions.condition(clause.inside.clone(), Use::Checked)?;
            let (marker, told) = (self.marker(clause.name), self.told("requires", clause));
            let _ = write!(before, "{marker}__CPROVER_assert({condition}, \"{told}\");");
        }
        let pointers = conditions.pointers();
        let (mut find, mut change) = (String::new(), String::new());
        for (i, target) in self.targets(Kind::Assigns)?.iter().enumerate() {
            let (start, size) = (format!("tamis_start_{i}"), format!("tamis_size_{i}"));
            let when = target.when.as_ref().map_or(String::new(), |when| format!("if ({when}) "));
            let _ = write!(find, "void *{start} = 0; {when}{start} = (void *)({}); ", target.start);
            match (&target.size, target.whole) {
                (Some(bytes), _) => {
                    let _ = write!(find, "__CPROVER_size_t {size} = {bytes}; ");
                    let _ = write!(change, "if ({start}) __CPROVER_havoc_slice({start}, {size}); ");
                }
                (None, true) => {
                    let _ = write!(change, "if ({start}) __CPROVER_havoc_object({start}); ");
                }
                (None, false) => {
                    let _ = write!(
                        change,
                        "if ({start}) __CPROVER_havoc_slice({start}, __CPROVER_OBJECT_SIZE({start}) - \
                         (__CPROVER_size_t)__CPROVER_POINTER_OFFSET({start})); "
                    );
                }
            }
        }
        for (i, target) in self.targets(Kind::Frees)?.iter().enumerate() {
            let freed = format!("tamis_freed_{i}");
            let when = target.when.as_ref().map_or(String::new(), |when| format!("if ({when}) "));
            let _ = write!(find, "void *{freed} = 0; {when}{freed} = (void *)({}); ", target.freed());
            let _ = write!(change, "if (__VERIFIER_nondet_choice()) __builtin_free({freed}); ");
        }
        let is_void = self.declared.is_void(self.words);
        for clause in self.of_kind(Kind::Ensures) {
            let condition = conditions.condition(clause.inside.clone(), Use::Assumed)?;
            let _ = write!(behind, "{}__CPROVER_assume({condition});", self.marker(clause.name));
        }
        let here = self.marker(self.declared.name);
        let mut text = format!("{here}{specifiers} {}({params}) {{{pointers}{before}{here}", self.function);
        text += &conditions.kept();
        text += &find;
        text += &change;
        if is_void {
            let _ = writeln!(text, "{behind}{here}}}");
        } else {
            let call = format!("{}({})", self.function, names.join(", "));
            let set = match self.set {
                true => " __CPROVER_havoc_slice(&tamis_return, sizeof tamis_return);",
                false => "",
            };
            let any = format!("__typeof__({call}) tamis_return;{set}");
            let _ = writeln!(text, "{any}{behind}{here}return tamis_return; }}");
        }
        Ok(text)
    }
}

impl Target {
    /// The pointer that may be freed.
    fn freed(&self) -> String {
        match self.start.strip_prefix("&(").and_then(|rest| rest.strip_suffix(')')) {
            Some(place) => format!("({place})"),
            None => self.start.clone(),
        }
    }
}

/// The word that names a parameter.
fn named(words: &Words<'_>, part: Range<usize>) -> Option<usize> {
    let is_name = |i: usize| words.words[i].kind == words::Kind::Name;
    let qualifier = |i: usize| {
        matches!(
            words.word(i),
            "const" | "volatile" | "restrict" | "__restrict" | "__restrict__" | "register"
        )
    };
    let of_type = |i: usize| {
        qualifier(i)
            || matches!(
                words.word(i),
                "int"
                    | "char"
                    | "long"
                    | "short"
                    | "signed"
                    | "unsigned"
                    | "float"
                    | "double"
                    | "void"
                    | "_Bool"
                    | "struct"
                    | "union"
                    | "enum"
                    | "__CPROVER_size_t"
                    | "__CPROVER_bool"
            )
    };
    // In `int (*f)(void)` the name is behind the first star in brackets.
    let declarator = part.clone().find(|&i| words.word(i) == "(" && words.word(i + 1) == "*");
    if let Some(open) = declarator {
        return (open..part.end).find(|&i| is_name(i) && !of_type(i));
    }
    let end = part.clone().find(|&i| words.word(i) == "[").unwrap_or(part.end);
    let last = (part.start..end).rev().find(|&i| !matches!(words.word(i), ")"))?;
    let before = (part.start..last).filter(|&i| !qualifier(i)).count();
    let tagged = last > part.start && matches!(words.word(last - 1), "struct" | "union" | "enum");
    (is_name(last) && !of_type(last) && before > 0 && !tagged).then_some(last)
}
