"""Protocols: routing, mutual exclusion, retransmission, and two cache coherence protocols."""
from .guarded import Model, conj, disj, eq, ite, le, lt, ne, neg, plus, update

# Ad-hoc routing: nodes keep a next hop to a destination d with a sequence number and a hop count. At first nodes have no route
# or one to a node that is nearer. One reply is in flight, which any number of nodes hear before it is gone.
AODV = Model(
    'aodv',
    state={'route': ('Int', 'Int'), 'seq': ('Int', 'Int'), 'hops': ('Int', 'Int'), 'valid': ('Int', 'Bool'),
           'pending': 'Bool', 'sender': 'Int', 'sent_seq': 'Int', 'sent_hops': 'Int'},
    rigid=('i', 'd'), inputs=('u',), instances=(('i',), ('u',), ('d',), ('(route i)',), ('sender',)),
    start=lambda s: conj(disj(conj(neg(s.valid('i')), eq(s.route('i'), 'i')),
                              conj(s.valid('i'), ne('i', 'd'), ne(s.route('i'), 'i'), le(s.seq('i'), s.seq(s.route('i'))),
                                   eq(s.hops('i'), plus(s.hops(s.route('i')), 1)))),
                         le(s.seq('i'), s.seq('d')), eq(s.hops('d'), '0'), disj(eq('i', 'd'), lt('0', s.hops('i'))),
                         neg(s.pending), eq(s.sender, 'd'), le(s.sent_seq, s.seq('d')), le('0', s.sent_hops)),
    commands=[
        lambda s: (neg(s.pending), {'seq': update(s.seq, 'd', plus(s.seq('d'), 1)), 'pending': 'true', 'sender': 'd',
                                    'sent_seq': plus(s.seq('d'), 1), 'sent_hops': '0'}),
        lambda s: (conj(s.pending, ne('u', 'd'), ne('u', s.sender),
                        disj(lt(s.seq('u'), s.sent_seq),
                             conj(eq(s.seq('u'), s.sent_seq), lt(plus(s.sent_hops, 1), s.hops('u'))))),
                   {'route': update(s.route, 'u', s.sender), 'seq': update(s.seq, 'u', s.sent_seq),
                    'hops': update(s.hops, 'u', plus(s.sent_hops, 1)), 'valid': update(s.valid, 'u', 'true')}),
        lambda s: (conj(neg(s.pending), s.valid('u'), ne('u', 'd')),
                   {'pending': 'true', 'sender': 'u', 'sent_seq': s.seq('u'), 'sent_hops': s.hops('u')}),
        lambda s: (s.pending, {'pending': 'false'}),
        lambda s: (conj(s.valid('u'), ne('u', 'd'), ne('u', s.sender)),
                   {'valid': update(s.valid, 'u', 'false'), 'seq': update(s.seq, 'u', plus(s.seq('u'), 1))}),
    ],
    predicates=[
        lambda s, i: eq(i, 'd'), lambda s, i: eq(s.route(i), i), lambda s, i: s.valid(i),
        lambda s, i: s.valid(s.route(i)), lambda s, i: le(s.seq(i), s.seq(s.route(i))),
        lambda s, i: eq(s.seq(i), s.seq(s.route(i))), lambda s, i: lt(s.hops(s.route(i)), s.hops(i)),
        lambda s, i: le(s.seq(i), s.seq('d')), lambda s, i: eq(s.hops(i), '0'), lambda s, i: eq(s.route(i), 'd'),
        lambda s, i: s.pending, lambda s, i: eq(s.sender, i), lambda s, i: eq(s.sender, 'd'),
        lambda s, i: le(s.sent_seq, s.seq(s.sender)), lambda s, i: le(s.sent_seq, s.seq('d')),
        lambda s, i: lt(s.seq(i), s.sent_seq), lambda s, i: eq(s.seq(i), s.sent_seq),
        lambda s, i: le(s.hops(i), s.sent_hops), lambda s, i: eq(s.hops(i), plus(s.sent_hops, 1)),
        lambda s, i: le(s.hops(s.sender), s.sent_hops), lambda s, i: eq(s.route(i), s.sender)],
    steps=7)

# Lamport's bakery for any number of processes. A process is idle 0, chooses 1, has looked at the numbers 2, has taken the next 3,
# has said so 4, has found nobody choosing 5, and is critical 6; then it leaves 7, without its number.
IDLE, CHOOSING, LOOKED, TAKEN, NUMBERED, WAITING, CRITICAL, LEAVING = PLACES = tuple('01234567')


def first(s, a, b):
    return disj(eq(s.number(b), '0'), lt(s.number(a), s.number(b)), conj(eq(s.number(a), s.number(b)), lt(a, b)))


BAKERY = Model(
    'bakery',
    state={'pc': ('Int', 'Int'), 'number': ('Int', 'Int'), 'seen': ('Int', 'Int'), 'next_number': 'Int'},
    rigid=('i', 'j'), inputs=('u',), instances=(('i', 'j'), ('j', 'i'), ('u', 'i'), ('u', 'j'), ('i', 'u'), ('j', 'u')),
    start=lambda s: conj(*(conj(eq(s.pc(p), IDLE), eq(s.number(p), '0'), eq(s.seen(p), '0')) for p in 'ij'),
                         eq(s.next_number, '1')),
    commands=[
        lambda s: (eq(s.pc('u'), IDLE), {'pc': update(s.pc, 'u', CHOOSING)}),
        lambda s: (eq(s.pc('u'), CHOOSING), {'pc': update(s.pc, 'u', LOOKED), 'seen': update(s.seen, 'u', s.next_number)}),
        lambda s: (eq(s.pc('u'), LOOKED),
                   {'pc': update(s.pc, 'u', TAKEN), 'number': update(s.number, 'u', s.seen('u')),
                    'next_number': ite(lt(s.seen('u'), s.next_number), s.next_number, plus(s.seen('u'), 1))}),
        lambda s: (eq(s.pc('u'), TAKEN), {'pc': update(s.pc, 'u', NUMBERED)}),
        lambda s: (conj(eq(s.pc('u'), NUMBERED),
                        *(disj(eq(p, 'u'), conj(*(ne(s.pc(p), at) for at in (CHOOSING, LOOKED, TAKEN)))) for p in 'ij')),
                   {'pc': update(s.pc, 'u', WAITING)}),
        lambda s: (conj(eq(s.pc('u'), WAITING), *(disj(eq(p, 'u'), first(s, 'u', p)) for p in 'ij')),
                   {'pc': update(s.pc, 'u', CRITICAL)}),
        lambda s: (eq(s.pc('u'), CRITICAL), {'pc': update(s.pc, 'u', LEAVING), 'number': update(s.number, 'u', '0')}),
        lambda s: (eq(s.pc('u'), LEAVING), {'pc': update(s.pc, 'u', IDLE), 'seen': update(s.seen, 'u', '0')}),
    ],
    predicates=[lambda s, i, j, p=p, at=at: eq(s.pc((i, j)[p]), at) for p in (0, 1) for at in PLACES] +
               [lambda s, i, j, p=p: eq(s.number((i, j)[p]), '0') for p in (0, 1)] +
               [lambda s, i, j, p=p: lt(s.number((i, j)[p]), s.next_number) for p in (0, 1)] +
               [lambda s, i, j, p=p: le(s.seen((i, j)[p]), s.next_number) for p in (0, 1)] +
               [lambda s, i, j, p=p: eq(s.number((i, j)[p]), s.seen((i, j)[p])) for p in (0, 1)] +
               [lambda s, i, j, p=p: le('0', s.number((i, j)[p])) for p in (0, 1)] +
               [lambda s, i, j: lt(s.number(i), s.number(j)), lambda s, i, j: eq(s.number(i), s.number(j)),
                lambda s, i, j: lt(s.number(i), s.seen(j)), lambda s, i, j: lt(s.number(j), s.seen(i)),
                lambda s, i, j: eq(i, j), lambda s, i, j: le('1', s.next_number)],
    steps=19)

# Bounded retransmission: the sender waits for an acknowledgement of a chunk, sends again, and gives up after a while.
BRP = Model(
    'BRP',
    state={'sender': 'Int', 'receiver': 'Int', 'chunk': 'Int', 'expected': 'Int', 'retries': 'Int', 'data_full': 'Bool',
           'ack_full': 'Bool', 'data_chunk': 'Int', 'delivered': 'Int', 'sent_bit': 'Bool', 'expected_bit': 'Bool',
           'data_bit': 'Bool'},
    rigid=('length', 'limit'),
    start=lambda s: conj(eq(s.sender, '0'), eq(s.receiver, '0'), eq(s.chunk, '0'), eq(s.expected, '0'), eq(s.retries, '0'),
                         neg(s.data_full), neg(s.ack_full), eq(s.data_chunk, '0'), eq(s.delivered, '0'), neg(s.sent_bit),
                         neg(s.expected_bit), neg(s.data_bit), lt('1', 'length'), lt('1', 'limit')),
    commands=[
        lambda s: (conj(eq(s.sender, '0'), lt(s.chunk, 'length'), neg(s.data_full), neg(s.ack_full)),
                   {'sender': '1', 'data_full': 'true', 'data_chunk': s.chunk, 'data_bit': s.sent_bit}),
        lambda s: (conj(s.data_full, neg(s.ack_full), eq(s.data_bit, s.expected_bit)),
                   {'data_full': 'false', 'ack_full': 'true', 'delivered': plus(s.delivered, 1),
                    'expected': plus(s.expected, 1), 'expected_bit': neg(s.expected_bit), 'receiver': '1'}),
        lambda s: (conj(s.data_full, neg(s.ack_full), ne(s.data_bit, s.expected_bit)),
                   {'data_full': 'false', 'ack_full': 'true'}),
        lambda s: (conj(eq(s.sender, '1'), s.ack_full),
                   {'sender': '0', 'ack_full': 'false', 'chunk': plus(s.chunk, 1), 'retries': '0',
                    'sent_bit': neg(s.sent_bit), 'receiver': '0'}),
        lambda s: (s.data_full, {'data_full': 'false'}),
        lambda s: (s.ack_full, {'ack_full': 'false'}),
        lambda s: (conj(eq(s.sender, '1'), neg(s.data_full), neg(s.ack_full), lt(s.retries, 'limit')),
                   {'data_full': 'true', 'data_chunk': s.chunk, 'data_bit': s.sent_bit, 'retries': plus(s.retries, 1)}),
        lambda s: (conj(eq(s.sender, '1'), neg(s.data_full), neg(s.ack_full), eq(s.retries, 'limit')), {'sender': '2'}),
    ],
    predicates=[
        lambda s: eq(s.sender, '0'), lambda s: eq(s.sender, '1'), lambda s: eq(s.sender, '2'),
        lambda s: eq(s.receiver, '0'), lambda s: s.data_full, lambda s: s.ack_full, lambda s: s.sent_bit,
        lambda s: eq(s.sent_bit, s.expected_bit), lambda s: eq(s.data_bit, s.sent_bit),
        lambda s: eq(s.chunk, s.expected), lambda s: eq(plus(s.chunk, 1), s.expected), lambda s: eq(s.data_chunk, s.chunk),
        lambda s: le(s.chunk, 'length'), lambda s: eq(s.delivered, s.expected), lambda s: le(s.retries, 'limit'),
        lambda s: eq(s.chunk, '0'), lambda s: le('0', s.chunk), lambda s: le('0', s.retries),
        lambda s: le(s.delivered, 'length'), lambda s: le(s.data_chunk, s.expected), lambda s: lt('0', s.delivered),
        lambda s: le(s.chunk, s.delivered)],
    steps=10)

# A directory keeps who shares a line and who may write it. Messages: 0 none, 1 ask to share, 2 ask to write, 3 invalidate,
# 4 invalidated, 5 may share, 6 may write. A cache is invalid 0, shared 1 or exclusive 2.
CACHE_IBM = Model(
    'cache_ibm',
    state={'cache': ('Int', 'Int'), 'request': ('Int', 'Int'), 'grant': ('Int', 'Int'), 'answer': ('Int', 'Int'),
           'shares': ('Int', 'Bool'), 'to_do': ('Int', 'Bool'), 'exclusive': 'Bool', 'command': 'Int', 'client': 'Int'},
    rigid=('i',), inputs=('u',), instances=(('i',), ('u',), ('client',)),
    start=lambda s: conj(*(eq(f('i'), '0') for f in (s.cache, s.request, s.grant, s.answer)), neg(s.shares('i')),
                         neg(s.to_do('i')), neg(s.exclusive), eq(s.command, '0')),
    commands=[
        lambda s: (conj(eq(s.request('u'), '0'), eq(s.cache('u'), '0')), {'request': update(s.request, 'u', '1')}),
        lambda s: (conj(eq(s.request('u'), '0'), ne(s.cache('u'), '2')), {'request': update(s.request, 'u', '2')}),
        lambda s: (conj(eq(s.command, '0'), ne(s.request('u'), '0')),
                   {'command': s.request('u'), 'client': 'u', 'request': update(s.request, 'u', '0'), 'to_do': s.shares}),
        lambda s: (conj(s.to_do('u'), eq(s.grant('u'), '0'), disj(eq(s.command, '2'), conj(eq(s.command, '1'), s.exclusive))),
                   {'grant': update(s.grant, 'u', '3'), 'to_do': update(s.to_do, 'u', 'false')}),
        lambda s: (conj(eq(s.grant('u'), '3'), eq(s.answer('u'), '0')),
                   {'grant': update(s.grant, 'u', '0'), 'answer': update(s.answer, 'u', '4'),
                    'cache': update(s.cache, 'u', '0')}),
        lambda s: (conj(eq(s.answer('u'), '4'), ne(s.command, '0')),
                   {'answer': update(s.answer, 'u', '0'), 'shares': update(s.shares, 'u', 'false'), 'exclusive': 'false'}),
        lambda s: (conj(eq(s.command, '1'), neg(s.exclusive), eq(s.grant(s.client), '0')),
                   {'grant': update(s.grant, s.client, '5'), 'shares': update(s.shares, s.client, 'true'),
                    'command': '0'}),
        lambda s: (conj(eq(s.command, '2'), neg(s.shares('i')), neg(s.shares(s.client)), eq(s.grant(s.client), '0')),
                   {'grant': update(s.grant, s.client, '6'), 'shares': update(s.shares, s.client, 'true'),
                    'exclusive': 'true', 'command': '0'}),
        lambda s: (eq(s.grant('u'), '5'), {'cache': update(s.cache, 'u', '1'), 'grant': update(s.grant, 'u', '0')}),
        lambda s: (eq(s.grant('u'), '6'), {'cache': update(s.cache, 'u', '2'), 'grant': update(s.grant, 'u', '0')}),
    ],
    predicates=[
        lambda s, i: eq(s.cache(i), '0'), lambda s, i: eq(s.cache(i), '2'), lambda s, i: eq(s.grant(i), '0'),
        lambda s, i: eq(s.grant(i), '3'), lambda s, i: eq(s.grant(i), '6'), lambda s, i: eq(s.answer(i), '0'),
        lambda s, i: eq(s.request(i), '0'), lambda s, i: eq(s.request(i), '2'), lambda s, i: s.shares(i),
        lambda s, i: s.to_do(i), lambda s, i: s.exclusive, lambda s, i: eq(s.command, '0'),
        lambda s, i: eq(s.command, '2'), lambda s, i: eq(s.client, i), lambda s, i: eq(s.grant(i), '5'),
        lambda s, i: eq(s.command, '1')],
    steps=10)


def queued(s, k, fact):
    """What holds of a place in the queue, if it is one."""
    return conj(le(s.head, k), lt(k, s.tail), fact)


# As above, with requests in a queue between `head` and `tail` of bounded length; `pending(k)` asks, `kind(k)` says what for.
CACHE_BOUNDED = Model(
    'cache_bounded',
    state={'cache': ('Int', 'Int'), 'pending': ('Int', 'Int'), 'kind': ('Int', 'Int'), 'waits': ('Int', 'Bool'),
           'head': 'Int', 'tail': 'Int', 'owner': 'Int', 'owned': 'Bool', 'sharers': 'Int', 'stopping': 'Bool'},
    rigid=('i', 'k', 'room'), inputs=('u',), instances=(('i', 'k'), ('u', 'k'), ('(pending head)', 'head'), ('owner', 'head')),
    start=lambda s: conj(eq(s.cache('i'), '0'), neg(s.waits('i')), eq(s.head, s.tail), eq(s.head, '0'), neg(s.owned),
                         eq(s.sharers, '0'), neg(s.stopping), lt('0', 'room'), eq(s.pending('k'), '0'), eq(s.kind('k'), '0'),
                         eq(s.pending('0'), '0'), eq(s.cache('0'), '0'), neg(s.waits('0')), eq(s.owner, '0')),
    commands=[
        lambda s: (conj(eq(s.cache('u'), '0'), neg(s.waits('u')), lt(s.tail, plus(s.head, 4)), lt(s.tail, 'room')),
                   {'pending': update(s.pending, s.tail, 'u'), 'kind': update(s.kind, s.tail, '1'),
                    'waits': update(s.waits, 'u', 'true'), 'tail': plus(s.tail, 1)}),
        lambda s: (conj(ne(s.cache('u'), '2'), neg(s.waits('u')), lt(s.tail, plus(s.head, 4)), lt(s.tail, 'room')),
                   {'pending': update(s.pending, s.tail, 'u'), 'kind': update(s.kind, s.tail, '2'),
                    'waits': update(s.waits, 'u', 'true'), 'tail': plus(s.tail, 1)}),
        lambda s: (conj(lt(s.head, s.tail), eq(s.kind(s.head), '1'), neg(s.owned), neg(s.stopping)),
                   {'cache': update(s.cache, s.pending(s.head), '1'), 'waits': update(s.waits, s.pending(s.head), 'false'),
                    'sharers': plus(s.sharers, 1), 'head': plus(s.head, 1)}),
        lambda s: (conj(lt(s.head, s.tail), eq(s.kind(s.head), '2'), neg(s.owned), eq(s.sharers, '0')),
                   {'cache': update(s.cache, s.pending(s.head), '2'), 'waits': update(s.waits, s.pending(s.head), 'false'),
                    'owner': s.pending(s.head), 'owned': 'true', 'head': plus(s.head, 1), 'stopping': 'false'}),
        lambda s: (conj(lt(s.head, s.tail), eq(s.kind(s.head), '2'), lt('0', s.sharers)), {'stopping': 'true'}),
        lambda s: (conj(s.stopping, eq(s.cache('u'), '1')),
                   {'cache': update(s.cache, 'u', '0'), 'sharers': plus(s.sharers, -1)}),
        lambda s: (conj(s.owned, eq(s.cache(s.owner), '2')),
                   {'cache': update(s.cache, s.owner, '0'), 'owned': 'false'}),
    ],
    predicates=[
        lambda s, i, k: eq(s.cache(i), '0'), lambda s, i, k: eq(s.cache(i), '1'), lambda s, i, k: eq(s.cache(i), '2'),
        lambda s, i, k: s.waits(i), lambda s, i, k: s.owned, lambda s, i, k: conj(s.owned, eq(s.owner, i)),
        lambda s, i, k: eq(s.sharers, '0'), lambda s, i, k: le('0', s.sharers), lambda s, i, k: eq(s.sharers, '1'),
        lambda s, i, k: s.stopping, lambda s, i, k: eq(s.head, s.tail), lambda s, i, k: le(s.head, s.tail),
        lambda s, i, k: le(s.tail, 'room'), lambda s, i, k: le(s.tail, plus(s.head, 4)), lambda s, i, k: le(s.head, k),
        lambda s, i, k: lt(k, s.tail), lambda s, i, k: queued(s, k, eq(s.pending(k), i)),
        lambda s, i, k: queued(s, k, eq(s.kind(k), '1')), lambda s, i, k: queued(s, k, eq(s.kind(k), '2')),
        lambda s, i, k: queued(s, k, s.waits(s.pending(k))), lambda s, i, k: eq(s.sharers, '2'),
        lambda s, i, k: queued(s, k, eq(s.cache(s.pending(k)), '0')),
        lambda s, i, k: conj(s.owned, eq(s.cache(s.owner), '2')),
        lambda s, i, k: queued(s, k, conj(s.owned, eq(s.owner, s.pending(k)))),
        lambda s, i, k: le(s.head, 'room'), lambda s, i, k: le('0', s.head)],
    steps=18)

MODELS = [AODV, BAKERY, BRP, CACHE_IBM, CACHE_BOUNDED]
