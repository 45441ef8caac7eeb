//! Functions that mean something to the property, and those of the C library that need no memory.

use super::assumption::Assumption;
use super::leaks::End;
use super::queries::{Question, question};
use super::{Translator, Want};
use crate::memory::{Thing, library};
use crate::options::Target;
use crate::tree::vocabulary::{
    APART, APPROXIMATED, ASSERTIONS, ASSUMPTIONS, ENTER_CONTRACT, IDLE, OBJECT, UNDEFINED_INPUT,
    UNINTERPRETED, UNSPECIFIED, is_input, is_unknown_to_us,
};
use crate::tree::{
    ERROR_LABEL_REACHED, ExprId, ExprKind, FunctionId, ObjectId, PlaceKind, Position, Type, Unit,
};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, Havoc, Undefined};

/// What a call of a known function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// The property is violated.
    Violation,
    /// The property is violated if the argument is 0.
    Assert,
    /// The execution goes on only if the argument is not 0.
    Assume,
    /// The call does nothing.
    Nothing,
    /// The execution ends.
    End,
    /// The environment chooses the result.
    Input,
    /// The environment chooses an object, and the result tells whether it is the argument.
    Object,
    /// Output: nothing the program can see changes, and the result is not modelled.
    Output,
    /// Nothing the program can see changes, and the result is not modelled.
    Pure,
    /// The absolute value of the argument.
    Magnitude,
    /// A question about memory.
    Question(Question),
    /// Two pieces of memory that a function of the library copied between do not overlap.
    Apart,
    /// Objects from now on are new in a function.
    Entry,
    /// A function of which nothing is known but that equal arguments give equal results.
    Uninterpreted,
}

/// Functions whose calls do more than a call can: they start threads or processes, return twice, or have the program
/// called back.
const REFUSED: [(&str, &str); 6] = [
    ("a thread", "pthread_create thrd_create clone"),
    ("a process", "fork vfork"),
    (
        "longjmp",
        "longjmp _longjmp siglongjmp __longjmp_chk __builtin_longjmp setcontext swapcontext makecontext",
    ),
    ("a signal handler", "signal sigaction sigset bsd_signal sysv_signal ssignal"),
    ("an exit handler", "atexit on_exit at_quick_exit __cxa_atexit"),
    (
        "a function that calls back",
        "qsort qsort_r bsearch lsearch lfind tsearch tfind tdelete twalk twalk_r tdestroy ftw ftw64 nftw nftw64 glob \
         glob64 scandir scandir64 scandirat call_once pthread_once dl_iterate_phdr fopencookie argp_parse",
    ),
];

/// Why a call of an undefined function is refused, if it is.
pub(super) fn refused(unit: &Unit, function: FunctionId) -> Option<String> {
    let data = &unit[function];
    if data.body.is_some() {
        return None;
    }
    let entry = REFUSED.iter().find(|(_, names)| names.split(' ').any(|name| name == data.name));
    let what = entry.map(|(what, _)| (*what).to_owned());
    what.or_else(|| {
        let unknown = is_unknown_to_us(&data.name);
        unknown.then(|| format!("`{}`, a built-in function of a verifier that is not known here,", data.name))
    })
}

/// The variable that is `errno`, as `library/stdlib.c` names it.
pub(super) const ERRNO: &str = "__libc_errno";

/// Functions of numbers alone, whose results are not modelled. With `f` and `l` at the end, they are those of other widths.
const PURE: &str = "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 log log10 log1p \
    log2 logb pow sqrt cbrt hypot erf erfc tgamma lgamma ceil floor nearbyint rint lrint llrint round lround llround \
    trunc roundeven fmod remainder fdim fmax fmin fma ldexp scalbn scalbln nextafter nexttoward ilogb difftime drem gamma \
    j0 j1 y0 y1 significand exp10 pow10";

fn is_pure(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let is = |name: &str| PURE.split_whitespace().any(|pure| pure == name);
    is(name) || name.strip_suffix(['f', 'l']).is_some_and(is) || OTHERS.contains(&name)
}

/// More functions that change nothing, and whose results are not modelled.
const OTHERS: [&str; 11] = [
    "getpid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "isatty",
    "sleep",
    "usleep",
    "sched_yield",
    "getpagesize",
];

/// Functions of the C library that change nothing but what their arguments lead to, and `errno`.
const LOCAL: &str = "getenv secure_getenv strerror strerror_r setlocale localeconv getcwd gettimeofday clock_gettime localtime \
    gmtime localtime_r gmtime_r mktime strftime ctime asctime ctime_r asctime_r nanosleep frexp frexpf frexpl modf modff modfl \
    remquo open close read write lseek stat fstat lstat access getrusage uname gethostname pipe dup dup2 select poll \
    pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock \
    pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy pthread_cond_init pthread_cond_destroy \
    pthread_cond_signal pthread_cond_broadcast pthread_self sysconf vsprintf __vsprintf_chk posix_memalign \
    mbtowc wctomb mblen mbstowcs wcstombs strxfrm";

/// Whether an undefined function leaves the global variables of the program alone.
pub(super) fn is_local(name: &str) -> bool {
    LOCAL.split_whitespace().any(|local| local == name)
}

/// Whether a function means something without a definition.
pub(crate) fn is_known(unit: &Unit, function: FunctionId) -> bool {
    known(unit, function).is_some()
}

/// What a function is known as. A definition in the program says what it is, except of those whose call is the
/// violation.
pub(super) fn known(unit: &Unit, function: FunctionId) -> Option<Known> {
    let data = &unit[function];
    let name = data.name.as_str();
    if unit.target.is_call_of(name) {
        return Some(Known::Violation);
    }
    if data.body.is_some() || data.refused.is_some() {
        return None;
    }
    let asserts = unit.target == Target::Errors;
    Some(match name {
        "__assert_fail" | "__assert_perror_fail" | "__assert" if asserts => Known::Violation,
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert_perror_fail" | "__assert" => {
            Known::End
        }
        _ if ASSERTIONS.contains(&name) && asserts => Known::Assert,
        _ if ASSERTIONS.contains(&name) || ASSUMPTIONS.contains(&name) => Known::Assume,
        _ if IDLE.contains(&name) => Known::Nothing,
        "abort" | "exit" | "_exit" | "_Exit" | "__builtin_abort" | "__builtin_exit" | "__builtin__exit"
        | "__builtin_trap" => Known::End,
        "printf" | "puts" | "putchar" | "fprintf" | "fputs" | "putc" | "fputc" | "fflush" | "perror"
        | "fwrite" | "vprintf" | "vfprintf" | "dprintf" | "__printf_chk" | "__fprintf_chk"
        | "__vprintf_chk" | "__vfprintf_chk" | "putc_unlocked" | "fputc_unlocked" | "putchar_unlocked"
        | "fputs_unlocked" | "fwrite_unlocked" | "_IO_putc" | "__builtin_printf" | "__builtin_puts"
        | "__builtin_putchar" | "__builtin_fprintf" | "__builtin_fputs" | "__builtin_fputc"
        | "__builtin_fwrite" | "__builtin_vprintf" | "__builtin_vfprintf" => Known::Output,
        "abs" | "labs" | "llabs" | "imaxabs" => Known::Magnitude,
        APART => Known::Apart,
        ENTER_CONTRACT => Known::Entry,
        _ if let Some(question) = question(name) => Known::Question(question),
        _ if name.starts_with(UNINTERPRETED) => Known::Uninterpreted,
        _ if name == "__VERIFIER_nondet_memory" => return None,
        _ if name.starts_with(OBJECT) => Known::Object,
        _ if name.starts_with(APPROXIMATED) || is_pure(name) => Known::Pure,
        _ if is_input(name) || name.starts_with(UNSPECIFIED) => Known::Input,
        _ => return None,
    })
}

/// Whether a format has `%n`.
fn stores_a_count(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let letter = after.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #'*.hlqjzt".contains(c));
        if letter.starts_with('n') {
            return true;
        }
        rest = letter.get(1..).unwrap_or_default();
    }
    false
}

/// Whether a call of a function may do what code of other translation units can.
pub(super) fn is_undefined(unit: &Unit, function: FunctionId) -> bool {
    let is_known = known(unit, function).is_some() || library(unit, function).is_some();
    unit[function].body.is_none() && !is_known
}

impl Translator<'_> {
    /// A call of a known function.
    pub(super) fn known_call(
        &mut self,
        known: Known,
        function: FunctionId,
        args: &[ExprId],
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        match known {
            Known::Violation => {
                self.check_order(args, at)?;
                args.iter().try_for_each(|&a| self.evaluate(a))?;
                let text = self.violation_text(function, args);
                self.skip_to(self.cursor.error, at, Event::Violation(text))?;
                self.cursor.here = None;
                Ok(())
            }
            Known::Assert | Known::Assume => {
                let name = self.unit[function].name.clone();
                // A message may follow.
                let Some((&arg, rest)) = args.split_first() else {
                    return self.unsupported(at, format!("`{name}` is called without an argument"));
                };
                self.check_order(args, at)?;
                rest.iter().try_for_each(|&a| self.evaluate(a))?;
                let truth = self.condition(arg)?;
                if known == Known::Assume {
                    let users = ASSUMPTIONS.contains(&name.as_str());
                    let why = if users { Assumption::User } else { Assumption::Exit };
                    if !users {
                        let fails = self.terms.not(truth);
                        self.enclosing.under.push(fails);
                        self.mark_end(End::Call, at);
                        self.enclosing.under.pop();
                    }
                    return self.assume(truth, why, at);
                }
                if !self.terms.is_true(truth) {
                    let fails = self.terms.not(truth);
                    let event = Event::Violation("an assertion fails".to_owned());
                    self.emit_to(self.cursor.error, Command::Assume(fails), at, event)?;
                }
                self.assume(truth, Assumption::Violation, at)
            }
            Known::Magnitude => {
                let (&[arg], Some(int)) = (args, self.unit[function].result.int()) else {
                    return self.refuse(at, "this declaration of an absolute value");
                };
                let value = self.value(arg)?;
                let value = self.convert(value, self.unit[arg].ty, self.unit[function].result);
                let value = self.magnitude(int, value, at);
                match want {
                    Want::Nothing | Want::Struct(_) => Ok(()),
                    Want::Into(var, types) => {
                        let value = self.convert_through(value, self.unit[function].result, &types);
                        self.emit(Command::Assign(var, value), at, Event::Step)
                    }
                }
            }
            Known::Question(question) => {
                self.check_order(args, at)?;
                self.question(question, args, self.unit[function].result, want, at)
            }
            Known::Apart => {
                if let &[to, from, size] = args {
                    let (to, from, size) = (self.value(to)?, self.value(from)?, self.value(size)?);
                    self.mark_overlap(to, from, size, at);
                    self.skip(at)?;
                }
                Ok(())
            }
            Known::Entry => self.enter_contract(args, at),
            Known::Uninterpreted => {
                self.check_order(args, at)?;
                self.uninterpreted(function, args, want, at)
            }
            Known::Nothing => {
                self.check_order(args, at)?;
                args.iter().try_for_each(|&a| self.evaluate(a))
            }
            Known::End => {
                self.check_order(args, at)?;
                args.iter().try_for_each(|&a| self.evaluate(a))?;
                self.mark_end(End::Call, at);
                self.cease(Assumption::Exit);
                Ok(())
            }
            Known::Input => {
                self.check_order(args, at)?;
                args.iter().try_for_each(|&a| self.evaluate(a))?;
                let name = self.unit[function].name.clone();
                if name.starts_with(UNDEFINED_INPUT) {
                    let taken = format!(
                        "{name} is not defined: taken to give any value of its type, and to do nothing else"
                    );
                    self.builder.warn(taken);
                }
                if self.unit[function].result == Type::Void {
                    return Ok(());
                }
                let cause = Havoc::Input(name);
                if self.scalar(self.unit[function].result).is_none() {
                    let what = match self.unit[function].result {
                        Type::Other(what) => what,
                        _ => "input without a value",
                    };
                    return self.refuse(at, what);
                }
                self.arbitrary_result(function, cause, at, want, true)
            }
            Known::Object => self.is_the_object(function, args, at, want),
            Known::Pure => {
                self.check_order(args, at)?;
                args.iter().try_for_each(|&a| self.evaluate(a))?;
                let name = &self.unit[function].name;
                let cause =
                    Havoc::Approximated(format!("result of {}", name.trim_start_matches(APPROXIMATED)));
                self.disturb_errno(&cause, at)?;
                self.arbitrary_result(function, cause, at, want, false)
            }
            Known::Output => {
                self.check_order(args, at)?;
                if args.iter().filter_map(|&a| self.literal_text(a)).any(|text| stores_a_count(&text)) {
                    return self.refuse(at, "a format with %n");
                }
                for &arg in args {
                    if !self.is_stream(arg) {
                        self.evaluate(arg)?;
                        // Whether it points to a string is not followed.
                        if self.literal_text(arg).is_none() && self.memory.points(arg) {
                            self.mark_doubt(Undefined::OutOfBounds, at);
                            self.mark_doubt(Undefined::Uninitialised, at);
                            self.skip(at)?;
                        }
                    }
                }
                let cause = Havoc::Approximated(format!("result of {}", self.unit[function].name));
                self.disturb_errno(&cause, at)?;
                self.arbitrary_result(function, cause, at, want, false)
            }
        }
    }

    /// Whether an argument is the object that a specification is about. That has any address or number, the same in the whole
    /// execution; the result is an input, which it determines.
    fn is_the_object(
        &mut self,
        function: FunctionId,
        args: &[ExprId],
        at: Position,
        want: Want,
    ) -> Result<(), Error> {
        let (&[arg], Want::Into(var, types)) = (args, want) else {
            return args.iter().try_for_each(|&a| self.evaluate(a));
        };
        let Some(int) = self.scalar(self.unit[arg].ty) else {
            return self.refuse(at, "an object of this type");
        };
        let value = self.value(arg)?;
        let object = match self.variables.objects.get(&function) {
            Some(&object) => object,
            None => {
                let name = self.unit[function].name.clone();
                let object = self.builder.variable(self.terms, &name, int, None);
                self.variables.objects.insert(function, object);
                object
            }
        };
        let result = self.unit[function].result;
        let said = self.temporary(&self.unit[function].name, result, at)?;
        self.havoc(said, result, Havoc::Input(self.unit[function].name.clone()), at)?;
        let (said, object) = (self.builder.term(said), self.builder.term(object));
        let width = self.terms.width(said);
        let (one, zero) = (self.terms.bits(width, 1), self.terms.bits(width, 0));
        let is_it = self.terms.eq(value, object);
        let expected = self.terms.ite(is_it, one, zero);
        let guard = self.terms.eq(said, expected);
        self.assume(guard, Assumption::Object, at)?;
        let value = self.convert_through(said, result, &types);
        self.emit(Command::Assign(var, value), at, Event::Step)
    }

    /// A function of the library may set `errno`.
    pub(super) fn disturb_errno(&mut self, cause: &Havoc, at: Position) -> Result<(), Error> {
        let is_it = |&o: &ObjectId| self.unit[o].name == ERRNO && self.unit[o].external;
        let errno: Vec<_> = self.variables.shared.iter().copied().filter(is_it).collect();
        self.havoc_objects(&errno, cause, at)
    }

    /// An allocation that fails sets `errno`.
    pub(super) fn disturb_errno_where_null(&mut self, result: Term, at: Position) -> Result<(), Error> {
        if !self.variables.shared.iter().any(|&o| self.unit[o].name == ERRNO) {
            return Ok(());
        }
        let null = self.terms.bits(self.unit.word(), 0);
        let failed = self.terms.eq(result, null);
        let (yes, no) = (self.node(), self.node());
        self.fork(failed, yes, no, at, Event::Step, Event::Step)?;
        self.cursor.resume(yes);
        if self.cursor.here.is_some() {
            self.disturb_errno(&Havoc::Approximated("errno".to_owned()), at)?;
        }
        self.cursor.join(no);
        Ok(())
    }

    /// Whether an argument is one of the standard streams.
    fn is_stream(&self, arg: ExprId) -> bool {
        match self.unit[arg].kind {
            ExprKind::Load(place) => match self.unit[place].kind {
                PlaceKind::Object(object) => {
                    let data = &self.unit[object];
                    data.external && matches!(data.name.as_str(), "stdout" | "stderr")
                }
                _ => false,
            },
            ExprKind::Convert(a) => self.is_stream(a),
            _ => false,
        }
    }

    /// Gives the result of a call any value. An input is consumed even where nobody looks at it.
    pub(super) fn arbitrary_result(
        &mut self,
        function: FunctionId,
        cause: Havoc,
        at: Position,
        want: Want,
        always: bool,
    ) -> Result<(), Error> {
        let data = &self.unit[function];
        if let (Want::Struct(_), Havoc::Approximated(what)) = (&want, &cause) {
            let result = self.memory.thing(Thing::Result(function));
            return self.approximate_regions(result, what, at);
        }
        let Some(int) = self.scalar(data.result) else { return Ok(()) };
        let is_bool = data.result == Type::Bool
            || matches!(data.name.as_str(), "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool");
        match want {
            Want::Nothing | Want::Struct(_) if !always => Ok(()),
            // The bits of the result are the bits of the variable, or 0 and 1 are in both.
            Want::Into(var, types)
                if is_bool || types.iter().all(|t| matches!(t, Type::Int(to) if to.bits == int.bits)) =>
            {
                let ty = types.last().copied().unwrap_or(data.result);
                self.havoc(var, if is_bool { Type::Void } else { ty }, cause, at)?;
                if is_bool {
                    self.at_most_one(var, at)?;
                }
                Ok(())
            }
            want => {
                let temporary = self.temporary(&data.name, data.result, at)?;
                self.havoc(temporary, data.result, cause, at)?;
                if is_bool && data.result != Type::Bool {
                    self.at_most_one(temporary, at)?;
                }
                match want {
                    Want::Nothing | Want::Struct(_) => Ok(()),
                    Want::Into(var, types) => {
                        let value = self.builder.term(temporary);
                        let value = self.convert_through(value, data.result, &types);
                        self.emit(Command::Assign(var, value), at, Event::Step)
                    }
                }
            }
        }
    }

    fn at_most_one(&mut self, var: tamis_program::Var, at: Position) -> Result<(), Error> {
        let term = self.builder.term(var);
        let two = self.terms.bits(self.terms.width(term), 2);
        let guard = self.terms.ult(term, two);
        self.assume(guard, Assumption::Bool, at)
    }

    fn violation_text(&self, function: FunctionId, args: &[ExprId]) -> String {
        let name = &self.unit[function].name;
        match args.first().and_then(|&a| self.literal_text(a)) {
            Some(text) if name == "__assert_fail" => format!("assertion `{text}` fails"),
            _ if name == ERROR_LABEL_REACHED => format!("{name} is reached"),
            _ => format!("call of {name}"),
        }
    }

    /// The text of an argument that is a string literal.
    fn literal_text(&self, e: ExprId) -> Option<String> {
        match self.unit[e].kind {
            ExprKind::Convert(a) => self.literal_text(a),
            ExprKind::AddressOf(place) => match self.unit[place].kind {
                PlaceKind::String(literal) => {
                    let text = self.unit[literal].elements.iter().take_while(|&&c| c != 0);
                    let bytes: Vec<u8> = text.map(|&c| u8::try_from(c).unwrap_or(b'?')).collect();
                    Some(String::from_utf8_lossy(&bytes).into_owned())
                }
                _ => None,
            },
            _ => None,
        }
    }
}
