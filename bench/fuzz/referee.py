"""Compares what Tamis says with what the oracles say."""
from .cases import combinations
from .scripts import core_script, follow_ups, for_tamis, model_script, question
from .sexpr import read, text


class Difference(Exception):
    """Something that is not as it should be."""


class Claim:
    """A script, and the answer that an oracle gives if Tamis was right."""

    def __init__(self, case, what, script, answer):
        self.case, self.what, self.script, self.answer = case, what, script, answer


class Referee:
    def __init__(self, tamis, oracles):
        self.tamis, self.oracles = tamis, oracles
        self.counts = dict.fromkeys(['checks', 'sat', 'unsat', 'unknown', 'models', 'cores', 'enumerations',
                                     'timeouts', 'open'] + ['errors of ' + o.name for o in oracles], 0)
        self.differences = []

    def judge(self, cases):
        """Judges the answers to cases, all of one logic."""
        questions = [question(case) for case in cases]
        opinions = {}
        for oracle in self.oracles:
            replies = oracle.answer(questions)
            self.counts['errors of ' + oracle.name] += sum('(error' in r.output or r.why is not None for r in replies)
            opinions[oracle.name] = [answers(r) for r in replies]
        expected = []
        for i, case in enumerate(cases):
            try:
                expected.append(self.expected(case, {name: given[i] for name, given in opinions.items()}))
            except Difference as difference:
                self.report(case, questions[i], difference)
                expected.append(None)
        scripts = [for_tamis(c, e) if e else ['(check-sat)'] for c, e in zip(cases, expected)]
        claims = []
        for case, script, wanted, reply in zip(cases, scripts, expected, self.tamis.answer(scripts)):
            try:
                if wanted:
                    claims += self.compare(case, wanted, reply)
            except Difference as difference:
                self.report(case, script, difference)
        self.verify(claims)

    def report(self, case, script, what):
        self.differences.append((case, script, str(what)))

    def expected(self, case, opinions):
        """For each question of a case the answer on which the oracles agree, 'unknown' if none has one; for an
        enumeration the combinations that are possible."""
        agreed = []
        for name, given in opinions.items():
            for at, answer in enumerate(given):
                if at == len(agreed):
                    agreed.append((answer, name))
                elif agreed[at][0] == 'unknown':
                    agreed[at] = (answer, name)
                elif answer not in ('unknown', agreed[at][0]):
                    raise Difference(f'check {at + 1}: {agreed[at][1]} says {agreed[at][0]}, {name} says {answer}')
        agreed = iter([answer for answer, _ in agreed])
        found = []
        for event, _ in case.checks():
            if event[0] == 'check':
                found.append(next(agreed, 'unknown'))
                continue
            possible = [(values, next(agreed, 'unknown')) for values, _ in combinations(event[1])]
            known = all(answer != 'unknown' for _, answer in possible)
            found.append({values for values, answer in possible if answer == 'sat'} if known else 'unknown')
        return found

    def compare(self, case, wanted, reply):
        """Compares the answers to a case; gives the claims that are to be verified."""
        if reply.why == 'timeout':
            self.counts['timeouts'] += 1
        elif reply.why:
            raise Difference(reply.why)
        elif 'CONTRADICTION' in reply.messages or 'panicked' in reply.messages:
            raise Difference(reply.messages)
        said, claims = iter(read(reply.output)), []
        for number, ((event, context), answer) in enumerate(zip(case.checks(), wanted), 1):
            self.counts['checks'] += 1
            try:
                if event[0] == 'allsat':
                    self.enumeration(event, answer, said, number)
                else:
                    claims += self.single(case, event, context, answer, said, number)
            except StopIteration:
                if reply.why != 'timeout':
                    raise Difference(f'no answer to check {number}') from None
                return claims
        for rest in said:
            raise Difference(f'more than was asked for: {text(rest)}')
        return claims

    def single(self, case, event, context, answer, said, number):
        given = next(said)
        if given not in ('sat', 'unsat', 'unknown'):
            raise Difference(f'check {number}: {text(given)}')
        self.counts[given] += 1
        if given == 'unknown':
            for _ in follow_ups(case, event, answer):
                next(said)
            return []
        if answer == 'unknown':
            self.counts['open'] += 1
            return []
        if given != answer:
            raise Difference(f'check {number}: {given}, the oracles say {answer}')
        results = [next(said) for _ in follow_ups(case, event, answer)]
        for result in results:
            if result[:1] == ['error'] or isinstance(result, str):
                raise Difference(f'check {number}: {text(result)}')
        if given == 'sat':
            self.counts['models'] += 1
            script = model_script(case, event, context, *results)
            return [Claim(case, f'the model of check {number}', script, 'sat')]
        return list(self.core_claims(case, event, context, results, number))

    def core_claims(self, case, event, context, results, number):
        """A core is unsatisfiable, and is not without any of its members."""
        assumptions, results = event[1] or [], list(results)
        if case.cores:
            core = results.pop(0)
            self.counts['cores'] += 1
            yield Claim(case, f'the core of check {number}', core_script(case, context, core, assumptions), 'unsat')
            for member in core:
                less = core_script(case, context, [m for m in core if m != member], assumptions)
                yield Claim(case, f'the core of check {number} without {member}', less, 'sat')
        if event[1] is not None:
            failed = results.pop(0)
            script = core_script(case, context, None, failed)
            yield Claim(case, f'the failed assumptions of check {number}', script, 'unsat')
            for at in range(len(failed)):
                less = core_script(case, context, None, failed[:at] + failed[at + 1:])
                yield Claim(case, f'the assumptions of check {number} without number {at + 1}', less, 'sat')

    def enumeration(self, event, possible, said, number):
        """The printed combinations are exactly those that are possible, each once."""
        self.counts['enumerations'] += 1
        found, formulas = [], event[1]
        while isinstance(line := next(said), list):
            if line[:1] == ['error']:
                raise Difference(f'check {number}: {text(line)}')
            found.append(tuple(part == formula for part, formula in zip(line, formulas)))
        if line == 'unknown' or possible == 'unknown':
            self.counts['unknown' if line == 'unknown' else 'open'] += 1
            return
        if len(set(found)) < len(found):
            raise Difference(f'check {number}: a combination twice')
        if set(found) != possible or line != ('sat' if possible else 'unsat'):
            raise Difference(f'check {number}: {line} with {len(found)} combinations, the oracles find {len(possible)}')

    def verify(self, claims):
        """Has all oracles answer all claims. One that none of them understands is wrong, too."""
        scripts = [claim.script for claim in claims]
        replies = {o.name: o.answer(scripts) if scripts else [] for o in self.oracles}
        for i, claim in enumerate(claims):
            given = {name: (answers(r[i]) or ['error'])[0] for name, r in replies.items()}
            wrong = [name for name, answer in given.items() if answer in ('sat', 'unsat') and answer != claim.answer]
            if wrong:
                self.report(claim.case, claim.script, f'{claim.what} is wrong: so say {" ".join(wrong)}')
            elif set(given.values()) == {'error'}:
                said = ' '.join(r[i].output + r[i].messages for r in replies.values())
                self.report(claim.case, claim.script, f'{claim.what} is not understood: {said}')


def answers(reply):
    """The answers of an oracle, in order; one that reports an error has no opinion on the rest."""
    understood = reply.output.split('(error')[0]
    return [line if line != 'timeout' else 'unknown' for line in understood.split('\n')
            if line in ('sat', 'unsat', 'unknown', 'timeout')]
