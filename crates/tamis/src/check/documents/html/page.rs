//! A page in one file: data, a style and one script, and nothing that it loads or that anybody else can run in it.
//!
//! Two fences stand between the strings of a hostile program and the reader. All of the input's text is in the data, JSON in which
//! no character has a meaning in HTML; the script makes text nodes of it, and never markup. And the page's content security
//! policy runs the one script whose hash it names, and loads nothing.

use sha2::{Digest, Sha256};

/// The colours, letters and the parts that all pages share.
pub const THEME: &str = include_str!("theme.css");

/// What a page is made of.
pub struct Page<'a> {
    /// Shown until the script has a better one; text of ours.
    pub title: &'a str,
    /// The style sheet, after [`THEME`].
    pub style: &'a str,
    /// The body, markup of ours.
    pub body: &'a str,
    /// The script, which finds the data as the text of the element `data`.
    pub script: &'a str,
    /// A JSON document.
    pub data: &'a str,
}

impl Page<'_> {
    /// The file.
    pub fn html(&self) -> String {
        let Page { title, style, body, script, data } = self;
        let style = format!("\n{THEME}{style}");
        let (script_hash, style_hash) = (hash(script), hash(&style));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{script_hash}'; \
             style-src '{style_hash}'; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\
             <script type=\"application/json\" id=\"data\">{}</script>\n<script>{script}</script>\n</body>\n</html>\n",
            inert(data)
        )
    }
}

/// JSON without characters that end or begin anything in HTML or in a script. They only stand in its strings.
fn inert(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04x}", c as u32)),
            c => text.push(c),
        }
    }
    text
}

/// The hash of an element's text as a policy names it.
fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// Base64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = (0..3).fold(0u32, |group, i| group << 8 | u32::from(chunk.get(i).copied().unwrap_or(0)));
        for i in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * i) & 63) as usize];
            text.push(if i > chunk.len() { '=' } else { digit as char });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_the_standard_has_it() {
        let known = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ];
        for (bytes, text) in known {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(hash("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
    }

    #[test]
    fn data_stays_data() {
        let hostile = serde_json::json!({"a": "</script><!--<script>\u{2028}&amp;"}).to_string();
        let text = inert(&hostile);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        let back: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(back["a"], "</script><!--<script>\u{2028}&amp;");
    }
}
