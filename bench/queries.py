"""Random queries as a checker of C asks them, as SMT-LIB."""


class Code:
    """A random program in static single assignment."""
    def __init__(self, rng):
        self.rng, self.lines, self.count = rng, [], 0
        self.vars = [self.declare() for _ in range(rng.randint(2, 4))]

    def declare(self, sort='(_ BitVec 32)'):
        self.count += 1
        name = f'v{self.count}'
        self.lines.append(f'(declare-const {name} {sort})')
        return name

    def require(self, formula):
        self.lines.append(f'(assert {formula})')

    def constant(self):
        rng = self.rng
        value = rng.choice([rng.randint(0, 16), 1 << rng.randint(0, 31), (1 << rng.randint(1, 32)) - 1, rng.getrandbits(32)])
        return f'#x{value & 0xffffffff:08x}'

    def operand(self):
        return self.constant() if self.rng.random() < 0.3 else self.rng.choice(self.vars)

    def expression(self):
        rng, a, b = self.rng, self.rng.choice(self.vars), self.operand()
        kind = rng.random()
        if kind < 0.55:
            return f'({rng.choice(["bvadd", "bvsub", "bvadd", "bvand", "bvor", "bvxor"])} {a} {b})'
        if kind < 0.70:
            return f'({rng.choice(["bvshl", "bvlshr", "bvashr"])} {a} (bvand {b} #x0000001f))'
        if kind < 0.80:
            return f'(bvmul {a} {self.constant()})'
        if kind < 0.84:
            return f'({rng.choice(["bvudiv", "bvurem", "bvsdiv", "bvsrem"])} {a} #x{rng.randint(2, 100):08x})'
        if kind < 0.92:
            width = rng.choice([8, 16])
            extend = rng.choice(['zero_extend', 'sign_extend'])
            return f'((_ {extend} {32 - width}) ((_ extract {width - 1} 0) {a}))'
        return f'(ite {self.condition()} {a} {b})'

    def condition(self):
        a, b = self.rng.choice(self.vars), self.operand()
        return f'({self.rng.choice(["=", "distinct", "bvult", "bvule", "bvslt", "bvsle", "bvsgt"])} {a} {b})'

    def assign(self, value):
        var = self.declare()
        self.require(f'(= {var} {value})')
        self.vars[self.rng.randrange(len(self.vars))] = var

    def step(self):
        self.assign(self.expression())

    def steps(self):
        return self.rng.randint(5, 30)

    def path(self):
        for _ in range(self.steps()):
            self.step()
            if self.rng.random() < 0.4:
                self.require(self.condition())

    def image(self):
        guards = [self.declare('Bool') for _ in range(self.rng.randint(4, 10))]
        for guard in guards[::2]:
            self.require(f'(= {guard} {self.condition()})')
        for _ in range(self.rng.randint(3, 12)):
            self.step()
        for guard in guards[1::2]:
            self.require(f'(= {guard} {self.condition()})')
        for _ in range(len(guards)):
            chosen = self.rng.sample(guards, 3)
            self.require('(or ' + ' '.join(self.rng.choice([g, f'(not {g})']) for g in chosen) + ')')


class MemoryCode(Code):
    """A random program that also reads and writes memory: bytes, of which four make a word, or words."""
    def __init__(self, rng):
        super().__init__(rng)
        self.address, self.cell = rng.choice([32, 64]), rng.choice([8, 32])
        self.sort = f'(Array (_ BitVec {self.address}) (_ BitVec {self.cell}))'
        self.memory = self.declare(self.sort)
        self.pointers = [self.declare(f'(_ BitVec {self.address})') for _ in range(rng.randint(2, 5))]
        for p, q in zip(self.pointers, self.pointers[1:]):
            kind = rng.random()
            if kind < 0.3:
                self.require(f'(distinct {p} {q})')
            elif kind < 0.6:
                # Objects that do not overlap.
                room = self.number(rng.choice([16, 64]))
                self.require(f'(and (bvult (bvadd {p} {room}) {q}) (bvult {p} (bvadd {p} {room})))')

    def number(self, value):
        return f'(_ bv{value} {self.address})'

    def place(self):
        """An address: an object's, at a constant or a computed offset."""
        rng, base = self.rng, self.rng.choice(self.pointers)
        kind = rng.random()
        if kind < 0.35:
            return base
        if kind < 0.7:
            return f'(bvadd {base} {self.number(4 * rng.randint(1, 8))})'
        index = f'(bvshl (bvand {rng.choice(self.vars)} #x00000007) #x00000002)'
        if self.address == 64:
            index = f'((_ zero_extend 32) {index})'
        return f'(bvadd {base} {index})'

    def bytes_at(self, place):
        return [place] + [f'(bvadd {place} {self.number(i)})' for i in (1, 2, 3)]

    def read(self, place):
        if self.cell == 32:
            return f'(select {self.memory} {place})'
        cells = [f'(select {self.memory} {at})' for at in reversed(self.bytes_at(place))]
        return f'(concat {" ".join(cells)})'

    def written(self, place, value):
        if self.cell == 32:
            return f'(store {self.memory} {place} {value})'
        memory = self.memory
        for i, at in enumerate(self.bytes_at(place)):
            memory = f'(store {memory} {at} ((_ extract {8 * i + 7} {8 * i}) {value}))'
        return memory

    def write(self):
        rng, before = self.rng, self.memory
        new = self.written(self.place(), self.operand())
        after = self.declare(self.sort)
        kind = rng.random()
        if kind < 0.6:
            self.require(f'(= {after} {new})')
        elif kind < 0.8:
            self.require(f'(= {after} (ite {self.condition()} {new} {before}))')
        else:
            branch = self.declare('Bool')
            self.require(f'(= {branch} {self.condition()})')
            self.require(f'(or (and {branch} (= {after} {new})) (and (not {branch}) (= {after} {before})))')
        self.memory = after

    def step(self):
        kind = self.rng.random()
        if kind < 0.45:
            self.write()
        elif kind < 0.7:
            self.assign(self.read(self.place()))
        else:
            self.assign(self.expression())

    def steps(self):
        return self.rng.choice([self.rng.randint(8, 30), self.rng.randint(20, 120)])

    def condition(self):
        if self.rng.random() < 0.4:
            value = self.rng.choice(['#x00000000', self.operand()])
            return f'({self.rng.choice(["=", "distinct", "bvult", "bvslt"])} {self.read(self.place())} {value})'
        return super().condition()

    def path(self):
        super().path()
        # What was written last is still there: a question that a proof asks.
        if self.rng.random() < 0.5:
            place, value = self.place(), self.operand()
            self.require(f'(= {self.read(place)} {value})')
            before = self.read(place)
            self.write()
            self.require(f'(distinct {before} {self.read(place)})')


def query(rng, family):
    logic = 'QF_BV' if family == 'bv' else 'QF_ABV'
    code = Code(rng) if family == 'bv' else MemoryCode(rng)
    code.path() if rng.random() < 0.5 else code.image()
    return '\n'.join([f'(set-logic {logic})', *code.lines, '(check-sat)', ''])
