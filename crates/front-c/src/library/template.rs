//! The texts of library functions, one for each name and data model; `string.c` says how they are written.

use crate::options::DataModel;
use std::borrow::Cow;

/// A function of the library.
pub(super) struct Template {
    pub(super) name: String,
    /// What words of the text stand for.
    words: Vec<(&'static str, String)>,
    body: Cow<'static, str>,
}

/// What a text depends on beside its name.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) model: DataModel,
    /// Whether the program looks at `errno`.
    pub(super) errno: bool,
}

/// The functions of a file.
pub(super) fn templates(source: &'static str) -> Vec<Template> {
    let mut templates = Vec::new();
    let mut rest = source.find("\n//").map_or("", |start| &source[start + 1..]);
    while rest.starts_with("//") {
        let mut body = rest;
        let mut headers = Vec::new();
        while let Some(line) = body.strip_prefix("//") {
            let (header, after) = line.split_once('\n').unwrap_or((line, ""));
            headers.push(header);
            body = after;
        }
        let end = body.find("\n//").map_or(body.len(), |end| end + 1);
        let text = &body[..end];
        for header in headers {
            let mut words = header.split_whitespace();
            let names = words.next().unwrap_or_default();
            let words: Vec<(&str, String)> = words
                .filter_map(|w| w.split_once('='))
                .map(|(word, meaning)| (word, meaning.replace('+', " ")))
                .collect();
            for name in names.split(',') {
                templates.push(Template { name: name.to_owned(), words: words.clone(), body: text.into() });
            }
        }
        rest = &body[end..];
    }
    templates
}

impl Template {
    /// A text that was made.
    pub(super) fn of(name: String, text: String) -> Template {
        Template { name, words: Vec::new(), body: text.into() }
    }

    /// The text of a function that exists for each size, for one of them.
    pub(super) fn sized(&self, prefix: &str, size: &str) -> Option<Template> {
        let words = vec![("BYTES", size.to_owned())];
        (self.name.strip_prefix(prefix)? == "BYTES").then(|| Template {
            name: format!("{prefix}{size}"),
            words,
            body: self.body.clone(),
        })
    }

    /// The text in C.
    pub(super) fn text(&self, setting: Setting) -> String {
        let mut text = String::with_capacity(self.body.len());
        let mut rest: &str = &self.body;
        while !rest.is_empty() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            if word == 0 {
                let gap = rest.find(is_word).unwrap_or(rest.len());
                text.push_str(&rest[..gap]);
                rest = &rest[gap..];
                continue;
            }
            text.push_str(&self.meaning(&rest[..word], setting));
            rest = &rest[word..];
        }
        text
    }

    fn meaning(&self, word: &str, setting: Setting) -> String {
        let wide = setting.model == DataModel::Lp64;
        match word {
            "SIZE" => if wide { "unsigned long" } else { "unsigned int" }.to_owned(),
            "DIFFERENCE" => if wide { "long" } else { "int" }.to_owned(),
            "SET_ERRNO" => if setting.errno { "*__errno_location() = " } else { "0 && " }.to_owned(),
            word => match self.words.iter().find(|(name, _)| *name == word) {
                Some((_, meaning)) => meaning
                    .replace("SIZE", &self.meaning("SIZE", setting))
                    .replace("DIFFERENCE", &self.meaning("DIFFERENCE", setting)),
                None => word.replace("NAME", &self.name),
            },
        }
    }
}
