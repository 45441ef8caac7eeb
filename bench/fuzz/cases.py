"""Random scripts, and what each of their checks is about."""
import itertools, random
from .logics import LOGICS
from .sexpr import replace, text
from .terms import Terms, is_array


class Case:
    """A script: events in order, each a tuple of its kind and what belongs to it.

    sort NAME | declare NAME COMMAND | define COMMAND | assert FORMULA NAME PARTS | push | pop
    check ASSUMPTIONS VALUES | allsat FORMULAS

    An assertion has the name of the whole formula, if it has one, and the names of its parts with what they stand for.
    """

    def __init__(self, logic, seed):
        self.logic_name, self.logic, self.seed = logic, LOGICS[logic], seed
        self.rng = random.Random(f'{logic} {seed}')
        self.cores = self.rng.random() < 0.6
        self.terms = Terms(self.rng, self.logic)
        self.events, self.names = [], 0
        self.generate()

    def generate(self):
        rng = self.rng
        self.sorts()
        self.constants(rng.randint(2, 4))
        self.functions()
        for _ in range(rng.choice([0, 0, 1, 2])):
            self.definition()
        for _ in range(rng.randint(1, 6)):
            self.assertion()
        self.check()
        depth, saved = 0, []
        for _ in range(rng.choice([0, 0, 1, 2, 4])):
            if depth and rng.random() < 0.4:
                depth -= 1
                self.events.append(('pop',))
                self.terms.scope, self.terms.functions = saved.pop()
            else:
                depth += 1
                self.events.append(('push',))
                scope = {sort: list(known) for sort, known in self.terms.scope.items()}
                saved.append((scope, list(self.terms.functions)))
                if rng.random() < 0.3:
                    self.constants(1)
                if rng.random() < 0.2:
                    self.definition()
                for _ in range(rng.randint(0, 3)):
                    self.assertion()
            self.check()
        if rng.random() < 0.25:
            self.check_all()

    def sorts(self):
        if self.logic.base == 'U':
            self.events.append(('sort', 'U', ['declare-sort', 'U', '0']))
            if self.logic.arrays:
                self.events.append(('sort', 'E', ['declare-sort', 'E', '0']))
        self.alias = None
        if self.rng.random() < 0.1:
            self.alias = 'Alias'
            self.events.append(('sort', 'Alias', ['define-sort', 'Alias', [], self.terms.base]))

    def constants(self, count):
        for sort in self.terms.sorts():
            for _ in range(self.rng.randint(1, 2) if is_array(sort) else count):
                self.names += 1
                name = f'{"p" if sort == "Bool" else "a" if is_array(sort) else "x"}{self.names}'
                written = 'Alias' if self.alias and sort == self.terms.base and self.rng.random() < 0.5 else sort
                command = ['declare-const', name, written]
                if self.rng.random() < 0.5:
                    command = ['declare-fun', name, [], written]
                self.events.append(('declare', name, command))
                self.terms.use(sort, name)

    def functions(self):
        if not self.logic.functions:
            return
        base = self.terms.base
        others = [s for s in self.terms.sorts() if not is_array(s)]
        signatures = [([base], base), ([base, base], base), ([base], 'Bool')]
        signatures.append(([self.rng.choice(others), self.rng.choice(others)], self.rng.choice(others)))
        for number, (parameters, result) in enumerate(signatures):
            name = f'f{number}'
            self.events.append(('declare', name, ['declare-fun', name, parameters, result]))
            self.terms.functions.append((name, parameters, result))

    def definition(self):
        """A definition, with parameters or without."""
        rng = self.rng
        self.names += 1
        name = f'd{self.names}'
        choices = ['Bool'] if self.logic.difference else self.terms.sorts()
        result, parameters = rng.choice(choices), []
        for number in range(rng.randint(0, 2)):
            parameters.append((f'y{number}', rng.choice(self.terms.sorts())))
        for parameter, sort in parameters:
            self.terms.use(sort, parameter)
        names, self.terms.names = self.terms.names, None
        body = self.terms.term(result, rng.randint(1, 2))
        self.terms.names = names
        for parameter, sort in reversed(parameters):
            self.terms.scope[text(sort)].pop()
        self.events.append(('define', ['define-fun', name, [list(p) for p in parameters], result, body]))
        if parameters:
            self.terms.functions.append((name, [sort for _, sort in parameters], result))
        else:
            self.terms.use(result, name)

    def assertion(self):
        formula = self.terms.formula(self.rng.randint(1, 3))
        name = formula[3] if formula[0] == '!' else None
        if name is None and self.rng.random() < 0.6:
            name = f'n{len(self.terms.names)}'
            self.terms.names.append((name, formula))
            formula = ['!', formula, ':named', name]
        # A part that got a name may have been thrown away.
        printed = text(formula)
        parts = [(n, t) for n, t in self.terms.names if t is not None and f':named {n})' in printed]
        self.terms.names = [(n, None) for n, _ in self.terms.names]
        for part, _ in parts:
            self.terms.use('Bool', part)
        self.events.append(('assert', formula, name, parts))

    def unnamed(self, make, count):
        """Terms in which nothing has a name."""
        names, self.terms.names = self.terms.names, None
        made = [make() for _ in range(count)]
        self.terms.names = names
        return made

    def check(self):
        rng, terms = self.rng, self.terms
        assumptions = None
        if rng.random() < 0.3:
            assumptions = self.unnamed(lambda: terms.formula(1), rng.randint(0, 3))
        values = self.unnamed(lambda: terms.term(rng.choice(terms.sorts()), 2), 2)
        self.events.append(('check', assumptions, values))

    def check_all(self):
        self.events.append(('allsat', self.unnamed(lambda: self.terms.formula(1), self.rng.randint(1, 4))))

    def checks(self):
        """For each question in order: the event, and the events before it that count for it."""
        levels = [[]]
        for event in self.events:
            if event[0] == 'push':
                levels.append([])
            elif event[0] == 'pop':
                levels.pop()
            elif event[0] in ('check', 'allsat'):
                yield event, [counts for level in levels for counts in level]
            else:
                levels[-1].append(event)


def portable(term):
    """The term without what not every oracle knows: z3 has no `divisible`."""
    def change(part):
        if isinstance(part, list) and part and part[0][:2] == ['_', 'divisible']:
            return ['=', '0', ['mod', part[1], part[0][2]]]
        return part
    return replace(term, change)


def plain(term):
    """The term without names for its parts."""
    return replace(portable(term), lambda part: part[1] if isinstance(part, list) and part[:1] == ['!'] else part)


def combinations(formulas):
    """All ways to make each formula true or false, as values and as a conjunction."""
    for values in itertools.product([True, False], repeat=len(formulas)):
        yield values, ['and', 'true'] + [f if v else ['not', f] for v, f in zip(values, formulas)]
