"""What a program needs to be C: the functions that the tools of the suites have built in, in the words of Tamis and of gcc.

A header that is read before the program defines assertions and assumptions, and renames inputs to those that Tamis knows.
It has only what the program uses and does not define itself. A wrapper reads the program with `main` under another name.
"""
import os, re

FUNCTIONS = {
    '__CPROVER_assert': '_Bool c, const char *m', '__ESBMC_assert': '_Bool c, const char *m',
    '__VERIFIER_assert': 'int c', 'assert': 'int c',
    '__CPROVER_assume': '_Bool c', '__ESBMC_assume': '_Bool c',
}
NOTHING = ['__ESBMC_atomic_begin', '__ESBMC_atomic_end', '__VERIFIER_atomic_begin', '__VERIFIER_atomic_end',
           '__CPROVER_atomic_begin', '__CPROVER_atomic_end']
TYPES = {'__CPROVER_bool': '_Bool', '__CPROVER_size_t': '__SIZE_TYPE__', '__CPROVER_ssize_t': '__PTRDIFF_TYPE__'}
INPUTS = {
    'int': 'int', 'uint': 'unsigned', 'unsigned': 'unsigned', 'unsigned_int': 'unsigned', 'bool': '_Bool', 'char': 'char',
    'uchar': 'unsigned char', 'unsigned_char': 'unsigned char', 'schar': 'signed char', 'short': 'short', 'ushort': 'unsigned short',
    'unsigned_short': 'unsigned short', 'long': 'long', 'ulong': 'unsigned long', 'unsigned_long': 'unsigned long',
    'longlong': 'long long', 'ulonglong': 'unsigned long long', 'float': 'float', 'double': 'double', 'pointer': 'void *',
    'size_t': '__SIZE_TYPE__', 'int8_t': '__INT8_TYPE__', 'uint8_t': '__UINT8_TYPE__', 'int16_t': '__INT16_TYPE__',
    'uint16_t': '__UINT16_TYPE__', 'int32_t': '__INT32_TYPE__', 'uint32_t': '__UINT32_TYPE__', 'int64_t': '__INT64_TYPE__',
    'uint64_t': '__UINT64_TYPE__', 'u8': '__UINT8_TYPE__', 'u16': '__UINT16_TYPE__', 'u32': '__UINT32_TYPE__', 'u64': '__UINT64_TYPE__',
}

class Shim:
    """Headers and wrappers of one test, in a folder."""

    def __init__(self, test, folder):
        self.test, self.folder = test, folder
        self.text = uncommented(with_local_files(test.files))
        self.used = set(re.findall(r'[A-Za-z_]\w*', self.text))
        self.inputs = sorted(n for n in self.used if n.startswith(('nondet_', '__VERIFIER_nondet_')) and self.is_input(n))
        self.header = self.write('suite.h', self.header_text())

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w') as file:
            file.write(text)
        return path

    def is_defined(self, name):
        return re.search(rf'\b{name}\s*\([^()]*\)\s*\{{', self.text) or re.search(rf'#\s*define\s+{name}\b', self.text)

    def is_declared(self, name):
        """Whether a word or a star stands before the name, as in a declaration."""
        return any(word != 'return' and word != 'else' for word in re.findall(rf'([A-Za-z_]\w*|\*)\s*{name}\s*\(', self.text))

    def is_input(self, name):
        """Whether it is a function without a body whose value is a number: others are left to their tools."""
        called = re.search(rf'\b{name}\s*\(', self.text)
        return called and not self.is_defined(name) and not re.search(rf'\b(struct|union)\s+\w+\s+{name}\b|\bvoid\s+{name}\b', self.text)

    def header_text(self):
        lines = [f'typedef {type} {name};' for name, type in TYPES.items() if name in self.used]
        wanted = [name for name in FUNCTIONS if name in self.used and not self.is_defined(name)]
        if 'assert.h' in self.text and 'assert' in wanted:
            wanted.remove('assert')
        if any('assert' in name for name in wanted) and not self.is_declared('__VERIFIER_error'):
            lines.append('void __VERIFIER_error();')
        if any('assume' in name for name in wanted) and not self.is_declared('__VERIFIER_assume'):
            lines.append('void __VERIFIER_assume(int);')
        for name in wanted:
            does = 'if (!c) __VERIFIER_error();' if 'assert' in name else '__VERIFIER_assume(c);'
            lines.append(f'static void {name}({FUNCTIONS[name]}) {{ {does} }}')
        lines += [f'static void {name}(void) {{}}' for name in NOTHING if name in self.used and not self.is_defined(name)]
        if '__CPROVER_predicate' in self.used:
            lines.append('#define __CPROVER_predicate(p) ((void)0)')
        for name in self.inputs:
            kind = name.removeprefix('__VERIFIER_').removeprefix('nondet_')
            if not name.startswith('__VERIFIER_'):
                lines.append(f'#define {name} __VERIFIER_{name}')
            if not self.is_declared(name) and kind in INPUTS:
                lines.append(f'{INPUTS[kind]} {name}();')
        return '#pragma once\n' + '\n'.join(lines) + '\n'

    def main(self):
        """Parameters of `main`, and whether it gives a value; nothing if it is not seen.

        A `main` without `return` gives 0 in C, but not under another name. Where no `return` follows its head, it has none.
        """
        found = re.search(r'(\bvoid\s+)?\bmain\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)[^;{}()]*[;{\w]', self.text)
        if not found:
            return None
        many = 0 if found[2].strip() in ('', 'void') else found[2].count(',') + 1
        has_value = not found[1] and re.search(r'\breturn\b', self.text[found.end():])
        return ', '.join(['argc', 'argv', 'envp'][:many]), bool(has_value)

    def wrapped(self, name, at_end, at_exit):
        """The program with its end in our hands: `at_end` is done with the value `n` of `main`, `at_exit` with that of `exit`."""
        arguments, has_value = self.main()
        call = f'suite_main({arguments});'
        return self.write(name, f'''#include "{self.header}"
void suite_end(void);
void suite_error(void);
extern void abort(void);
void suite_exit(int) __attribute__((noreturn));
#define exit suite_exit
#define main suite_main
#include "{self.test.files[0]}"
#undef main
#undef exit
void suite_exit(int n) {{ {at_exit} abort(); }}
int main(int argc, char **argv, char **envp) {{ int n = {call if has_value else '0; ' + call} {at_end} return 0; }}
''')

    def plain(self):
        """The program as it is, if it can be asked about like that."""
        if self.test.error == 'status':
            return [self.by_status()]
        if self.test.files[0].endswith('.i'):
            # It would not be preprocessed, and so not read the header.
            return [self.write('unchanged.c', f'#include "{self.test.files[0]}"\n')]
        return [self.test.files[0]]

    def negated(self):
        """The program whose error is its normal end."""
        return self.wrapped('negated.c', 'suite_end();', 'suite_end();')

    def by_status(self):
        """The program whose error is that it ends with another status than 0."""
        return self.wrapped('status.c', 'if (n) suite_error();', 'if (n) suite_error();')

    def native(self, source=None):
        """The program, or a wrapper of it, with its inputs defined: each of the type that it is declared with."""
        source = source or self.test.files[0]
        names = sorted({n if n.startswith('__VERIFIER_') else '__VERIFIER_' + n for n in self.inputs})
        return self.write('native.c', f'#include "{self.header}"\n#include "{source}"\n'
                          + 'void suite_input(void *, int, unsigned long);\n'
                          + ''.join(f'__typeof__({n}()) {n}() {{ __typeof__({n}()) v; suite_input(&v, _Generic(v, _Bool: 1, float: 2, '
                                    f'double: 3, default: 0), sizeof v); return v; }}\n' for n in names))

def with_local_files(paths):
    """The text of files and of those that they include by a name in quotes, in their folder."""
    todo, texts = list(paths), {}
    for path in todo:
        if path not in texts and os.path.isfile(path):
            with open(path, errors='replace') as file:
                texts[path] = file.read()
            folder = os.path.dirname(path)
            todo += [os.path.join(folder, name) for name in re.findall(r'#\s*include\s*"([^"]+)"', texts[path])]
    return '\n'.join(texts.values())

def uncommented(text):
    """The text without comments and without what strings say."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                  lambda m: m[0] if m[0][0] == '"' and m[0].endswith('.h"') else ' ' if m[0][0] == '/' else '""', text, flags=re.S)
