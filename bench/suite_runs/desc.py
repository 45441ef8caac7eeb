"""The `.desc` files of CBMC, ESBMC and SATABS: a kind, a file, options, and what the output must match.

A verdict of such a test is about all that the tool checks, and under its own options. What of it holds for the assertions
of the program is the expectation; why it may be about something else is kept with it.
"""
import os, re, shlex

# Options that add properties that Tamis has as well.
CHECKS = {'--div-by-zero-check': 'no-division-by-zero', '--signed-overflow-check': 'no-overflow', '--overflow-check': 'no-overflow'}

# What is meant by the program differs, so that nothing can be said about the C program.
OTHER_MEANING = {'--16', '--big-endian', '--i386-win32', '-win32', '--win32', '--winx64', '-winx64', '--i386-macos', '--ppc-macos',
                 '--fixedbv', '--ir', '--ir-ieee', '--ir-ra', '--unsigned-char', '--no-assertions', '--conv-assert-to-assume',
                 '--no-library', '--arch', '--os', '--cheri', '--nondet-static', '--mm', '--partial-loops', '--round-to-even',
                 '--round-to-plus-inf', '--round-to-minus-inf', '--round-to-zero', '--no-built-in-assertions', '--cover',
                 '--enforce-contract-rec', '--synthesize-loop-invariants', '--loop-invariant', '--loop-invariant-check', '--termination',
                 '--data-races-check-only', '--assume', '--std', '--loop-frame-rule', '--claim', '--property',
                 '--string-abstraction', '--malloc-zero-is-null'}

# Only executions up to a bound are looked at: what fails within it fails, what holds need not hold.
BOUNDED = {'--no-unwinding-assertions', '--no-unwinding-assertion', '--depth', '--context-bound', '--unwind', '--base-k-step'}

# Options whose value is the next word; all others have none, or behind `=`.
WITH_VALUE = {'--unwind', '--unwindset', '--unwindsetname', '--depth', '--context-bound', '--k-step', '--max-k-step', '--base-k-step',
              '--max-inductive-step', '--verbosity', '--timeout', '--memlimit', '--property', '--claim', '--error-label', '--std',
              '--object-bits', '--stack-limit', '--total-stack-limit', '--cover', '--unwind-min', '--unwind-max', '--arch', '--os',
              '--show', '--max-nondet-tree-depth', '--min-null-tree-depth', '--graphml-witness', '--outfile', '--output', '--mm',
              '--witness-output', '--witness-output-graphml', '--iterations', '--modelchecker', '--predicates', '--abstractor',
              '--refiner', '--simulator', '-v', '--max-new-predicates', '--max-cube-length', '--replace-call-with-contract',
              '--enforce-contract', '--enforce-contract-rec', '--dfcc', '--restrict-function-pointer', '--nondet-static-exclude', '--sat-solver', '--native-compiler', '--max-witnesses', '--incremental-loop', '--goto-unwind',
              '--paths', '--cex-output', '--sarif-output', '--schedule', '--ld-props', '--vsd-array-max-elements', '--ssa-trace',
              '--assume', '-o', '--color', '--falsify-context-bound'}

# Lines of an expected output that say which kind of property fails.
OTHER_FAILURE = re.compile(r'dereference|overflow|bounds|division|alignment|unwinding|pointer|leak|precondition|undefined|shift|NaN|'
                           r'free|enum|race|deadlock|lock|recursion|no-body|unreachable|object|memory|alloca|stack', re.I)
CONTRACT_FAILURE = re.compile(r'(postcondition|precondition|assigns|frees|assertion|loop_invariant\w*|loop_decreases)(?!.*is valid).*FAIL')

# Options that say which contracts count, and what they are called here.
CONTRACTS = {'--enforce-contract': '--enforce-contract', '--replace-call-with-contract': '--replace-call-with-contract',
             '--apply-loop-contracts': '--loop-contracts'}

ASSERTION_FAILURE = re.compile(r'assertion\\?\.\d+.*FAIL|^\s*\^?\s*assertion', re.I)

def words(line):
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()

def read(test, suite, path, name, bits, more_checked):
    """The test of a file; `bits` is the data model unless an option names one, and more than assertions is checked anyway if so said."""
    with open(path, errors='replace') as file:
        lines = [line.rstrip('\n') for line in file] + ['', '', '']
    folder = os.path.dirname(path)
    first = words(lines[1])
    result = test(suite, name, [])
    if not first:
        result.skipped = 'no file'
        return result
    # What stands before the first `--` must match, what stands behind it must not.
    matches = lines[3:]
    if '--' in matches:
        matches = matches[:matches.index('--')]
    result.files = [os.path.join(folder, first[0])]
    more_checked = options(result, first[1:] + words(lines[2]), folder, bits, more_checked)
    expectation(result, lines[0].split()[:1], matches, more_checked)
    if not first[0].endswith(('.c', '.i')):
        result.skipped = f'not C: {os.path.splitext(first[0])[1] or first[0]}'
    elif not all(os.path.isfile(file) for file in result.files):
        result.skipped = 'file missing'
    return result

def options(result, todo, folder, bits, more_checked):
    """Translates the options, as far as they matter to what the program means. Returns whether more is checked than Tamis is asked."""
    while todo:
        word = todo.pop(0)
        key, equals, value = word.partition('=')
        if key in WITH_VALUE and not equals and todo:
            value = todo.pop(0)
        if key in ('-D', '-I') and todo:
            word += todo.pop(0)
        if word.startswith('-I'):
            result.options.append('-I' + os.path.join(folder, word[2:]))
        elif word.startswith('-D'):
            result.options.append(word)
        elif key in ('--32', '--64'):
            bits = key
        elif key in ('--i386-linux',):
            bits = '--32'
        elif key in ('--function', '--func', '--entry') and (value or (todo.pop(0) if todo else '')) != 'main':
            result.skipped = 'another entry than main'
        elif key == '--error-label':
            if value == 'ERROR':
                result.error = 'label'
            else:
                result.loose = 'another error label'
        elif key in CONTRACTS:
            result.contracts += [CONTRACTS[key]] + ([value.split('/')[0]] if value else [])
        elif key in CHECKS:
            result.checks.append(CHECKS[key])
        elif key == '--no-standard-checks':
            more_checked = False
        elif key.endswith('-check') and not key.startswith('--no-'):
            more_checked = True
        elif key in OTHER_MEANING:
            result.loose = f'option {key}'
        elif key in BOUNDED:
            result.loose = result.loose or 'bounded'
        elif word.endswith(('.c', '.i')) and not word.startswith('-'):
            result.files.append(os.path.join(folder, word))
    result.options.append(bits)
    return more_checked

def expectation(result, kind, matches, more_checked):
    """What is expected of the program's assertions."""
    text = '\n'.join(matches)
    verdict = re.search(r'VERIFICATION\s*(?:\\s)?\s*(SUCCESSFUL|FAILED)', text)
    if kind != ['CORE'] and kind != ['THOROUGH']:
        result.loose = 'a known bug of the tool'
    if not verdict:
        result.loose = result.loose or 'no verdict expected'
        return
    result.expected = 'true' if verdict[1] == 'SUCCESSFUL' else 'false'
    if result.expected == 'false' and result.loose in (None, 'bounded'):
        # A violation within a bound is one.
        result.loose = None
        others = [line for line in matches if 'VERIFICATION' not in line and OTHER_FAILURE.search(line)]
        told = CONTRACT_FAILURE if result.contracts else ASSERTION_FAILURE
        if more_checked and not told.search(text):
            result.loose = 'another property fails' if others else 'it is not said which property fails'
        if '--loop-contracts' in result.contracts and not re.search(r'assertion.*FAIL', text):
            result.loose = 'the suite forgets what the loop did'
    elif result.loose and result.loose != 'bounded':
        result.expected = None
