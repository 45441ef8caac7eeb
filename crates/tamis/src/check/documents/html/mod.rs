//! The run as a page for people: one file that needs no network.
//!
//! The page is the JSON document of [`super::json`] with one more section, [`Shown`], and a script that shows it.

mod page;
mod recheck;
mod shown;
mod sources;

pub use page::Page;
pub use shown::Shown;

/// The script, a file for each part of the page; the last one starts it.
const SCRIPT: &str = concat!(
    include_str!("script/dom.js"),
    include_str!("script/run.js"),
    include_str!("script/highlight.js"),
    include_str!("script/source.js"),
    include_str!("script/steps.js"),
    include_str!("script/automaton.js"),
    include_str!("script/film.js"),
    include_str!("script/waves.js"),
    include_str!("script/evidence.js"),
    include_str!("script/main.js"),
);

/// The page around a JSON document.
pub fn document(data: &str) -> String {
    let page = Page {
        title: "Tamis",
        style: include_str!("report.css"),
        body: include_str!("report.html"),
        script: SCRIPT,
        data,
    };
    page.html()
}
