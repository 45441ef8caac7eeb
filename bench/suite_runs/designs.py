"""hw-cbmc's tests of designs: `.desc` files, of which each line with brackets says what becomes of a property.

    ^\\[main\\.p0\\] always main\\.x >= 1: PROVED up to bound 10$

A property is known by its label and the instance that it is in; those without a label are numbered. A violation that takes more
cycles than the bound is none to them. There is no judge but the suite.
"""
import dataclasses, os, re, shlex

from . import verdicts
from .tests import Test

# Options that ask for something else than what becomes of the properties.
OTHER_OUTPUT = re.compile(r'--(preprocess|show-.*|smv-.*|random-.*|json-.*|aiger|aig-output|modules|hierarchy|gen-interface|vlindex|ipf)$')

# Options that change what the design means.
OTHER_MEANING = {'--reset', '--initial-zero', '--ignore-initial', '--constr', '-p', '--p', '-y', '-l'}

WITH_VALUE = {'--bound', '--module', '--top', '--property', '--reset', '--vcd', '--trace-steps', '--number-of-traces', '--random-seed',
              '--neural-engine', '--verbosity', '-p', '--constr', '-y', '-l', '--traces'}

@dataclasses.dataclass
class Expected:
    property: str       # the path of instances with the label or a number, or `*` for all
    verdict: str        # 'true', 'false'
    bound: int = None   # the last step that is looked at; none if there is no limit
    loose: str = None   # why it may be about something else

@dataclasses.dataclass
class Design(Test):
    properties: list = dataclasses.field(default_factory=list)

def hw_cbmc(root):
    """All tests of Verilog, of each folder of the regression."""
    regression = os.path.join(root, 'regression')
    for path, folders, files in os.walk(regression):
        folders.sort()
        for file in sorted(files):
            if file.endswith('.desc'):
                below = os.path.relpath(os.path.join(path, file), regression)
                yield read('hw-cbmc/' + below.split(os.sep)[0], os.path.join(path, file), below)

def read(suite, path, name):
    with open(path, errors='replace') as file:
        lines = [line.rstrip('\n') for line in file] + ['', '', '']
    folder = os.path.dirname(path)
    test = Design(suite, name, [])
    words = shlex.split(lines[1])
    test.files = [os.path.join(folder, word) for word in words if word.endswith(('.v', '.sv'))]
    bound = options(test, [word for word in words if not word.endswith(('.v', '.sv'))] + shlex.split(lines[2]), folder)
    matches = lines[3:]
    matches = matches[:matches.index('--')] if '--' in matches else matches
    expectations(test, lines[0], matches, bound)
    if any(word.endswith(('.c', '.smv', '.vhd', '.btor', '.btor2')) for word in words):
        test.skipped = 'not Verilog alone'
    elif not test.files:
        test.skipped = 'not Verilog'
    elif not all(os.path.isfile(file) for file in test.files):
        test.skipped = 'file missing'
    return test

def options(test, todo, folder):
    """Translates the options. Returns the bound, none if there is none."""
    bound = None
    while todo:
        key, equals, value = todo.pop(0).partition('=')
        if key in WITH_VALUE and not equals and todo:
            value = todo.pop(0)
        if key in ('-D', '-I') and todo:
            key += todo.pop(0)
        if key in ('--module', '--top'):
            test.options += ['--top', value]
        elif key == '--bound':
            bound = int(value) if value.isdigit() else None
        elif key.startswith('-I'):
            test.options.append('-I' + os.path.join(folder, key[2:]))
        elif key.startswith('-D'):
            test.options.append(key)
        elif OTHER_OUTPUT.match(key):
            test.skipped = 'another output is asked for'
        elif key in OTHER_MEANING:
            test.skipped = f'option {key}'
    return bound

def expectations(test, kind, matches, bound):
    status = re.search(r'EXIT=(\d+)', '\n'.join(matches))
    loose = None if kind.startswith('CORE') else 'a known bug of the tool'
    for line in matches:
        found = re.match(r'\^?\\\[([^\]\[]*)\\\]\s*(.*):\s*(PROVED|REFUTED)(.*)$', line)
        if not found or found[2].startswith('cover') or 'cover' in found[1]:
            continue
        property, _, verdict, more = found.groups()
        said = re.search(r'up to bound (\d+)', more)
        # `.*` stands for whatever the engine says, which has a bound of 5 unless it was given one.
        limit = int(said[1]) if said else None
        if limit is None and ('.*' in more or r'\d' in more):
            limit = 5 if bound is None else bound
        known = property.replace('\\', '')
        test.properties.append(Expected('*' if known == '.*' else known, 'true' if verdict == 'PROVED' else 'false', limit, loose))
    if not test.properties and status and status[1] == '0':
        # Nothing fails; with no bound the engine may have stopped after 5 steps.
        test.properties.append(Expected('*', 'true', 5 if bound is None else bound, loose))
    if not test.properties:
        test.skipped = test.skipped or ('an error is expected' if status and status[1] not in ('0', '10') else 'no property is expected')

def rows(group, args):
    """What becomes of the properties of tests of the same design: (test, property, expected, verdict, result, note)."""
    test = group[0]
    if test.skipped:
        return [(t, '', '', None, 'skipped', t.skipped) for t in group]
    run = verdicts.check(args, test.files, test.options, [], replay=False)
    if run.text.startswith(('unknown(input', 'unknown(unsupported')) and [p['property'] for p in run.properties] in ([], ['safety']):
        if run.text == 'unknown(input: the design has no property)':
            return [(t, '', '', run, 'skipped', 'no property') for t in group]
        return [(test, '', '', run, 'unread', '')]
    made, seen = [], set()
    for t in group:
        for expected, found in paired(t.properties, run.properties):
            if not found:
                made.append((t, expected.property, expected.verdict, run, 'unjudged', 'the property is not found'))
            for name, one in found:
                key = name, expected.verdict, expected.bound
                if key in seen:
                    continue
                seen.add(key)
                verdict = verdicts.Verdict(one['verdict'] + (f"({one['reason']})" if one.get('reason') else ''), run.seconds)
                result, note = judged(expected, verdict, cycles(one))
                made.append((t, name, expected.verdict, verdict, result, note))
    return made

def paired(expectations, properties):
    """What is expected, with the properties that it is about. Lines without a name go by the order of the source."""
    several = [e for e in expectations if e.property == '*']
    if len({e.verdict for e in several}) > 1:
        ordered = len(several) == len(properties) and not any(p.get('reason') for p in properties)
        for expected, property in zip(several, properties) if ordered else [(e, None) for e in several]:
            yield expected, [(property['property'], property)] if property else []
        expectations = [e for e in expectations if e.property != '*']
    numbers = sorted({int(n) for n in (e.property.split('.')[-1] for e in expectations) if n.isdigit()})
    for expected in expectations:
        yield expected, select(expected.property, properties, numbers)

def cycles(property):
    return len((property.get('counterexample') or {}).get('cycles') or [])

def judged(expected, verdict, cycles):
    if verdict.answer in ('CRASH', 'unknown'):
        return verdict.answer, ''
    if verdict.answer == expected.verdict:
        return 'right', ''
    if expected.verdict == 'true' and expected.bound is not None and cycles > expected.bound + 1:
        return 'right', f'the violation takes {cycles} cycles, the bound is {expected.bound}'
    if expected.loose:
        return 'unjudged', expected.loose
    return 'DIFFERS', f'the suite expects {expected.verdict}'

def select(wanted, properties, numbers):
    """The properties that the name of a suite stands for. All `numbers` of those without a label are given, as assumptions have some too."""
    by_name = [(p['property'], p) for p in properties]
    if wanted == '*':
        return by_name
    parts = wanted.split('.')
    path, label = parts[1:-1], parts[-1]
    plain = [(name, p) for name, p in by_name if name.split(': ')[-1] == label]
    if len(plain) > 1:
        inside = [(name, p) for name, p in plain if name.split(': ')[0].split('.') == path or (not path and ': ' not in name)]
        plain = inside or plain
    if plain:
        return plain[:1] if len(plain) > 1 and not path else plain
    if label.isdigit():
        # Those without a label, in the order of the source; `main.assert.2` counts asserts alone.
        own = [(name, p) for name, p in by_name if not re.fullmatch(r'(.*: )?[A-Za-z_]\w*', name)]
        own = own if len(own) >= len(numbers) else by_name
        place = numbers.index(int(label)) if len(numbers) == len(own) else int(label) - 1
        return own[place:place + 1]
    return by_name if len(by_name) == 1 else []
