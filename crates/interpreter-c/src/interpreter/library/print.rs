//! Output.

use super::super::extended::Extended;
use super::super::machine::Machine;
use super::super::outcome::Stop;
use super::super::output::Stream;
use super::super::scalar::{Format, Int, Kind};
use super::format::Spec;
use super::{Answer, Args, Routine};
use tamis_front_c::tree::Type;

pub(super) fn routine(name: &str) -> Option<Routine> {
    Some(match name {
        "printf" => |m, a, pc| print(m, a, Stream::Out, 0, pc),
        "fprintf" => |m, a, pc| print_to(m, a, 1, pc),
        "vprintf" => |m, a, pc| vprint(m, a, Stream::Out, 0, pc),
        "vfprintf" => |m, a, pc| {
            let stream = m.stream(a.int(0), pc)?;
            vprint(m, a, stream, 1, pc)
        },
        "sprintf" => |m, a, pc| sprint(m, a, None, 1, pc),
        "snprintf" => |m, a, pc| sprint(m, a, Some(m.size_arg(a, 1)), 2, pc),
        "vsprintf" => |m, a, pc| vsprint(m, a, None, 1, pc),
        "vsnprintf" => |m, a, pc| vsprint(m, a, Some(m.size_arg(a, 1)), 2, pc),
        "puts" => puts,
        "putchar" | "putchar_unlocked" => |m, a, pc| put(m, Stream::Out, a.int(0), pc),
        "putc" | "fputc" | "_IO_putc" => |m, a, pc| {
            let stream = m.stream(a.int(1), pc)?;
            put(m, stream, a.int(0), pc)
        },
        "fputs" => fputs,
        "fwrite" => fwrite,
        "fflush" | "setbuf" | "setvbuf" => |_, _, _| Ok(Answer::Int(0)),
        "perror" => perror,
        _ => return None,
    })
}

/// Where the arguments of a format come from.
enum Source<'a> {
    Registers {
        args: &'a Args<'a>,
        next: usize,
    },
    /// A `va_list`.
    List(u64),
}

impl Source<'_> {
    /// The next integer or address, of a width.
    fn int(&mut self, m: &mut Machine<'_>, wanted: Int, pc: u32) -> Result<u64, Stop> {
        let bits = wanted.bits();
        match self {
            Source::Registers { args, next } => {
                let i = *next;
                *next += 1;
                let fits = |k: &Kind| match k {
                    Kind::Int(k) => k.size() == wanted.size() && k.is_address() == wanted.is_address(),
                    _ => false,
                };
                if !args.kinds.get(i).is_some_and(fits) {
                    m.leave_open("a conversion of printf for another type", pc)?;
                }
                match args.kinds.get(i) {
                    Some(Kind::Int(k)) if k.size() as u32 * 8 >= bits || k.bits() == 32 => Ok(args.int(i)),
                    _ => Err(m.bad_format(pc)),
                }
            }
            Source::List(list) => {
                let at = m.va_next(*list, u64::from(bits / 8), m.word_bytes() as u64, pc)?;
                m.argument_taken(at, Kind::Int(wanted), pc)?;
                Ok(Int::new(bits, false).normal(m.load_as(at, wanted, pc)?))
            }
        }
    }

    fn float(&mut self, m: &mut Machine<'_>, long: bool, pc: u32) -> Result<Extended, Stop> {
        match self {
            Source::Registers { args, next } => {
                let i = *next;
                *next += 1;
                match args.kinds.get(i) {
                    Some(Kind::Float(Format::Double)) if !long => Ok(Extended::from_f64(args.float(i))),
                    Some(Kind::Float(Format::Extended)) if long => {
                        Ok(Extended::new(args.values[i].0, args.values[i].1))
                    }
                    _ => Err(m.bad_format(pc)),
                }
            }
            Source::List(list) => {
                let word = m.word_bytes() as u64;
                let kind = Kind::Float(if long { Format::Extended } else { Format::Double });
                let (size, align) = kind.argument_layout(word);
                let at = m.va_next(*list, size, align, pc)?;
                m.argument_taken(at, kind, pc)?;
                let low = m.load(at, 8, pc)?;
                if long {
                    return Ok(Extended::new(low, m.load(at + 8, 2, pc)? & 0xffff));
                }
                Ok(Extended::from_f64(f64::from_bits(low)))
            }
        }
    }
}

impl Machine<'_> {
    fn bad_format(&self, pc: u32) -> Stop {
        let kind = super::super::outcome::Undefined::InvalidArgument;
        self.undefined(kind, "of a printf conversion", pc)
    }

    /// The stream that a `FILE *` is.
    fn stream(&self, file: u64, pc: u32) -> Result<Stream, Stop> {
        if file != 0 && Some(file) == self.streams[0] {
            return Ok(Stream::Out);
        }
        if file != 0 && Some(file) == self.streams[1] {
            return Ok(Stream::Error);
        }
        Err(self.unsupported("output to a file", pc))
    }

    /// What a format and its arguments give.
    fn formatted(&mut self, format: u64, mut source: Source<'_>, pc: u32) -> Result<Vec<u8>, Stop> {
        let format = self.string_at(format, pc)?;
        let mut out = Vec::new();
        let mut i = 0;
        while i < format.len() {
            if format[i] != b'%' {
                out.push(format[i]);
                i += 1;
                continue;
            }
            i += 1;
            i = self.conversion(&format, i, &mut source, &mut out, pc)?;
        }
        Ok(out)
    }

    /// One conversion, from behind its `%`. Gives where it ends.
    fn conversion(
        &mut self,
        format: &[u8],
        mut i: usize,
        source: &mut Source<'_>,
        out: &mut Vec<u8>,
        pc: u32,
    ) -> Result<usize, Stop> {
        let mut spec = Spec::default();
        loop {
            match format.get(i) {
                Some(b'-') => spec.left = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.space = true,
                Some(b'#') => spec.alternative = true,
                Some(b'0') => spec.zero = true,
                _ => break,
            }
            i += 1;
        }
        if let Some(width) = self.number(format, &mut i, source, pc)? {
            spec.left |= width < 0;
            spec.width = usize::try_from(width.unsigned_abs()).unwrap_or(0).min(1 << 20);
        }
        if format.get(i) == Some(&b'.') {
            i += 1;
            let precision = self.number(format, &mut i, source, pc)?.unwrap_or(0);
            spec.precision = usize::try_from(precision).ok().map(|p| p.min(1 << 20));
        }
        let long = if self.word_bytes() == 4 { 32 } else { 64 };
        let (bits, long_double, length) = match &format[i..] {
            [b'h', b'h', ..] => (8, false, 2),
            [b'h', ..] => (16, false, 1),
            [b'l', b'l', ..] => (64, false, 2),
            [b'q' | b'j', ..] => (64, false, 1),
            [b'l' | b'z' | b't', ..] => (long, false, 1),
            [b'L', ..] => (64, true, 1),
            _ => (32, false, 0),
        };
        i += length;
        let Some(&conversion) = format.get(i) else { return Err(self.bad_format(pc)) };
        match conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let value = source.int(self, Int::new(bits.max(32), true), pc)?;
                out.extend(spec.signed(Int::new(bits, true).normal(value) as i64 as i128));
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = source.int(self, Int::new(bits.max(32), false), pc)?;
                out.extend(spec.unsigned(Int::new(bits, false).normal(value).into(), conversion));
            }
            b'c' if bits == 32 => {
                let value = source.int(self, Int::I32, pc)?;
                out.extend(spec.pad("", &[value as u8], false));
            }
            b's' if length == 0 => {
                let address = source.int(self, Int::address(long), pc)?;
                if address == 0 {
                    self.leave_open("the text of a null pointer", pc)?;
                }
                let text = match spec.precision {
                    _ if address == 0 => b"(null)".to_vec(),
                    Some(limit) => self.string_up_to(address, limit as u64, pc)?,
                    None => self.string_at(address, pc)?,
                };
                out.extend(spec.pad("", &text, false));
            }
            b'p' => match source.int(self, Int::address(long), pc)? {
                _ if self.determined.is_some() => return Err(self.open("the text of an address", pc)),
                0 => out.extend(spec.pad("", b"(nil)", false)),
                address => out.extend(spec.pad("", format!("{address:#x}").as_bytes(), false)),
            },
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let value = source.float(self, long_double, pc)?;
                out.extend(spec.float(value, conversion));
            }
            other => {
                let what = format!("the conversion %{} of printf", char::from(other));
                return Err(self.unsupported(what, pc));
            }
        }
        Ok(i + 1)
    }

    /// A width or precision: digits, or `*` for an argument.
    fn number(
        &mut self,
        format: &[u8],
        i: &mut usize,
        source: &mut Source<'_>,
        pc: u32,
    ) -> Result<Option<i64>, Stop> {
        if format.get(*i) == Some(&b'*') {
            *i += 1;
            let value = source.int(self, Int::I32, pc)?;
            return Ok(Some(Int::I32.normal(value) as i64));
        }
        let mut value = None;
        while let Some(digit) = format.get(*i).filter(|b| b.is_ascii_digit()) {
            value = Some((value.unwrap_or(0i64) * 10 + i64::from(digit - b'0')).min(1 << 30));
            *i += 1;
        }
        Ok(value)
    }

    /// What `stdout` and `stderr` are, if the program names them: pointers to something.
    pub(in super::super) fn open_streams(&mut self) -> Result<(), Stop> {
        for (i, names) in [["stdout", "_IO_stdout"], ["stderr", "_IO_stderr"]].into_iter().enumerate() {
            let place = self.code.statics.iter().find_map(|p| match p.what {
                super::super::code::Static::Object(object)
                    if names.contains(&self.unit[object].name.as_str())
                        && matches!(self.unit[object].ty, Type::Pointer { .. })
                        && self.unit[object].storage == tamis_front_c::tree::Storage::Elsewhere =>
                {
                    Some(p.off)
                }
                _ => None,
            });
            if let Some(off) = place {
                let file = self.keep(&[0; 16], 0)?;
                self.streams[i] = Some(file);
                self.store_address(self.memory.statics.base + u64::from(off), file, 0)?;
            }
        }
        Ok(())
    }
}

fn print(
    m: &mut Machine<'_>,
    args: &Args<'_>,
    stream: Stream,
    format: usize,
    pc: u32,
) -> Result<Answer, Stop> {
    let text = m.formatted(args.int(format), Source::Registers { args, next: format + 1 }, pc)?;
    m.output.write(stream, &text);
    Ok(Answer::Int(text.len() as u64))
}

fn print_to(m: &mut Machine<'_>, args: &Args<'_>, format: usize, pc: u32) -> Result<Answer, Stop> {
    let stream = m.stream(args.int(0), pc)?;
    print(m, args, stream, format, pc)
}

fn vprint(
    m: &mut Machine<'_>,
    args: &Args<'_>,
    stream: Stream,
    format: usize,
    pc: u32,
) -> Result<Answer, Stop> {
    let list = m.list(args, format + 1);
    let text = m.formatted(args.int(format), Source::List(list), pc)?;
    m.output.write(stream, &text);
    Ok(Answer::Int(text.len() as u64))
}

impl Machine<'_> {
    /// The address of a `va_list` that is an argument. With 32 bits the list is a pointer, passed by value: it is
    /// put somewhere to be advanced.
    fn list(&mut self, args: &Args<'_>, i: usize) -> u64 {
        if self.word_bytes() == 8 {
            return args.int(i);
        }
        match self.scratch {
            Some(address) => {
                let _ = self.store_address(address, args.int(i), 0);
                address
            }
            None => 0,
        }
    }
}

fn write_text(
    m: &mut Machine<'_>,
    to: u64,
    limit: Option<u64>,
    text: Vec<u8>,
    pc: u32,
) -> Result<Answer, Stop> {
    let length = text.len() as u64;
    let room = limit.unwrap_or(u64::MAX);
    if room > 0 {
        let mut text = text;
        text.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
        text.push(0);
        m.write_bytes(to, &text, pc)?;
    }
    Ok(Answer::Int(length))
}

fn sprint(
    m: &mut Machine<'_>,
    args: &Args<'_>,
    limit: Option<u64>,
    at: usize,
    pc: u32,
) -> Result<Answer, Stop> {
    let text = m.formatted(args.int(at), Source::Registers { args, next: at + 1 }, pc)?;
    write_text(m, args.int(0), limit, text, pc)
}

fn vsprint(
    m: &mut Machine<'_>,
    args: &Args<'_>,
    limit: Option<u64>,
    at: usize,
    pc: u32,
) -> Result<Answer, Stop> {
    let list = m.list(args, at + 1);
    let text = m.formatted(args.int(at), Source::List(list), pc)?;
    write_text(m, args.int(0), limit, text, pc)
}

fn puts(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let mut text = m.string_at(args.int(0), pc)?;
    text.push(b'\n');
    m.output.write(Stream::Out, &text);
    Ok(Answer::Int(text.len() as u64))
}

fn put(m: &mut Machine<'_>, stream: Stream, byte: u64, _: u32) -> Result<Answer, Stop> {
    m.output.write(stream, &[byte as u8]);
    Ok(Answer::Int(u64::from(byte as u8)))
}

fn fputs(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let stream = m.stream(args.int(1), pc)?;
    let text = m.string_at(args.int(0), pc)?;
    m.output.write(stream, &text);
    Ok(Answer::Int(1))
}

fn fwrite(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let stream = m.stream(args.int(3), pc)?;
    let size = m.size_arg(args, 1).saturating_mul(m.size_arg(args, 2));
    let bytes = m.bytes_at(args.int(0), size, pc)?;
    m.output.write(stream, &bytes);
    Ok(Answer::Int(args.int(2)))
}

fn perror(m: &mut Machine<'_>, args: &Args<'_>, pc: u32) -> Result<Answer, Stop> {
    let mut text = m.string_at(args.int(0), pc)?;
    text.extend(b": error\n");
    m.output.write(Stream::Error, &text);
    Ok(Answer::Nothing)
}
