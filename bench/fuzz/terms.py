"""Random terms of a logic.

Sorts are S-expressions, terms too. A scope maps the text of a sort to the constants of it that can be used.
"""
from .logics import BV_OVERFLOWS, BV_RELATIONS, BV_TO_BV, NUMBER_RELATIONS
from .sexpr import text

UNARY = ('bvneg', 'bvnot', 'bvnego')
NARY = ('bvadd', 'bvmul', 'bvand', 'bvor', 'bvxor')
COSTLY = ('bvmul', 'bvudiv', 'bvurem', 'bvsdiv', 'bvsrem', 'bvsmod', 'bvumulo', 'bvsmulo')
# Above this many bits, products and quotients have a constant operand: a fuzzer wants many formulas, not hard ones.
WIDE = 12


class Terms:
    """Makes terms; `self.scope` holds what they can be made of."""

    def __init__(self, rng, logic):
        self.rng, self.logic = rng, logic
        self.scope, self.functions, self.names = {}, [], []
        self.locals = 0
        if logic.base == 'BitVec':
            self.widths = [rng.choice([1, 2, 3, 4, 5, 8]) for _ in range(2)]
            if rng.random() < 0.15:
                self.widths[1] = rng.choice([16, 31, 32, 33, 63, 64, 65, 127, 128, 200])
            self.base = bits(self.widths[0])
        else:
            self.base = logic.base
        self.index = self.element = self.base
        if logic.arrays:
            if logic.base == 'U':
                self.element = 'E'
            if logic.base == 'BitVec':
                self.element = bits(rng.choice(self.widths))
            if rng.random() < 0.1:
                self.element = array(self.index, self.element)

    def sorts(self):
        """The sorts that constants are declared of."""
        found = [self.base, 'Bool']
        if self.logic.base == 'BitVec':
            found.append(bits(self.widths[1]))
        if self.logic.arrays:
            found += [self.element, array(self.index, self.element)]
            if is_array(self.element):
                found.append(self.element[2])
        return list({text(sort): sort for sort in found}.values())

    def use(self, sort, term):
        self.scope.setdefault(text(sort), []).append(term)

    def chance(self, probability):
        return self.rng.random() < probability

    def term(self, sort, depth):
        """A term of a sort."""
        if sort == 'Bool':
            return self.formula(depth)
        if depth <= 0 or self.chance(0.2):
            return self.leaf(sort)
        general = self.rng.random()
        if general < 0.08:
            return ['ite', self.formula(depth - 1), self.term(sort, depth - 1), self.term(sort, depth - 1)]
        if general < 0.12:
            return self.let(sort, depth)
        if general < 0.30 and self.logic.functions:
            fitting = [f for f in self.functions if text(f[2]) == text(sort)]
            if fitting:
                return self.application(self.rng.choice(fitting), depth)
        if general < 0.45 and self.logic.arrays and text(sort) == text(self.element):
            return ['select', self.term(array(self.index, sort), depth - 1), self.term(self.index, depth - 1)]
        if is_array(sort):
            return self.array_term(sort, depth)
        if is_bits(sort):
            return self.bits_term(int(sort[2]), depth)
        if sort in ('Int', 'Real') and not self.logic.difference:
            return self.number_term(sort, depth)
        return self.leaf(sort)

    def leaf(self, sort):
        """A constant of a sort, or a value."""
        known = self.scope.get(text(sort), [])
        if known and (self.chance(0.75) or sort in ('U', 'E')):
            return self.rng.choice(known)
        if sort == 'Bool':
            return self.rng.choice(['true', 'false'])
        if is_bits(sort):
            return self.vector(int(sort[2]))
        if sort in ('Int', 'Real'):
            return self.number(sort, -9, 9)
        if is_array(sort) and self.logic.base != 'U' and not is_array(sort[2]) and self.chance(0.2):
            # cvc5 knows constant arrays of values only.
            return [['as', 'const', sort], self.value(sort[2])]
        return self.rng.choice(known)

    def value(self, sort):
        return self.vector(int(sort[2])) if is_bits(sort) else str(self.rng.randint(0, 9))

    def vector(self, width):
        rng = self.rng
        value = rng.choice([0, 1, (1 << width) - 1, 1 << (width - 1), rng.getrandbits(width), rng.getrandbits(width)])
        value &= (1 << width) - 1
        forms = [f'#b{value:0{width}b}', ['_', f'bv{value}', str(width)]]
        if width % 4 == 0:
            forms.append(f'#x{value:0{width // 4}x}')
        return rng.choice(forms)

    def number(self, sort, low, high):
        value = self.rng.randint(low, high)
        if self.chance(0.03):
            value *= self.rng.choice([1000, 1 << 31, 10 ** 20])
        digits = str(abs(value))
        if sort == 'Real':
            kind = self.rng.random()
            if kind < 0.4:
                digits = f'{digits}.{self.rng.choice(["0", "5", "25", "125"])}'
            elif kind < 0.6:
                digits = ['/', f'{digits}.0', f'{self.rng.randint(1, 9)}.0']
        return ['-', digits] if value < 0 else digits

    def let(self, sort, depth):
        """Parallel bindings, of which one may hide a constant, around a term."""
        bindings = []
        for _ in range(self.rng.randint(1, 2)):
            bound = self.rng.choice(self.sorts())
            known = self.scope.get(text(bound), [])
            self.locals += 1
            fresh = f'l{self.locals}'
            hides = [k for k in known if isinstance(k, str) and k[0] in 'xpae' and k not in [b[0] for b in bindings]]
            name = self.rng.choice(hides) if hides and self.chance(0.1) else fresh
            bindings.append((name, bound, self.term(bound, depth - 1)))
        for name, bound, _ in bindings:
            self.use(bound, name)
        # A named term must be closed: no names under a binder.
        names, self.names = self.names, None
        body = self.term(sort, depth - 1)
        self.names = names
        for name, bound, _ in bindings:
            self.scope[text(bound)].pop()
        return ['let', [[name, value] for name, _, value in bindings], body]

    def application(self, function, depth):
        name, parameters, _ = function
        return [name] + [self.term(sort, depth - 1) for sort in parameters]

    def array_term(self, sort, depth):
        if self.chance(0.8):
            return ['store', self.term(sort, depth - 1), self.term(sort[1], depth - 1), self.term(sort[2], depth - 1)]
        return self.leaf(sort)

    def bits_term(self, width, depth):
        rng = self.rng
        shape = rng.random()
        if shape < 0.3:
            return self.reshaped(width, depth)
        operator = rng.choice(BV_TO_BV)
        if operator in UNARY:
            return [operator, self.term(bits(width), depth - 1)]
        count = rng.choice([2, 2, 2, 3]) if operator in NARY else 2
        operands = [self.term(bits(width), depth - 1) for _ in range(count)]
        if operator in COSTLY and width > WIDE:
            operands = [operands[0], self.vector(width)]
            if rng.random() < 0.3 and operator != 'bvmul':
                operands.reverse()
                operands[1] = ['bvand', operands[1], self.small(width)]
        return [operator] + operands

    def small(self, width):
        return ['_', f'bv{self.rng.choice([1, 3, 7])}', str(width)]

    def reshaped(self, width, depth):
        """A term of that width by way of other widths."""
        rng = self.rng
        kinds = ['rotate_left', 'rotate_right', 'extract']
        if width == 1:
            kinds += ['bvcomp', 'bvcomp']
        if width > 1:
            kinds += ['concat', 'zero_extend', 'sign_extend', 'repeat']
        kind = rng.choice(kinds)
        if kind == 'bvcomp':
            other = bits(rng.choice(self.widths))
            return ['bvcomp', self.term(other, depth - 1), self.term(other, depth - 1)]
        if kind == 'concat':
            low = rng.randint(1, width - 1)
            return ['concat', self.term(bits(width - low), depth - 1), self.term(bits(low), depth - 1)]
        if kind in ('zero_extend', 'sign_extend'):
            by = rng.randint(0, width - 1)
            return [['_', kind, str(by)], self.term(bits(width - by), depth - 1)]
        if kind == 'repeat':
            times = rng.choice([n for n in range(1, width + 1) if width % n == 0])
            return [['_', 'repeat', str(times)], self.term(bits(width // times), depth - 1)]
        if kind == 'extract':
            low, above = rng.randint(0, 3), rng.randint(0, 3)
            argument = self.term(bits(width + low + above), depth - 1)
            return [['_', 'extract', str(low + width - 1), str(low)], argument]
        return [['_', kind, str(rng.randint(0, 2 * width))], self.term(bits(width), depth - 1)]

    def number_term(self, sort, depth):
        rng = self.rng
        operators = ['+', '-', '*', 'negation'] + (['div', 'mod', 'abs'] if sort == 'Int' else ['/'])
        operator = rng.choice(operators)
        argument = self.term(sort, depth - 1)
        if operator == 'negation':
            return ['-', argument]
        if operator == 'abs':
            return ['abs', argument]
        if operator in ('div', 'mod'):
            divisor = rng.randint(1, 5)
            return [operator, argument, str(divisor) if rng.random() < 0.7 else ['-', str(divisor)]]
        if operator == '/':
            return ['/', argument, f'{rng.randint(1, 9)}.0']
        if operator == '*':
            product = [self.number(sort, -5, 5), argument]
            rng.shuffle(product)
            return ['*'] + product
        return [operator] + [argument] + [self.term(sort, depth - 1) for _ in range(rng.choice([1, 1, 2]))]

    def formula(self, depth):
        """A term of sort Bool, now and then with a name."""
        made = self.unnamed(depth)
        if self.names is not None and self.chance(0.02) and not isinstance(made, str):
            name = f'n{len(self.names)}'
            self.names.append((name, made))
            return ['!', made, ':named', name]
        return made

    def unnamed(self, depth):
        rng = self.rng
        kind = rng.random()
        if depth <= 0 or kind < 0.35:
            return self.atom(depth)
        if kind < 0.38:
            return self.let('Bool', depth)
        if kind < 0.42:
            return ['ite'] + [self.formula(depth - 1) for _ in range(3)]
        operator, most = rng.choice([('not', 1), ('and', 4), ('or', 4), ('xor', 3), ('=>', 3), ('=', 2), ('distinct', 2)])
        count = most if most < 3 else rng.randint(2, most)
        return [operator] + [self.formula(depth - 1) for _ in range(count)]

    def atom(self, depth):
        rng = self.rng
        kind = rng.random()
        if kind < 0.15:
            return self.leaf('Bool')
        predicates = [f for f in self.functions if f[2] == 'Bool']
        if kind < 0.25 and predicates:
            return self.application(rng.choice(predicates), max(depth, 1))
        if self.logic.difference:
            return self.difference()
        sort = rng.choice([s for s in self.sorts() if s != 'Bool'])
        if is_array(sort) and self.chance(0.5):
            sort = self.base
        if is_bits(sort) and kind < 0.75:
            operator = rng.choice(BV_RELATIONS * 2 + BV_OVERFLOWS)
            operands = [self.term(sort, depth) for _ in range(1 if operator in UNARY else 2)]
            if operator in COSTLY and int(sort[2]) > WIDE:
                operands[1] = self.vector(int(sort[2]))
            return [operator] + operands
        if sort in ('Int', 'Real') and kind < 0.7:
            count = 2 if self.chance(0.9) else 3
            return [rng.choice(NUMBER_RELATIONS)] + [self.term(sort, depth) for _ in range(count)]
        if sort == 'Int' and kind < 0.75:
            return [['_', 'divisible', str(rng.randint(1, 6))], self.term('Int', depth)]
        operator, count = rng.choice([('=', 2), ('=', 2), ('=', 3), ('distinct', 2), ('distinct', 3)])
        return [operator] + [self.term(sort, depth) for _ in range(count)]

    def difference(self):
        """An atom of difference logic."""
        rng, sort = self.rng, self.base
        relation = rng.choice(NUMBER_RELATIONS + ['=', 'distinct'])
        x, y = self.rng.choice(self.scope[sort]), self.rng.choice(self.scope[sort])
        if self.chance(0.1):
            x = ['ite', self.leaf('Bool'), x, self.rng.choice(self.scope[sort])]
        kind = rng.random()
        if kind < 0.2:
            return [relation, x, y]
        if kind < 0.3 and sort == 'Real':
            times = rng.randint(2, 3)
            return [relation, ['-', ['+'] + [x] * times, ['+'] + [y] * times], self.number(sort, -9, 9)]
        return [relation, ['-', x, y], self.number(sort, -9, 9)]


def bits(width):
    return ['_', 'BitVec', str(width)]


def array(index, element):
    return ['Array', index, element]


def is_bits(sort):
    return isinstance(sort, list) and sort[1] == 'BitVec'


def is_array(sort):
    return isinstance(sort, list) and sort[0] == 'Array'
