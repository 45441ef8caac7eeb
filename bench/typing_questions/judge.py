"""Questions become programs, which gcc and Tamis run."""
import collections, dataclasses, itertools, os, subprocess, threading

@dataclasses.dataclass
class Question:
    """Expressions, each of which gives a number, and what they name."""
    declarations: str
    expressions: list

@dataclasses.dataclass
class Result:
    same: int = 0
    differences: list = dataclasses.field(default_factory=list)
    refused: collections.Counter = dataclasses.field(default_factory=collections.Counter)

BATCH = 120

PRINTED_BY_TAMIS = '''
int printf(const char *, ...);
static void put(long long value) { printf("%lld\\n", value); }
'''

# A program without a C library, which every gcc can link.
PRINTED_BY_GCC = '''
#ifdef __i386__
static long sys(long n, long a, long b, long c) {
    long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory"); return r;
}
enum { sys_exit = 1, sys_write = 4 };
#else
static long sys(long n, long a, long b, long c) {
    long r; __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory"); return r;
}
enum { sys_exit = 60, sys_write = 1 };
#endif
void *memset(void *p, int c, __SIZE_TYPE__ n) { char *q = p; while (n--) *q++ = c; return p; }
void *memcpy(void *p, const void *s, __SIZE_TYPE__ n) { char *q = p; const char *r = s; while (n--) *q++ = *r++; return p; }
static void put(long long value) {
    char line[24]; int at = 24; line[--at] = '\\n';
    unsigned long long rest = value < 0 ? -(unsigned long long)value : value;
    do { unsigned long long q = 0, r = 0;
        for (int i = 63; i >= 0; i--) { r = r << 1 | (rest >> i & 1); q <<= 1; if (r >= 10) { r -= 10; q |= 1; } }
        line[--at] = '0' + (int)r; rest = q; } while (rest);
    if (value < 0) line[--at] = '-';
    sys(sys_write, 1, (long)(line + at), 24 - at);
}
int main(void);
void _start(void) { __asm__ volatile("" ::: "memory"); sys(sys_exit, main(), 0, 0); for (;;) ; }
'''

class Judge:
    def __init__(self, tamis, word, folder, prelude):
        self.tamis, self.word, self.folder, self.prelude = os.path.abspath(tamis), word, folder, prelude
        self.number, self.lock = itertools.count(), threading.Lock()

    def batches(self, questions):
        questions = iter(questions)
        while batch := list(itertools.islice(questions, BATCH)):
            yield batch

    def text(self, batch, how):
        """Each question has a function of its own, so that what is refused is found."""
        out = [how, self.prelude]
        for i, question in enumerate(batch):
            out.append(question.declarations)
            body = ' '.join(f'put((long long)({e}));' for e in question.expressions)
            out.append(f'static void ask{i}(void) {{ {body} }}')
        out.append('int main(void) { ' + ' '.join(f'ask{i}(); put({i});' for i in range(len(batch))) + ' return 0; }')
        return '\n'.join(out) + '\n'

    def run(self, command):
        done = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=300)
        return done.returncode, done.stdout.split(), done.stderr

    def by_gcc(self, batch):
        with self.lock:
            name = os.path.join(self.folder, f'{self.word}-{next(self.number)}')
        with open(name + '.c', 'w') as f:
            f.write(self.text(batch, PRINTED_BY_GCC))
        flags = ['-O0', '-w', '-fwrapv', '-ffreestanding', '-nostdlib', '-static', '-fno-stack-protector', '-fno-pie',
                 '-no-pie', '-mstackrealign', f'-m{self.word}']
        status, _, why = self.run(['gcc', *flags, '-o', name, name + '.c', '-lgcc'])
        if status != 0:
            return None, why
        return self.run([name])[1], ''

    def by_tamis(self, batch):
        with self.lock:
            name = os.path.join(self.folder, f'{self.word}-{next(self.number)}.c')
        with open(name, 'w') as f:
            f.write(self.text(batch, PRINTED_BY_TAMIS))
        status, printed, why = self.run([self.tamis, 'run', f'--{self.word}', name])
        lines = why.strip().splitlines() or ['nothing']
        return printed if status == 0 else None, lines[-1]

    def compare(self, batch):
        result = Result()
        expected, why = self.by_gcc(batch)
        if expected is None:
            if len(batch) == 1:
                error = next((line for line in why.splitlines() if 'error' in line), why[-200:])
                result.refused['gcc: ' + error.split('error:')[-1].strip()] += 1
                return result
        else:
            got, why = self.by_tamis(batch)
            if got == expected:
                result.same = len(expected) - len(batch)
                return result
            if len(batch) == 1:
                question = batch[0]
                if got is None:
                    result.refused[why.split(', /')[0]] += 1
                    return result
                asked = list(zip(question.expressions, expected, got))
                differ = [f'{expression} is {right}, got {wrong}' for expression, right, wrong in asked if right != wrong]
                result.same += len(asked) - len(differ)
                if differ:
                    result.differences.append(f'{differ[0]} ({len(differ)} of {len(asked)}): {question.declarations}')
                return result
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            part = self.compare(half)
            result.same += part.same
            result.differences += part.differences
            result.refused += part.refused
        return result
