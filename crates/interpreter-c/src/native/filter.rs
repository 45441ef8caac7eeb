//! The system calls that a sandboxed program may make: those by which a C program starts, computes, allocates, reads
//! files, writes to what is open, and ends. All others fail with `EPERM`; `seccomp` sees to it.

use std::io;

/// For x86-64. `execve` is how the program starts; what it would start itself is in the same sandbox.
const CALLS_64: [libc::c_long; 44] = [
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_close,
    libc::SYS_stat,
    libc::SYS_fstat,
    libc::SYS_lstat,
    libc::SYS_lseek,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_munmap,
    libc::SYS_brk,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_ioctl,
    libc::SYS_pread64,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_access,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_nanosleep,
    libc::SYS_getpid,
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_uname,
    libc::SYS_getcwd,
    libc::SYS_readlink,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_getgid,
    libc::SYS_geteuid,
    libc::SYS_getegid,
    libc::SYS_sigaltstack,
    libc::SYS_arch_prctl,
    libc::SYS_gettid,
    libc::SYS_time,
    libc::SYS_futex,
    libc::SYS_set_tid_address,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_exit_group,
    libc::SYS_newfstatat,
    libc::SYS_getrandom,
];

/// The same for i386, whose numbers are its own: a program of the 32-bit data model makes these.
const CALLS_32: [u32; 50] = [
    1, 3, 4, 6, 13, 19, 20, 33, 45, 54, 78, 85, 90, 91, 119, 122, 125, 140, 145, 146, 162, 163, 173, 174,
    175, 180, 183, 186, 191, 192, 195, 196, 197, 199, 200, 201, 202, 219, 224, 240, 243, 252, 258, 265, 300,
    355, 383, 384, 403, 407,
];

/// Both sets also have `set_robust_list`, `rseq` and `prlimit64`, with which the C library starts.
const START_64: [u32; 3] =
    [libc::SYS_set_robust_list as u32, libc::SYS_rseq as u32, libc::SYS_prlimit64 as u32];
const START_32: [u32; 3] = [311, 386, 340];

/// `open` and `openat`, with the place of their flags among the arguments.
const OPEN_64: [(u32, u32); 2] = [(libc::SYS_open as u32, 1), (libc::SYS_openat as u32, 2)];
const OPEN_32: [(u32, u32); 2] = [(5, 1), (295, 2)];

/// Any of these flags opens a file for more than reading.
const WRITING: u32 = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND) as u32;

/// How the kernel names the two instruction sets.
const ARCH_64: u32 = 0xC000_003E;
const ARCH_32: u32 = 0x4000_0003;

/// Where the parts of a system call are in what the filter sees.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ARGUMENTS: u32 = 16;

type Instruction = libc::sock_filter;

fn instruction(code: u32, jt: u8, jf: u8, k: u32) -> Instruction {
    Instruction { code: code as u16, jt, jf, k }
}

fn load(offset: u32) -> Instruction {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset)
}

fn give(answer: u32) -> Instruction {
    instruction(libc::BPF_RET | libc::BPF_K, 0, 0, answer)
}

fn allow() -> Instruction {
    give(libc::SECCOMP_RET_ALLOW)
}

fn refuse() -> Instruction {
    give(libc::SECCOMP_RET_ERRNO | libc::EPERM as u32)
}

/// Passes over so many instructions unless what is loaded equals a number.
fn unless_equal(number: u32, over: u8) -> Instruction {
    instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, over, number)
}

/// The filter, as the kernel's virtual machine runs it.
pub fn program() -> Vec<Instruction> {
    let calls_64: Vec<u32> = CALLS_64.iter().map(|&n| n as u32).chain(START_64).collect();
    let calls_32: Vec<u32> = CALLS_32.iter().copied().chain(START_32).collect();
    let mut program = vec![load(ARCH)];
    for (arch, calls, open) in [(ARCH_64, calls_64, OPEN_64), (ARCH_32, calls_32, OPEN_32)] {
        let mut part = vec![load(NUMBER)];
        for call in calls {
            part.extend([unless_equal(call, 1), allow()]);
        }
        for (call, flags) in open {
            let writes = instruction(libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K, 0, 1, WRITING);
            part.extend([unless_equal(call, 4), load(ARGUMENTS + 8 * flags), writes, refuse(), allow()]);
        }
        part.push(refuse());
        // The part is longer than a conditional jump reaches.
        let over = instruction(libc::BPF_JMP | libc::BPF_JA, 0, 0, part.len() as u32);
        program.push(instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, 0, arch));
        program.push(over);
        program.extend(part);
    }
    program.push(refuse());
    program
}

/// Puts the calling process, and what it becomes, under the filter.
pub fn install(program: &[Instruction]) -> io::Result<()> {
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the program, which lives until the call returns.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) == 0
    };
    if done { Ok(()) } else { Err(io::Error::last_os_error()) }
}
