//! An execution of the automaton: what is known where the C program was not seen to make it.

use crate::check::counterexample::{Note, Row, Sources};
use std::path::PathBuf;
use tamis_evidence::Replay;
use tamis_logic::{Bits, Value};
use tamis_program::{Command, Event, FrameId, Havoc, IntType, Object, Program};

/// Where a process of 64 bits has its objects: numbers are hardly ever in between.
const ADDRESSES: std::ops::Range<u64> = 0x5500_0000_0000..0x8000_0000_0000;

/// What is further behind the first address that was seen of a block is taken for another block.
const BLOCK: u64 = 4096;

/// Shows values; pointers as what they point to.
struct Values<'a> {
    program: &'a Program,
    /// The first addresses of allocated blocks that were seen.
    blocks: Vec<u64>,
}

impl Values<'_> {
    /// A value as C's type would show it. What has the width of a pointer and lies in an object is one that points there.
    fn show(&mut self, value: &Value, ty: IntType) -> String {
        match value {
            Value::Bits(bits)
                if ty.bits >= 32
                    && !ty.signed
                    && let Some(object) = self.pointed_to(bits) =>
            {
                object
            }
            Value::Bool(b) => u8::from(*b).to_string(),
            Value::Bits(bits) if ty.signed => bits.to_ibig().to_string(),
            Value::Bits(bits) => bits.to_ubig().to_string(),
            other => format!("{other:?}"),
        }
    }

    /// What an address is in, as C would name the place: `&list`, `&table[2]`, `(char *)&list + 4`; or `allocation 1`.
    fn pointed_to(&mut self, address: &Bits) -> Option<String> {
        let address = u64::try_from(address.to_u128()?).ok()?;
        let holds = |object: &&Object| address.wrapping_sub(object.base) < object.size;
        if let Some(Object { name, base, element, members, .. }) = self.program.objects().iter().find(holds) {
            let offset = address - base;
            return Some(match element {
                Some((size, _)) if offset.is_multiple_of(*size) => format!("&{name}[{}]", offset / size),
                _ if offset == 0 => format!("&{name}"),
                _ if let Some((member, _)) = members.iter().find(|(member, _)| member.offset == offset) => {
                    format!("&{name}.{}", member.path)
                }
                _ => format!("(char *)&{name} + {offset}"),
            });
        }
        if !ADDRESSES.contains(&address) {
            return None;
        }
        let near = |&block: &u64| address.wrapping_sub(block) < BLOCK;
        // The nearest one below.
        let known = (0..self.blocks.len()).filter(|&i| near(&self.blocks[i])).max_by_key(|&i| self.blocks[i]);
        let place = known.unwrap_or_else(|| {
            self.blocks.push(address);
            self.blocks.len() - 1
        });
        Some(match address - self.blocks[place] {
            0 => format!("allocation {}", place + 1),
            offset => format!("allocation {} + {offset}", place + 1),
        })
    }
}

/// The rows of an execution: consecutive steps that stand for the same source line are one.
pub fn rows(program: &Program, replay: &Replay, inputs: &[PathBuf]) -> Vec<Row> {
    let mut sources = Sources::new(inputs);
    let mut values = Values { program, blocks: Vec::new() };
    let mut rows: Vec<(FrameId, Row)> = Vec::new();
    for step in &replay.steps {
        let edge = program.edge(step.edge);
        let mut notes = Vec::new();
        if let Some((v, value)) = &step.wrote {
            let variable = program.variable(*v);
            // That a variable starts with some value is of interest where the value is read, not where it begins.
            let begins = matches!(&edge.command, Command::Havoc(_, Havoc::Uninitialised));
            if let (false, false, Some(int)) = (variable.temporary, begins, variable.ty.int()) {
                notes.push(Note::Assign { object: variable.name.clone(), value: values.show(value, int) });
            }
        }
        match &edge.event {
            Event::Step | Event::Assumption => {}
            Event::Branch(taken) => notes.push(Note::Branch(*taken)),
            Event::Call(function) => {
                notes.push(Note::Call { function: function.clone(), parameters: Vec::new() });
            }
            Event::Return(function) => notes.push(Note::Return(function.clone())),
            Event::Violation(what) => notes.push(Note::Violation(what.clone())),
        }
        let (frame, line) = (program.frame_of(edge.from), edge.source.line);
        let file = program.file(edge.source.file);
        match rows.last_mut() {
            Some((last, row)) if *last == frame && row.line == line && row.file == file => {
                row.does.extend(notes);
            }
            _ => {
                let source = sources.line(file, line);
                let depth = depth(program, frame);
                rows.push((frame, Row { file: file.to_owned(), line, depth, source, does: notes }));
            }
        }
    }
    rows.into_iter().map(|(_, row)| row).filter(|row| !row.does.is_empty()).collect()
}

/// How many calls an activation is away from `main`.
fn depth(program: &Program, mut frame: FrameId) -> usize {
    let mut depth = 0;
    while let Some((caller, _)) = program.frame(frame).caller {
        depth += 1;
        frame = caller;
    }
    depth
}
