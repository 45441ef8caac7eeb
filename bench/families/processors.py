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
        lambda s, r: eq(s.source2(s.fetched), r), lambda s, r: eq(s.source2(s.fetched), s.dest2),
        lambda s, r: eq(s.source(s.fetched), s.dest2), lambda s, r: eq(s.source(s.fetched), s.dest3),
        lambda s, r: s.is_load(s.fetched), lambda s, r: s.is_branch(s.fetched), lambda s, r: le('0', s.pc),
        lambda s, r: eq(s.source2(s.fetched), s.dest3), lambda s, r: conj(s.valid2, s.is_branch(s.fetched)),
        lambda s, r: conj(s.valid1, neg(stall(s)))],
    steps=6)

# Instructions wait in a buffer between `head` and `tail`, whose entries have any value at first: `renamed(g)` says that register
# g is yet to be written, by entry `writer(g)`; an entry has its operands, or the tags of the entries that will give them.
# Execution sets `done`, hands its value to those that wait for it, and may fault; retirement follows the order, and a
# fault that comes to the head empties the buffer. Instructions are numbered in the order of the program.


def operand(s, register):
    """What an instruction is given for a register when it enters the buffer: if it is ready, a tag, and a value."""
    writer = s.writer(register)
    return (disj(neg(s.renamed(register)), s.done(writer)), writer,
            ite(s.renamed(register), s.value(writer), s.registers(register)))


def entered(s):
    """A new entry at the tail."""
    ready, tag, given = operand(s, s.source(s.tail))
    ready2, tag2, given2 = operand(s, s.source2(s.tail))
    return {'tail': plus(s.tail, 1), 'target': update(s.target, s.tail, s.dest(s.tail)),
            'done': update(s.done, s.tail, 'false'), 'fault': update(s.fault, s.tail, 'false'),
            'ready': update(s.ready, s.tail, ready), 'tag': update(s.tag, s.tail, tag),
            'left': update(s.left, s.tail, given), 'ready2': update(s.ready2, s.tail, ready2),
            'tag2': update(s.tag2, s.tail, tag2), 'right': update(s.right, s.tail, given2),
            'renamed': update(s.renamed, s.dest(s.tail), 'true'), 'writer': update(s.writer, s.dest(s.tail), s.tail)}


def executed(s, e):
    """Entry e has its value, and those that wait for it have it too."""
    result = s.alu(s.left(e), s.right(e))
    return {'done': update(s.done, e, 'true'), 'value': update(s.value, e, result),
            'fault': update(s.fault, e, s.faults(s.left(e))),
            'ready': lambda x: disj(s.ready(x), eq(s.tag(x), e)),
            'left': lambda x: ite(conj(neg(s.ready(x)), eq(s.tag(x), e)), result, s.left(x)),
            'ready2': lambda x: disj(s.ready2(x), eq(s.tag2(x), e)),
            'right': lambda x: ite(conj(neg(s.ready2(x)), eq(s.tag2(x), e)), result, s.right(x))}


def retired(s):
    """The oldest entry leaves the buffer, and its register is written."""
    return {'head': plus(s.head, 1), 'registers': update(s.registers, s.target(s.head), s.value(s.head)),
            'renamed': lambda x: conj(s.renamed(x), neg(conj(eq(x, s.target(s.head)), eq(s.writer(x), s.head))))}


OOO = Model(
    'OOO',
    state={'head': 'Int', 'tail': 'Int', 'renamed': ('Int', 'Bool'), 'writer': ('Int', 'Int'),
           'registers': ('Int', 'Int'), 'target': ('Int', 'Int'), 'done': ('Int', 'Bool'), 'fault': ('Int', 'Bool'),
           'value': ('Int', 'Int'), 'ready': ('Int', 'Bool'), 'tag': ('Int', 'Int'), 'left': ('Int', 'Int'),
           'ready2': ('Int', 'Bool'), 'tag2': ('Int', 'Int'), 'right': ('Int', 'Int'), 'dest': ('Int', 'Int'),
           'source': ('Int', 'Int'), 'source2': ('Int', 'Int'), 'faults': ('Int', 'Bool'), 'alu': ('Int', 'Int', 'Int')},
    rigid=('t', 'g'), inputs=('e',),
    instances=(('t', 'g'), ('e', 'g'), ('t', '(source tail)'), ('t', '(source2 tail)'), ('head', 'g')),
    start=lambda s: conj(eq(s.head, '0'), eq(s.tail, '0'), neg(s.renamed('g')), eq(s.writer('g'), '0'),
                         *(conj(*(neg(f(e)) for f in (s.done, s.fault, s.ready, s.ready2)),
                                *(eq(f(e), '0') for f in (s.target, s.tag, s.tag2))) for e in ('t', '0'))),
    commands=[
        lambda s: (lt(s.tail, plus(s.head, 8)), entered(s)),
        lambda s: (conj(le(s.head, 'e'), lt('e', s.tail), s.ready('e'), s.ready2('e'), neg(s.done('e'))), executed(s, 'e')),
        lambda s: (conj(lt(s.head, s.tail), s.done(s.head), neg(s.fault(s.head))), retired(s)),
        lambda s: (conj(lt(s.head, s.tail), s.done(s.head), s.fault(s.head)),
                   {'tail': s.head, 'renamed': lambda x: 'false'}),
    ],
    predicates=[
        lambda s, t, g: le(s.head, t), lambda s, t, g: lt(t, s.tail), lambda s, t, g: le(s.head, s.tail),
        lambda s, t, g: le(s.tail, plus(s.head, 8)), lambda s, t, g: eq(s.head, s.tail), lambda s, t, g: s.renamed(g),
        lambda s, t, g: le(s.head, s.writer(g)), lambda s, t, g: lt(s.writer(g), s.tail),
        lambda s, t, g: eq(s.target(s.writer(g)), g), lambda s, t, g: s.done(t), lambda s, t, g: s.ready(t),
        lambda s, t, g: s.ready2(t), lambda s, t, g: lt(s.tag(t), t), lambda s, t, g: lt(s.tag2(t), t),
        lambda s, t, g: s.fault(t), lambda s, t, g: eq(s.dest(t), g), lambda s, t, g: eq(s.target(t), s.dest(t)),
        lambda s, t, g: eq(s.value(t), s.alu(s.left(t), s.right(t))), lambda s, t, g: eq(s.head, t),
        lambda s, t, g: lt(s.value(t), '0'), lambda s, t, g: le('0', s.head), lambda s, t, g: le('0', s.writer(g)),
        lambda s, t, g: le('0', s.tag(t)), lambda s, t, g: le('0', s.tag2(t)), lambda s, t, g: le('0', s.tail)],
    steps=10)

MODELS = [DLX, OOO]
