"""Guarded commands over integers, Booleans and functions, and the queries that their image computations ask.

A state's variables are integers, Booleans, or functions of integers. A command has a guard and new values for some
variables; the new value of a function is a function of Python on formulas, so that an updated function is spelt out
where it is applied, as UCLID's lambdas are. Predicates may be about arbitrary *indices* (a node, a process, a register):
a region of abstract states then stands for what holds of all indices, and a query assumes it for the index itself and
for those that the command is about, which is how quantifiers are eliminated before the query is asked.
"""


def conj(*parts):
    return parts[0] if len(parts) == 1 else f'(and {" ".join(parts)})' if parts else 'true'


def disj(*parts):
    return parts[0] if len(parts) == 1 else f'(or {" ".join(parts)})' if parts else 'false'


def neg(formula):
    return f'(not {formula})'


def eq(a, b):
    return f'(= {a} {b})'


def ne(a, b):
    return neg(eq(a, b))


def le(a, b):
    return f'(<= {a} {b})'


def lt(a, b):
    return f'(< {a} {b})'


def ite(condition, yes, no):
    return yes if yes == no else f'(ite {condition} {yes} {no})'


def plus(a, n):
    return f'(+ {a} {n})' if n >= 0 else f'(- {a} {-n})'


def update(function, at, value):
    """The function that is as before but `value` at `at`."""
    return lambda *arguments: ite(conj(*map(eq, arguments, at if isinstance(at, tuple) else (at,))), value,
                                  function(*arguments))


class State:
    """The variables' values: formulas for scalars, callables for functions."""
    def __init__(self, values):
        self.__dict__.update(values)


class Model:
    """A family: what its state is, how it starts and moves, and the predicates.

    `state` maps a variable to its sort, or to a tuple of sorts for a function, the last being its result. `rigid` are
    constants of sort Int that never change and `inputs` those that each step chooses anew. `commands` map a state to a
    guard and new values; `predicates` map a state and the indices to a formula; `instances` are the tuples of indices
    for which a region is assumed, the first being the predicates' own. `axioms` hold in every state.
    """
    def __init__(self, name, state, start, commands, predicates, rigid=(), inputs=(), instances=((),), axioms=None,
                 steps=10):
        self.name, self.state, self.start, self.commands = name, state, start, commands
        self.predicates, self.rigid, self.inputs, self.instances = predicates, rigid, inputs, instances
        self.axioms, self.steps = axioms, steps

    def declarations(self):
        lines = ['(set-logic QF_UFIDL)']
        lines += [f'(declare-const {name} Int)' for name in (*self.rigid, *self.inputs)]
        for name, sort in self.state.items():
            if isinstance(sort, tuple):
                lines.append(f'(declare-fun {name} ({" ".join(sort[:-1])}) {sort[-1]})')
            else:
                lines.append(f'(declare-const {name} {sort})')
        return lines

    def now(self):
        def value(name, sort):
            if not isinstance(sort, tuple):
                return name
            return lambda *arguments: f'({name} {" ".join(arguments)})'
        return State({name: value(name, sort) for name, sort in self.state.items()})

    def after(self, state, lines):
        """The state after some command, whose choice is left to Booleans."""
        moves = [command(state) for command in self.commands]
        chosen = [f'command{k}' for k in range(len(moves))]
        lines += [f'(declare-const {c} Bool)' for c in chosen]
        lines.append(f'(assert {disj(*chosen)})')
        lines += [f'(assert (=> {c} {guard}))' for c, (guard, _) in zip(chosen, moves)]
        lines += [f'(assert {neg(conj(a, b))})' for i, a in enumerate(chosen) for b in chosen[:i]]
        values = {}
        for name, sort in self.state.items():
            before = getattr(state, name)
            changes = [(c, new[name]) for c, (_, new) in zip(chosen, moves) if name in new]
            if isinstance(sort, tuple):
                values[name] = self.merged(before, changes)
            elif changes:
                values[name] = f'{name}_next'
                lines.append(f'(declare-const {name}_next {sort})')
                lines += [f'(assert (=> {c} {eq(values[name], value)}))' for c, value in changes]
                others = [c for c in chosen if c not in dict(changes)]
                if others:
                    lines.append(f'(assert (=> {disj(*others)} {eq(values[name], before)}))')
            else:
                values[name] = before
        return State(values)

    @staticmethod
    def merged(before, changes):
        def value(*arguments):
            result = before(*arguments)
            for c, new in changes:
                result = ite(c, new(*arguments), result)
            return result
        return value

    def region(self, state, cubes, indices):
        """A union of cubes, each a map from a predicate's number to its truth value."""
        formulas = [p(state, *indices) for p in self.predicates]
        literal = lambda k, value: formulas[k] if value else neg(formulas[k])
        return disj(*(conj(*(literal(k, v) for k, v in cube.items())) for cube in cubes))

    def query(self, cubes=None):
        """The query for the image of a region; without one, for the initial states."""
        lines, state = self.declarations(), self.now()
        assertions = []
        if self.axioms:
            assertions += self.axioms(state)
        if cubes is None:
            assertions.append(self.start(state))
        else:
            assertions += [self.region(state, cubes, indices) for indices in self.instances]
            state = self.after(state, lines)
        lines += [f'(assert {a})' for a in assertions]
        names = [f'b{k}' for k in range(len(self.predicates))]
        for b, predicate in zip(names, self.predicates):
            lines.append(f'(declare-const {b} Bool)')
            lines.append(f'(assert (= {b} {predicate(state, *self.instances[0])}))')
        lines.append(f'(check-allsat ({" ".join(names)}))')
        return '\n'.join(lines) + '\n'

    def queries(self, abstraction):
        """The queries of a reachability analysis; `abstraction` answers a query with cubes, or None to stop."""
        query, region = self.query(), []
        for _ in range(self.steps):
            yield query
            found = abstraction(query)
            covered = lambda cube, by: any(other.items() <= cube.items() for other in by)
            if found is None or all(covered(cube, region) for cube in found):
                return
            region = [cube for cube in region if not covered(cube, found)] + found
            query = self.query(region)
