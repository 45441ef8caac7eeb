"""The tests of a suite, each as a program with options and what the suite says of it."""
import dataclasses, os, re

from . import desc

@dataclasses.dataclass
class Test:
    suite: str
    name: str                   # of the program, below the suite's folder
    files: list                 # paths of the sources, the one with `main` first
    options: list = dataclasses.field(default_factory=list)     # for the preprocessor and the data model
    error: str = 'assertion'    # what the suite takes as the error: 'assertion', 'abort', 'status' (not 0), 'label'
    contracts: list = dataclasses.field(default_factory=list)   # which contracts count, as options
    checks: list = dataclasses.field(default_factory=list)      # properties of Tamis besides that, of the suite's options
    expected: str = None        # 'true', 'false', or None where nothing is expected that can be asked
    loose: str = None           # why the expectation may be about something else than the error
    skipped: str = None         # why the program is not run at all

    def program(self):
        """The same for tests that differ in what they expect alone, if at all. Local headers are told by their folder."""
        if self.skipped:
            return self.suite, self.name
        texts, local = [], False
        for path in self.files:
            with open(path, 'rb') as file:
                texts.append(file.read())
            local = local or b'#include "' in texts[-1]
        folder = os.path.dirname(self.files[0]) if local or any(o.startswith('-I') for o in self.options) else ''
        return tuple(texts), folder, tuple(self.options), self.error, tuple(self.checks), tuple(self.contracts)

def plain(root, folder, suite, error):
    """Programs of a folder that are right if they end normally: all of them are expected to."""
    for path, folders, files in os.walk(os.path.join(root, folder)):
        folders.sort()
        for file in sorted(files):
            if file.endswith('.c'):
                source = os.path.join(path, file)
                name = os.path.relpath(source, os.path.join(root, folder))
                yield Test(suite, name, [source], error=error, expected='true')

def torture(root):
    """gcc's torture programs: `abort` is called where something is wrong."""
    for test in plain(root, 'SingleSource/Regression/C/gcc-c-torture/execute', 'torture', 'abort'):
        if test.name.startswith('builtins/'):
            # Each is one program of three files, with its own version of the library.
            stem = os.path.splitext(test.files[0])[0]
            if stem.endswith('-lib') or '/lib/' in stem:
                continue
            test.skipped = 'replaces the C library'
        yield test

def c_testsuite(root):
    """c-testsuite: `main` returns 0 if everything is right."""
    return plain(root, 'tests/single-exec', 'c-testsuite', 'status')

def of_folders(root, suite, names, bits='--64', more_checked=True):
    """Suites of folders with `.desc` files, those of `names` or all."""
    regression = os.path.join(root, 'regression')
    for path, folders, files in os.walk(regression):
        folders.sort()
        below = os.path.relpath(path, regression)
        if names and below.split(os.sep)[0] not in names and below != '.':
            folders.clear()
            continue
        for file in sorted(files):
            if file.endswith('.desc'):
                yield desc.read(Test, f'{suite}/{below.split(os.sep)[0]}', os.path.join(path, file),
                                os.path.relpath(os.path.join(path, file), regression), bits, more_checked)

def satabs(root):
    """SATABS, which checks assertions alone unless it is told more. In one folder the names tell."""
    for test in of_folders(root, 'satabs', None, '--32', False):
        if 'tacas_12_comp' in test.name:
            test.expected = 'false' if re.search(r'[_.]BUG|unsafe', test.name) else 'true'
        yield test

def own(root):
    """The regression folders of Tamis itself."""
    regression = os.path.join(root, 'regression')
    for path, folders, files in os.walk(regression):
        folders.sort()
        if 'test.desc' in files:
            name = os.path.relpath(path, regression)
            test = Test('own/' + name.split(os.sep)[0], name, sorted(os.path.join(path, file) for file in files if file.endswith(('.c', '.i'))))
            with open(os.path.join(path, 'test.desc')) as file:
                said = dict(line.rstrip('\n').split(': ', 1) for line in file if ': ' in line)
            words = said.get('options', '').split()
            verdict = said['verdict'].split('(')[0]
            test.options = [word for word in words if word in ('--32', '--64')] + [
                '-D' + value for option, value in zip(words, words[1:]) if option == '-D']
            test.expected = verdict if verdict in ('true', 'false') and '--property' not in words else None
            test.loose = None if test.expected else 'no verdict expected'
            test.skipped = None if test.files else 'no file'
            yield test

# Folders that are about C programs and what they do; the others test other languages, other tools, output.
CBMC = {'ansi-c', 'cbmc', 'cbmc-library', 'cbmc-with-incr', 'cbmc-incr', 'cbmc-incr-oneloop', 'cbmc-primitives', 'acceleration',
        'array-refinement-with-incr', 'contracts', 'contracts-dfcc', 'book-examples', 'cprover', 'goto-analyzer', 'invariants', 'k-induction'}
ESBMC = {'bitwuzla', 'cbmc', 'clang_builtins', 'cstd', 'csmith', 'cvc', 'disabled', 'esbmc', 'esbmc-old', 'esbmc-unix',
         'esbmc-unix2', 'extensions', 'floats', 'floats-regression', 'goto-contractor', 'incremental-smt', 'ir-ra',
         'Interval-analysis-ibex-contractor', 'k-induction', 'k-induction-parallel', 'linux', 'llvm', 'loop-invariants', 'mathsat',
         'nonz3', 'parallel-solving', 'termination', 'yices', 'z3'}

SUITES = {
    'cbmc': lambda root: of_folders(root, 'cbmc', CBMC),
    'esbmc': lambda root: of_folders(root, 'esbmc', ESBMC),
    'satabs': satabs,
    'own': own,
    'torture': torture,
    'c-testsuite': c_testsuite,
}
