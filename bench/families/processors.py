"""Processors: a pipeline of five stages, and execution out of order with a buffer that retires in order."""
from .guarded import Model, conj, disj, eq, ite, le, lt, ne, neg, plus, update

# An instruction is a number that rigid functions decode. Stage k has valid{k} and dest{k}; values are forwarded from
# stages 3 and 4, a use right after its load stalls, and a taken branch squashes what was fetched after it.


def reads(s, register):
    """What stage 2 takes for a register: the youngest value there is."""
    return ite(conj(s.valid3, eq(s.dest3, register)), s.value3,
               ite(conj(s.valid4, eq(s.dest4, register)), s.value4, s.registers(register)))


def stall(s):
    return conj(s.valid2, s.load2, s.valid1, disj(eq(s.dest2, s.source(s.fetched)), eq(s.dest2, s.source2(s.fetched))))


def moved(s):
    """Stages 3 and 4 and the registers, which always move on."""
    return {'valid4': s.valid3, 'dest4': s.dest3, 'value4': ite(s.load3, s.memory(s.value3), s.value3),
            'valid3': s.valid2, 'dest3': s.dest2, 'load3': s.load2, 'value3': s.alu(s.operand2),
            'registers': update(s.registers, s.dest4, ite(s.valid4, s.value4, s.registers(s.dest4)))}


def decoded(s):
    return {'valid2': s.valid1, 'dest2': s.dest(s.fetched), 'load2': s.is_load(s.fetched),
            'operand2': reads(s, s.source(s.fetched))}


DLX = Model(
    'DLX',
    state={'pc': 'Int', 'fetched': 'Int', 'valid1': 'Bool', 'valid2': 'Bool', 'dest2': 'Int', 'load2': 'Bool',
           'operand2': 'Int', 'valid3': 'Bool', 'dest3': 'Int', 'load3': 'Bool', 'value3': 'Int', 'valid4': 'Bool',
           'dest4': 'Int', 'value4': 'Int', 'registers': ('Int', 'Int'), 'memory': ('Int', 'Int'), 'alu': ('Int', 'Int'),
           'dest': ('Int', 'Int'), 'source': ('Int', 'Int'), 'source2': ('Int', 'Int'), 'is_load': ('Int', 'Bool'),
           'program': ('Int', 'Int'), 'is_branch': ('Int', 'Bool')},
    rigid=('r',), inputs=('target',), instances=(('r',),),
    start=lambda s: conj(eq(s.pc, '0'), neg(s.valid1), neg(s.valid2), neg(s.valid3), neg(s.valid4), neg(s.load2),
                         neg(s.load3)),
    commands=[
        lambda s: (conj(neg(stall(s)), neg(conj(s.valid1, s.is_branch(s.fetched)))),
                   {**moved(s), **decoded(s), 'valid1': 'true', 'fetched': s.program(s.pc), 'pc': plus(s.pc, 1)}),
        lambda s: (stall(s), {**moved(s), 'valid2': 'false'}),
        lambda s: (conj(neg(stall(s)), s.valid1, s.is_branch(s.fetched), le('0', 'target')),
                   {**moved(s), **decoded(s), 'valid2': 'false', 'valid1': 'false', 'pc': 'target'}),
    ],
    predicates=[
        lambda s, r: s.valid1, lambda s, r: s.valid2, lambda s, r: s.valid3, lambda s, r: s.valid4,
        lambda s, r: s.load2, lambda s, r: s.load3, lambda s, r: eq(s.dest2, r), lambda s, r: eq(s.dest3, r),
        lambda s, r: eq(s.dest4, r), lambda s, r: eq(s.dest2, s.dest3), lambda s, r: eq(s.dest3, s.dest4),
        lambda s, r: eq(s.dest2, s.dest4), lambda s, r: eq(s.source(s.fetched), r),
        lambda s, r: eq(s.source2(s.fetched), r), lambda s, r: eq(s.dest(s.fetched), r),
        lambda s, r: eq(s.source(s.fetched), s.dest2), lambda s, r: eq(s.source(s.fetched), s.dest3),
        lambda s, r: s.is_load(s.fetched), lambda s, r: s.is_branch(s.fetched), lambda s, r: le('0', s.pc),
        lambda s, r: eq(s.value4, s.registers(s.dest4)), lambda s, r: conj(s.valid2, s.is_branch(s.fetched)),
        lambda s, r: conj(s.valid1, neg(stall(s)))],
    steps=4)

# Instructions wait in a buffer between `head` and `tail`; `renamed(g)` says that register g is yet to be written, by
# entry `writer(g)`; an entry has its operands' tags. Execution sets `done`, retirement follows the order.
OOO = Model(
    'OOO',
    state={'head': 'Int', 'tail': 'Int', 'renamed': ('Int', 'Bool'), 'writer': ('Int', 'Int'), 'target': ('Int', 'Int'),
           'done': ('Int', 'Bool'), 'ready': ('Int', 'Bool'), 'tag': ('Int', 'Int'), 'ready2': ('Int', 'Bool'),
           'tag2': ('Int', 'Int'), 'dest': ('Int', 'Int'), 'source': ('Int', 'Int'), 'source2': ('Int', 'Int')},
    rigid=('t', 'g'), inputs=('e',), instances=(('t', 'g'), ('e', 'g'), ('t', '(source tail)'), ('head', 'g')),
    start=lambda s: conj(eq(s.head, '0'), eq(s.tail, '0'), neg(s.renamed('g')), eq(s.writer('g'), '0'),
                         *(conj(eq(s.target(e), '0'), neg(s.done(e)), eq(s.tag(e), '0'), eq(s.tag2(e), '0'), neg(s.ready(e)),
                                neg(s.ready2(e))) for e in ('t', '0'))),
    commands=[
        lambda s: (lt(s.tail, plus(s.head, 8)),
                   {'tail': plus(s.tail, 1), 'target': update(s.target, s.tail, s.dest(s.tail)),
                    'done': update(s.done, s.tail, 'false'),
                    'ready': update(s.ready, s.tail, disj(neg(s.renamed(s.source(s.tail))),
                                                          s.done(s.writer(s.source(s.tail))))),
                    'tag': update(s.tag, s.tail, s.writer(s.source(s.tail))),
                    'ready2': update(s.ready2, s.tail, disj(neg(s.renamed(s.source2(s.tail))),
                                                            s.done(s.writer(s.source2(s.tail))))),
                    'tag2': update(s.tag2, s.tail, s.writer(s.source2(s.tail))),
                    'renamed': update(s.renamed, s.dest(s.tail), 'true'),
                    'writer': update(s.writer, s.dest(s.tail), s.tail)}),
        lambda s: (conj(le(s.head, 'e'), lt('e', s.tail), s.ready('e'), s.ready2('e'), neg(s.done('e'))),
                   {'done': update(s.done, 'e', 'true'),
                    'ready': lambda x: disj(s.ready(x), eq(s.tag(x), 'e')),
                    'ready2': lambda x: disj(s.ready2(x), eq(s.tag2(x), 'e'))}),
        lambda s: (conj(lt(s.head, s.tail), s.done(s.head)),
                   {'head': plus(s.head, 1),
                    'renamed': lambda x: conj(s.renamed(x), neg(conj(eq(x, s.target(s.head)), eq(s.writer(x), s.head))))}),
    ],
    predicates=[
        lambda s, t, g: le(s.head, t), lambda s, t, g: lt(t, s.tail), lambda s, t, g: le(s.head, s.tail),
        lambda s, t, g: le(s.tail, plus(s.head, 8)), lambda s, t, g: s.renamed(g),
        lambda s, t, g: le(s.head, s.writer(g)), lambda s, t, g: lt(s.writer(g), s.tail),
        lambda s, t, g: eq(s.writer(g), t), lambda s, t, g: lt(s.writer(g), t), lambda s, t, g: eq(s.target(t), g),
        lambda s, t, g: eq(s.target(s.writer(g)), g), lambda s, t, g: s.done(t), lambda s, t, g: s.ready(t),
        lambda s, t, g: s.ready2(t), lambda s, t, g: lt(s.tag(t), t), lambda s, t, g: lt(s.tag2(t), t),
        lambda s, t, g: le(s.head, s.tag(t)), lambda s, t, g: le(s.head, s.tag2(t)),
        lambda s, t, g: s.done(s.tag(t)), lambda s, t, g: s.done(s.tag2(t)), lambda s, t, g: s.done(s.writer(g)),
        lambda s, t, g: eq(s.head, t), lambda s, t, g: eq(s.tag(t), s.writer(g)), lambda s, t, g: eq(s.tag(t), s.tag2(t)),
        lambda s, t, g: eq(s.head, s.tail)],
    steps=10)

MODELS = [DLX, OOO]
