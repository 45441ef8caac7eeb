//! BTOR2: a line for each node, numbered, arguments before what uses them.
//!
//! The format is that of Niemetz, Preiner, Wolf and Biere, *BTOR2, BtorMC and Boolector 3.0*, CAV 2018. A line is
//! `number keyword …`, an argument is the number of a node, with a `-` in front its bitwise complement. A comment starts with
//! `;`, and a name may stand at a line's end. Words of one bit are bit-vectors here too; where a condition is asked
//! for, the word is to be 1.
//!
//! What the format leaves to its reader:
//! - A memory's first value may be a word: every element is that word.
//! - A first value may read registers, which stand before, but no input: then it would not be a value of the first state.
//! - `input`s and `state`s are counted by themselves from 0, as witnesses name them.
//! - A first value may stand after its state, as long as it does not read it, and the word that fills a memory need not be
//!   a constant: the format's own parser refuses both, for no reason of meaning.
//! - Memories of memories are not taken, and widths end at [`MAX_WIDTH`].
//! - Blanks and tabs separate words, a line may end with blanks or `\r`, and the last without a line feed.

mod fields;
mod operators;
mod reader;
mod writer;

pub use reader::{MAX_WIDTH, read};
pub(crate) use reader::{Nodes, read_nodes};
pub use writer::write;
