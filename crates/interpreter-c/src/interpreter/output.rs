//! Where what the program prints goes.

use std::io::Write;

/// A stream of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// `stdout`.
    Out,
    /// `stderr`.
    Error,
}

/// Takes what the program prints.
pub trait Output {
    /// The program prints some bytes.
    fn write(&mut self, stream: Stream, bytes: &[u8]);
}

/// Keeps what goes to `stdout`.
impl Output for Vec<u8> {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        if stream == Stream::Out {
            self.extend_from_slice(bytes);
        }
    }
}

/// The streams of this process. A reader that has gone away is no reason to stop.
#[derive(Debug)]
pub struct Console {
    out: std::io::BufWriter<std::io::Stdout>,
}

impl Default for Console {
    fn default() -> Console {
        Console { out: std::io::BufWriter::new(std::io::stdout()) }
    }
}

impl Output for Console {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Out => drop(self.out.write_all(bytes)),
            Stream::Error => {
                drop(self.out.flush());
                drop(std::io::stderr().write_all(bytes));
            }
        }
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        drop(self.out.flush());
    }
}
