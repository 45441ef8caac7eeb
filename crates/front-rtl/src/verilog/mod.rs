//! Verilog and SystemVerilog, through Yosys.
//!
//! Yosys elaborates the design, and writes it twice. First as a netlist, before processes become logic: there the assertions are
//! counted, and branch conditions get wires (`branches`). Then as BTOR2, which our reader takes. Names and places come
//! back from the final netlist.
//!
//! Time. A design with one clock, read as data nowhere, takes a step with each of its edges: asynchronous resets and latches become
//! logic (`async2sync`). With more clocks, both edges of one, or a clock that is made by logic, that would let all advance
//! together and hide what happens between: then a step is a moment in which any signal may change
//! (`clk2fflogic`).
//!
//! Assertions. Those with sequences, which Yosys does not read, are replaced by monitors in copies of the files (`sva`). Those of
//! a clock are sampled by registers that Yosys adds, and known one step late: they are moved back (`sampled`).
//!
//! Each assertion of each instance has to come out as a property (`checks`).

mod branches;
mod checks;
mod complaint;
mod macros;
mod names;
mod places;
mod rtlil;
mod sampled;
mod sva;
mod yosys;

use crate::{Options, Source, Unchecked, btor2};
use branches::Branch;
use checks::{Check, Monitored, Monitors};
use macros::Macros;
use places::Sources;
use rtlil::Module;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tamis_design::{Condition, Place};
use tamis_diagnostics::{Diagnostic, Error};
use tamis_logic::{Sort, Term, Terms};
use yosys::{Failure, Folder, Script, Yosys, is_plain_word};

/// Reads a design of one or more files.
///
/// # Errors
/// What Yosys or we cannot read, with its place; that there is no Yosys.
pub fn read(terms: &mut Terms, files: &[PathBuf], options: &Options) -> Result<Source, Error> {
    let first = files.first().map_or(String::new(), |f| f.display().to_string());
    let about = |message: String| Error::Unreadable(Diagnostic::about_file(first.clone(), message));
    for file in files {
        let name = file.display().to_string();
        fs::metadata(file).map_err(|e| Error::Unreadable(Diagnostic::about_file(name, e.to_string())))?;
    }
    let found = Yosys::find(options.yosys.as_deref(), options.deadline);
    let (yosys, folder) = found.map_err(|failure| match failure {
        Failure::Missing(what) => about(what),
        Failure::Stopped => stopped(&first),
        Failure::Error(output) => complaint::error(&output, &[], &mut Sources::default(), &first),
    })?;
    let sources = Sources::default();
    let mut reader = Reader { files, options, first: &first, folder, yosys, sources, values: None };
    let lowered = reader.lower(Time::Edges)?;
    let mut elaborated = reader.elaborate(&lowered)?;
    if let Some(source) = reader.synthesise(terms, &elaborated, Time::Edges)? {
        return Ok(source);
    }
    if lowered.resets {
        elaborated = reader.lower(Time::Moments).and_then(|lowered| reader.elaborate(&lowered))?;
    }
    match reader.synthesise(terms, &elaborated, Time::Moments)? {
        Some(source) => Ok(source),
        None => Err(about("the clocks of the design are not understood".to_owned())),
    }
}

/// The files as Yosys reads them.
#[derive(Default)]
struct Lowered {
    /// The names, the user's or those of copies.
    files: Vec<String>,
    /// Folders of files that have copies: what they include is looked for there.
    folders: Vec<PathBuf>,
    /// The assertions with monitors.
    assertions: Monitors,
    /// The assertions that are not taken.
    refused: Vec<Unchecked>,
    covers: usize,
    /// Whether a monitor has a reset.
    resets: bool,
    /// Constants of assertions of which the values are not known yet.
    probes: Vec<sva::Probe>,
    warnings: Vec<String>,
}

/// What a step of the design is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Time {
    /// An edge of the only clock.
    Edges,
    /// A moment, in which clocks may or may not change.
    Moments,
}

struct Reader<'a> {
    files: &'a [PathBuf],
    options: &'a Options,
    first: &'a str,
    folder: Folder,
    yosys: Yosys,
    sources: Sources,
    /// The values of constants in assertions, if they were asked for.
    values: Option<sva::Values>,
}

/// A design after elaboration.
struct Elaborated {
    /// Its netlist with wires for the branches.
    netlist: String,
    branches: Vec<Branch>,
    checks: Vec<Check>,
    liveness: Vec<String>,
    fairness: usize,
    unchecked: Vec<Unchecked>,
    warnings: Vec<String>,
    /// Whether the passes know cells `$check`, which are to be lowered.
    lowers_checks: bool,
}

impl Reader<'_> {
    /// Writes copies of the files that have assertions with sequences, with monitors in their place. Where delays are constants of
    /// the design, Yosys is asked for their values first.
    fn lower(&mut self, time: Time) -> Result<Lowered, Error> {
        let lowered = self.copies(time)?;
        if lowered.probes.is_empty() || self.values.is_some() {
            return Ok(lowered);
        }
        let (_, netlist) = self.hierarchy(&lowered)?;
        let values = lowered.probes.iter().map(|probe| (probe.wire.clone(), probe.values(&netlist)));
        self.values = Some(values.collect());
        self.copies(time)
    }

    fn copies(&mut self, time: Time) -> Result<Lowered, Error> {
        let mut lowered = Lowered::default();
        let mut macros = Macros::new(&self.options.define);
        for (number, file) in self.files.iter().enumerate() {
            let name = file.to_string_lossy().into_owned();
            let bytes = fs::read(file)
                .map_err(|e| Error::Unreadable(Diagnostic::about_file(name.clone(), e.to_string())))?;
            let text = String::from_utf8_lossy(&bytes);
            let expanded = macros::expand(file, &text, &mut macros, &|by, name| self.included(by, name));
            let manner = sva::Manner {
                prefix: &format!("{}{number}", sva::PREFIX),
                asynchronous: time == Time::Moments,
                values: self.values.as_ref(),
            };
            let made = sva::lower(&expanded.text, manner);
            let refused = |sources: &mut Sources, at: usize, message: String| {
                let place = place(&text, expanded.original(at), &sources.name(&name));
                Error::Unsupported(sources.diagnostic(&place, message))
            };
            let made = made.map_err(|refusal| refused(&mut self.sources, refusal.at, refusal.message))?;
            let Some(made) = made else {
                lowered.files.push(name);
                continue;
            };
            let folder = self.folder.path(number.to_string());
            let copy = folder.join(file.file_name().unwrap_or_default());
            let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&copy, &made.text));
            written.map_err(|e| self.about(format!("no copy of {name} can be made: {e}")))?;
            let copy = copy.to_string_lossy().into_owned();
            self.sources.stands_for(&copy, &name);
            let file_name = self.sources.name(&copy);
            for (named, sampled) in made.assertions {
                let place = place(&text, expanded.original(named.at), &file_name);
                let monitored = Monitored { name: named.name, place, sampled };
                lowered.assertions.insert(named.label, monitored);
            }
            for at in made.inferred {
                let place = place(&text, expanded.original(at), &file_name);
                lowered.warnings.push(format!(
                    "{place}: the assertion has no clock; it is that of the module's processes"
                ));
            }
            for (named, refusal) in made.refused {
                let place = place(&text, expanded.original(refusal.at), &file_name);
                let why = format!("unsupported: {}, {place}", refusal.message);
                lowered.refused.push(Unchecked { name: named.name, why });
            }
            lowered.covers += made.covers;
            lowered.resets |= made.resets;
            lowered.probes.extend(made.probes);
            lowered.folders.extend(file.parent().map(Path::to_owned).filter(|f| !f.as_os_str().is_empty()));
            lowered.files.push(copy);
        }
        Ok(lowered)
    }

    /// A file that another one includes, looked for as Yosys does, and its text.
    fn included(&self, by: &Path, name: &str) -> Option<(PathBuf, String)> {
        let own = by.parent().map(Path::to_owned);
        let folders = own.into_iter().chain(self.options.include.iter().cloned());
        let mut paths = std::iter::once(PathBuf::from(name)).chain(folders.map(|folder| folder.join(name)));
        paths.find_map(|path| {
            let bytes = fs::read(&path).ok()?;
            Some((path, String::from_utf8_lossy(&bytes).into_owned()))
        })
    }

    /// Reads the files and resolves the hierarchy. Returns what Yosys said, and the netlist.
    fn hierarchy(&mut self, lowered: &Lowered) -> Result<(String, String), Error> {
        let mut script = Script::default();
        script.command("help chformal");
        let command = self.read_command(&lowered.folders)?;
        for name in &lowered.files {
            if script.on_file(&command, name).is_none() {
                let message = "a file with such a name cannot be given to Yosys: rename it";
                return Err(Error::Unreadable(Diagnostic::about_file(name, message)));
            }
        }
        let (all, below) = (self.file("all.il"), self.file("elaborated.il"));
        self.on_file(&mut script, "write_rtlil", &all)?;
        match &self.options.top {
            Some(top) if is_plain_word(top) => script.command(&format!("hierarchy -check -top {top}")),
            Some(top) => return Err(self.about(format!("`{top}` is no name of a module"))),
            None => script.command("hierarchy -check -auto-top"),
        };
        self.on_file(&mut script, "write_rtlil", &below)?;
        let output = self.run(&script, &[&all])?;
        if let Some(error) = complaint::undeclared(&output, &mut self.sources) {
            return Err(error);
        }
        if self.options.top.is_none() {
            self.only_root(&rtlil::modules(&self.text(&all)?))?;
        }
        let netlist = self.text(&below)?;
        Ok((output, netlist))
    }

    /// The design with its branches and assertions.
    fn elaborate(&mut self, lowered: &Lowered) -> Result<Elaborated, Error> {
        let (output, text) = self.hierarchy(lowered)?;
        let modules = rtlil::modules(&text);
        let top = top(&text).ok_or_else(|| self.about("there is no module".to_owned()))?;
        let instances = rtlil::instances(&modules, &top);
        let (numbered, checks) =
            checks::number(&text, &modules, &instances, &lowered.assertions, &mut self.sources);
        let (netlist, branches) = branches::add(&numbered, &modules, &mut self.sources);
        let mut elaborated = Elaborated {
            netlist,
            branches,
            checks,
            liveness: Vec::new(),
            fairness: 0,
            unchecked: lowered.refused.clone(),
            warnings: lowered.warnings.clone(),
            lowers_checks: output.contains("-lower"),
        };
        self.count(&modules, &instances, lowered.covers, &mut elaborated);
        Ok(elaborated)
    }

    /// `read_verilog` with the user's options.
    fn read_command(&self, folders: &[PathBuf]) -> Result<String, Error> {
        let mut command = "read_verilog -formal -sv".to_owned();
        for folder in folders.iter().chain(&self.options.include) {
            let folder = folder.to_string_lossy();
            if !is_plain_word(&folder) {
                return Err(self.about(format!("Yosys cannot be given the folder `{folder}`: rename it")));
            }
            command += &format!(" -I{folder}");
        }
        for definition in &self.options.define {
            let name = definition.split('=').next().unwrap_or_default();
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
            if !is_name || name.is_empty() || !is_plain_word(definition) {
                return Err(self.about(format!("Yosys cannot be given the macro `{definition}`")));
            }
            command += &format!(" -D{definition}");
        }
        Ok(command)
    }

    /// The one module that no other instantiates.
    fn only_root(&self, modules: &[Module]) -> Result<(), Error> {
        let used: FxHashSet<&str> = modules.iter().flat_map(|m| &m.cells).map(|c| c.kind.as_str()).collect();
        let roots = modules.iter().filter(|m| !used.contains(m.name.as_str()) && !m.black_box);
        let mut names: Vec<&str> = roots.map(|m| m.name.trim_start_matches('\\')).collect();
        names.sort_unstable();
        match names[..] {
            [] => Err(self
                .about("no module is at the top: all are instances of others, or there is none".to_owned())),
            [_] => Ok(()),
            _ => {
                Err(self.about(format!("say which module is at the top with `--top`: {}", names.join(", "))))
            }
        }
    }

    /// Counts what is not checked, with all instances.
    fn count(
        &mut self,
        modules: &[Module],
        instances: &FxHashMap<&str, usize>,
        mut covers: usize,
        into: &mut Elaborated,
    ) {
        for module in modules {
            let times = instances.get(module.name.as_str()).copied().unwrap_or(0);
            for cell in &module.cells {
                match cell.check() {
                    "cover" => covers += times,
                    "fair" => into.fairness += times,
                    "live" => {
                        let place = places::range(&cell.src).map(|r| self.sources.place(&r).to_string());
                        let name = place.unwrap_or_else(|| cell.name.trim_start_matches('\\').to_owned());
                        into.liveness.extend((0..times).map(|_| name.clone()));
                    }
                    _ => {}
                }
            }
        }
        if covers > 0 {
            into.warnings.push(format!("{covers} cover statements are not looked at"));
        }
    }

    /// Makes a transition system; none if this is not the time of the design's clocks.
    fn synthesise(
        &mut self,
        terms: &mut Terms,
        from: &Elaborated,
        time: Time,
    ) -> Result<Option<Source>, Error> {
        let (edited, last) = (self.file("edited.il"), self.file("last.il"));
        let (system, info) = (self.file("system.btor2"), self.file("system.info"));
        fs::write(&edited, &from.netlist).map_err(|e| self.about(e.to_string()))?;
        let mut script = Script::default();
        self.on_file(&mut script, "read_rtlil", &edited)?;
        script.command("proc").command("flatten").command("check");
        // A memory that nothing reads would be a cell without ports, which Yosys takes for an error of its own.
        script.command("opt_clean").command("memory_collect").command("memory_nordff");
        script.command(if time == Time::Edges { "async2sync" } else { "clk2fflogic" });
        if from.lowers_checks {
            script.command("chformal -lower");
        }
        script.command("dffunmap").command("setundef -undriven -anyseq");
        if !from.branches.is_empty() {
            script.command(&format!("expose w:*{}*", branches::PREFIX));
        }
        script.command("opt_clean");
        self.on_file(&mut script, "write_rtlil", &last)?;
        let clocks = info.to_string_lossy().into_owned();
        if !is_plain_word(&clocks) {
            return Err(
                self.about("the folder for temporary files has a name that Yosys cannot be given".to_owned())
            );
        }
        self.on_file(&mut script, &format!("write_btor -i {clocks}"), &system)?;
        let output = self.run(&script, &[&last, &edited])?;
        let netlist = self.text(&last)?;
        if let Some(conflict) =
            complaint::conflict(&output, std::slice::from_ref(&netlist), &mut self.sources, self.first)
        {
            return Err(conflict);
        }
        let text = self.text(&system)?;
        let mut read = btor2::read_nodes(terms, self.first, text.as_bytes())?;
        read.name_registers(|name| !name.contains(branches::PREFIX));
        let modules = rtlil::modules(&netlist);
        if time == Time::Edges && !has_one_clock(terms, &self.text(&info)?, &modules, &read) {
            return Ok(None);
        }
        let mut source = read.source;
        let told = checks::tell_apart(terms, &mut source.design, &from.checks, time == Time::Edges);
        told.map_err(|(check, count)| {
            let (message, place) = check.lost(count, &self.yosys.version);
            Error::Unsupported(match place {
                Some(place) => self.sources.diagnostic(place, message),
                None => Diagnostic::about_file(self.first, message),
            })
        })?;
        names::places(&mut source.design, &text, &modules, &mut self.sources);
        source.liveness = from.liveness.clone();
        source.fairness = from.fairness;
        source.unchecked = from.unchecked.clone();
        source.warnings = from.warnings.clone();
        source.design.branches = branches(terms, from, &read.outputs);
        Ok(Some(source))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path(name)
    }

    fn about(&self, message: String) -> Error {
        Error::Unreadable(Diagnostic::about_file(self.first, message))
    }

    fn text(&self, file: &Path) -> Result<String, Error> {
        let bytes = fs::read(file).map_err(|e| self.about(format!("Yosys left no result: {e}")))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Adds a command on a file of ours.
    fn on_file(&self, script: &mut Script, command: &str, file: &Path) -> Result<(), Error> {
        match script.on_file(command, &file.to_string_lossy()) {
            Some(_) => Ok(()),
            None => {
                Err(self
                    .about("the folder for temporary files has a name that Yosys cannot be given".to_owned()))
            }
        }
    }

    /// Runs a script. `netlists` may tell where things stand if it fails.
    fn run(&mut self, script: &Script, netlists: &[&Path]) -> Result<String, Error> {
        match self.yosys.script(&self.folder, script) {
            Ok(output) => Ok(output),
            Err(Failure::Missing(what)) => Err(self.about(what)),
            Err(Failure::Stopped) => Err(stopped(self.first)),
            Err(Failure::Error(output)) => {
                let texts: Vec<String> = netlists.iter().filter_map(|file| self.text(file).ok()).collect();
                Err(complaint::error(&output, &texts, &mut self.sources, self.first))
            }
        }
    }
}

fn stopped(file: &str) -> Error {
    Error::Unsupported(Diagnostic::about_file(
        file,
        "the time limit ended while Yosys was reading the design",
    ))
}

/// The place of a byte of a text.
fn place(text: &str, at: usize, file: &Arc<str>) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
    Place { file: file.clone(), line, column }
}

/// The module with the attribute `top`.
fn top(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("attribute \\top 1"));
    lines.find_map(|line| line.strip_prefix("module ")).map(str::to_owned)
}

/// Whether all registers are clocked by one edge of one input, which nothing reads as data. The file lists the nodes that
/// clock registers, aliases included; terms have no aliases. It does not list those of memories, which the netlist has.
fn has_one_clock(terms: &Terms, info: &str, modules: &[Module], read: &btor2::Nodes) -> bool {
    let mut clocks: FxHashSet<(&str, Term)> = FxHashSet::default();
    for line in info.lines() {
        let Some((edge, node)) = line.split_once(' ') else { continue };
        if !["posedge", "negedge", "event"].contains(&edge) {
            continue;
        }
        match node.trim().parse().ok().and_then(|id: u64| read.nodes.get(&id)) {
            Some(&clock) => clocks.insert((edge, clock)),
            None => return false,
        };
    }
    for module in modules {
        let Some(memories) = module.memory_clocks() else { return false };
        for (edge, wire) in memories {
            let input = read.source.design.inputs.iter().find(|i| i.name == wire.trim_start_matches('\\'));
            match input {
                Some(input) => clocks.insert((edge, input.term)),
                None => return false,
            };
        }
    }
    let mut clocks = clocks.into_iter();
    let clock = match (clocks.next(), clocks.next()) {
        (None, _) => return true,
        (Some((edge, clock)), None) if edge != "event" => clock,
        _ => return false,
    };
    let design = &read.source.design;
    let next = design.registers.iter().filter_map(|r| r.next);
    let conditions = design.properties.iter().chain(&design.constraints).map(|c| c.term);
    let roots: Vec<Term> = next.chain(conditions).collect();
    design.inputs.iter().any(|i| i.term == clock) && !terms.free_vars_of(&roots).contains(&clock)
}

/// The terms of the wires for branches, instance by instance.
fn branches(terms: &mut Terms, from: &Elaborated, outputs: &[(String, Term)]) -> Vec<Condition> {
    let mut found: FxHashMap<Term, ()> = FxHashMap::default();
    let mut conditions = Vec::new();
    let numbered = outputs.iter().filter_map(|(name, term)| {
        let (path, number) = name.rsplit_once(branches::PREFIX)?;
        Some((number.parse::<usize>().ok()?, path.trim_end_matches('.'), *term))
    });
    let mut numbered: Vec<_> = numbered.collect();
    numbered.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    for (number, path, word) in numbered {
        let Some(branch) = from.branches.get(number) else { continue };
        if terms.sort(word) != Sort::BitVec(1) {
            continue;
        }
        let one = terms.bits(1, 1);
        let term = terms.eq(word, one);
        if terms.free_vars(term).is_empty() || found.insert(term, ()).is_some() {
            continue;
        }
        let name = if path.is_empty() { branch.name.clone() } else { format!("{path}: {}", branch.name) };
        let number = conditions.len();
        conditions.push(Condition { number, name, term, place: branch.place.clone() });
    }
    conditions
}
