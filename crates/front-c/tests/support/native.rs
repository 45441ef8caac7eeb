//! Running generated programs natively, without a C library, so that 32-bit code runs on any x86-64 Linux.

use super::Outcome;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use tamis_front_c::DataModel;
use tamis_testing::missing;

/// What a generated program may name.
pub const PRELUDE: &str = "
unsigned long long checksum;
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
";

const HARNESS: &str = "
#ifdef __i386__
static long sys(long n, long a, long b, long c) {
  long r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(n), \"b\"(a), \"c\"(b), \"d\"(c) : \"memory\"); return r;
}
enum { EXIT = 1, FORK = 2, WRITE = 4, WAIT = 7 };
#else
static long sys(long n, long a, long b, long c) {
  long r; register long d __asm__(\"r10\") = 0;
  __asm__ volatile(\"syscall\" : \"=a\"(r) : \"a\"(n), \"D\"(a), \"S\"(b), \"d\"(c), \"r\"(d) : \"rcx\", \"r11\", \"memory\");
  return r;
}
enum { EXIT = 60, FORK = 57, WRITE = 1, WAIT = 61 };
#endif
static const unsigned long long *input; static int position, count;
static unsigned long long next(void) { return input[position++ % count]; }
static void say(char kind) {
  char line[20]; line[0] = kind; line[1] = ' ';
  for (int i = 0; i < 16; i++) { int d = (int)((checksum >> (60 - 4 * i)) & 15); line[2 + i] = (char)(d < 10 ? '0' + d : 'a' + d - 10); }
  line[18] = '\\n';
  sys(WRITE, 1, (long)line, 19);
}
static void leave(void) { for (;;) sys(EXIT, 0, 0, 0); }
void reach_error(void) { say('E'); leave(); }
void abort(void) { say('S'); leave(); }
void __VERIFIER_assume(int c) { if (!c) abort(); }
_Bool __VERIFIER_nondet_bool(void) { return next() % 2; }
char __VERIFIER_nondet_char(void) { return (char)next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next(); }
short __VERIFIER_nondet_short(void) { return (short)next(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)next(); }
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned)next(); }
long __VERIFIER_nondet_long(void) { return (long)next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return (unsigned long)next(); }
long long __VERIFIER_nondet_longlong(void) { return (long long)next(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return next(); }
static void attempt(int (*program)(void), const unsigned long long *in, int n) {
  int status = 0; long child = sys(FORK, 0, 0, 0);
  if (child == 0) { input = in; count = n; program(); say('F'); leave(); }
  sys(WAIT, child, (long)&status, 0);
  if (status & 127) { checksum = 0; say('S'); }
}
";

/// Runs every program on every input vector; `programs` are definitions of `int main_0(void)`, `main_1` and so on.
/// `None` where the machine cannot compile or run them.
pub fn run_natively(programs: &[String], inputs: &[Vec<u64>], model: DataModel) -> Option<Vec<Vec<Outcome>>> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        missing("cc-m64", "programs are run natively on Linux and x86-64 only");
        return None;
    }
    let mut text = PRELUDE.to_owned();
    programs.iter().for_each(|p| text += p);
    text += HARNESS;
    for (i, vector) in inputs.iter().enumerate() {
        let values: Vec<String> = vector.iter().map(|v| format!("{v}ull")).collect();
        writeln!(text, "static const unsigned long long in_{i}[] = {{ {} }};", values.join(", ")).ok()?;
    }
    text += "__attribute__((force_align_arg_pointer)) void _start(void) {\n";
    for i in 0..programs.len() {
        for (j, vector) in inputs.iter().enumerate() {
            writeln!(text, "attempt(main_{i}, in_{j}, {});", vector.len()).ok()?;
        }
    }
    text += "leave(); }\n";
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (oracle, flag) = match model {
        DataModel::Ilp32 => ("cc-m32", "-m32"),
        DataModel::Lp64 => ("cc-m64", "-m64"),
    };
    let unique = format!("native{flag}-{}-{:?}", std::process::id(), std::thread::current().id());
    let source = folder.join(format!("{unique}.c"));
    let binary = folder.join(unique);
    std::fs::write(&source, text).ok()?;
    let mut cc = Command::new("cc");
    cc.args([flag, "-O0", "-fwrapv", "-w", "-nostdlib", "-static", "-ffreestanding", "-fno-pie", "-no-pie"]);
    cc.args(["-fno-stack-protector", "-o"]).arg(&binary).arg(&source);
    if model == DataModel::Lp64 {
        // 128-bit division.
        cc.arg("-lgcc");
    }
    let Ok(compiled) = cc.output() else {
        missing(oracle, "there is no cc");
        return None;
    };
    if !compiled.status.success() {
        let complaint = String::from_utf8_lossy(&compiled.stderr);
        // A machine without 32-bit support cannot link; a program the compiler rejects is a bug of the generator.
        assert!(complaint.contains("cannot find"), "{complaint}");
        missing(oracle, &complaint);
        return None;
    }
    let output = Command::new(&binary).output();
    std::fs::remove_file(&binary).ok()?;
    std::fs::remove_file(&source).ok()?;
    let Ok(output) = output else {
        missing(oracle, "this machine does not run the programs");
        return None;
    };
    let lines = String::from_utf8(output.stdout).expect("they print text");
    let outcomes: Vec<Outcome> = lines.lines().map(outcome).collect();
    assert_eq!(outcomes.len(), programs.len() * inputs.len(), "a run without an outcome");
    Some(outcomes.chunks(inputs.len()).map(<[Outcome]>::to_vec).collect())
}

fn outcome(line: &str) -> Outcome {
    let checksum = u64::from_str_radix(&line[2..], 16).expect("a checksum");
    match line.as_bytes()[0] {
        b'E' => Outcome::Error(checksum),
        b'F' => Outcome::Finished(checksum),
        _ => Outcome::Stopped,
    }
}
