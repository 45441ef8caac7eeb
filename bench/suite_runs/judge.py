"""Who is right where a verdict and a suite, or a verdict and gcc's program, differ.

A violation that the compiled program comes to refutes `true`, on whatever
inputs; a normal end refutes `true` of the negated program; and a program without inputs that ends normally refutes
`false`. A run with undefined behaviour decides nothing. Where gcc has no say, the suite's expectation decides.
"""
CONFIRMED = 'the compiled program comes to the violation'

# What the compiled program does where the error of a suite is reached.
ERRORS = {'assertion': {'violation'}, 'label': set(), 'abort': {'abort'}, 'status': {'status'}}
ENDS = {'end', 'status'}

class Judged:
    def __init__(self, result, note=''):
        self.result, self.note = result, note

def plain(test, verdict, native):
    """The verdict on the program as it is."""
    errors = ERRORS[test.error]
    if verdict.answer == 'CRASH':
        return Judged('CRASH')
    if verdict.answer == 'unknown':
        return Judged('unknown')
    if verdict.answer == test.expected == 'false' and verdict.native == CONFIRMED:
        return Judged('right')
    # A label that is passed leaves no trace in gcc's program.
    outcomes = native.outcomes() if test.error != 'label' else set()
    decided = outcomes and not native.inputs and len(outcomes) == 1
    if verdict.answer == 'true':
        if outcomes & errors:
            return contradicted(native, outcomes & errors, 'gcc\'s program comes to the error')
        if test.expected == 'true':
            return Judged('right')
        if decided and outcomes <= ENDS:
            return Judged('right', 'gcc\'s program ends normally')
        return against(test, verdict, native)
    if decided and outcomes & errors:
        return Judged('right', 'gcc\'s program comes to the error')
    if decided and not verdict.unset and outcomes <= ENDS:
        return contradicted(native, outcomes, 'gcc\'s program ends normally')
    if verdict.native == CONFIRMED:
        return Judged('right', 'replayed by the machine')
    if verdict.text.startswith('unknown'):
        return not_replayed(native)
    return Judged('right') if test.expected == 'false' else against(test, verdict, native)

def against(test, verdict, native):
    """Only the suite can be against the verdict, if it says anything about it."""
    if test.expected is None:
        return Judged('unjudged', test.loose or '')
    if 'false' in verdict.others.values() and test.expected == 'false':
        return Judged('right', 'another property fails')
    other = native.complaint() if test.expected == 'false' and test.loose else None
    if other:
        return Judged('right', f'another property fails: {other}')
    if test.loose:
        return Judged('unjudged', test.loose)
    return Judged('DIFFERS', f'the suite expects {test.expected}; {native.error or verdict.native or "gcc has no say"}')

def not_replayed(native):
    """A violation that the machine does not come to. It cannot be started with every number of arguments."""
    if native.shim.main()[0]:
        return Judged('unjudged', 'arguments of main')
    return Judged('DIFFERS', 'the machine does not replay the violation')

def contradicted(native, outcomes, how):
    undefined = native.undefined(outcomes)
    return Judged('undefined', undefined) if undefined else Judged('WRONG', how)

def negated(verdict, native):
    """The verdict on the program whose error is its normal end."""
    if verdict.answer == 'CRASH':
        return Judged('CRASH')
    if verdict.answer == 'unknown':
        return Judged('unknown')
    if verdict.native == CONFIRMED:
        return Judged('right')
    outcomes = native.outcomes()
    if verdict.answer == 'true':
        if outcomes & ENDS and not native.ends_negated():
            return Judged('unjudged', 'another name of main makes a difference')
        if outcomes & ENDS:
            return contradicted(native, outcomes & ENDS, 'gcc\'s program ends normally')
        return Judged('right' if outcomes and not native.inputs else 'unjudged')
    if outcomes & ENDS:
        return Judged('right')
    if outcomes and not native.inputs and not verdict.unset and len(outcomes) == 1 and 'endless' not in outcomes:
        return contradicted(native, outcomes, f'gcc\'s program does not end normally: {outcomes.pop()}')
    if verdict.text.startswith('unknown'):
        return not_replayed(native)
    return Judged('unjudged', native.error or '')
