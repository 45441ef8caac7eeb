"""From cases to scripts: for Tamis with all its commands, for the oracles with the plainest."""
import re
from .cases import combinations, plain, portable
from .sexpr import replace, text


def question(case):
    """The script that asks an oracle all that Tamis is asked; an assumption is asserted and taken back."""
    lines = [f'(set-logic {case.logic_name})']
    for event in case.events:
        kind = event[0]
        if kind in ('sort', 'declare', 'define'):
            lines.append(text(portable(event[-1])))
        elif kind == 'assert':
            lines.append(f'(assert {text(portable(event[1]))})')
        elif kind in ('push', 'pop'):
            lines.append(f'({kind} 1)')
        elif kind == 'check':
            lines += once([text(portable(a)) for a in event[1] or []])
        else:
            for _, conjunction in combinations(event[1]):
                lines += once([text(portable(conjunction))])
    return lines


def operators(script):
    """The words that stand first in parentheses, or after `(_`."""
    return {word for line in script for word in re.findall(r'\((?:_ )?([^\s()]+)', line)}


def once(assertions):
    """A check under assertions that go again."""
    return ['(push 1)'] + [f'(assert {a})' for a in assertions] + ['(check-sat)', '(pop 1)']


def for_tamis(case, expected):
    """The script for Tamis. It asks for models where a check is expected to be sat, and for cores where unsat."""
    lines = [f'(set-option :produce-unsat-cores {str(case.cores).lower()})', '(set-option :check-models true)']
    lines.append(f'(set-logic {case.logic_name})')
    answers = iter(expected)
    for event in case.events:
        kind = event[0]
        if kind in ('sort', 'declare', 'define'):
            lines.append(text(event[-1]))
        elif kind == 'assert':
            lines.append(f'(assert {text(event[1])})')
        elif kind in ('push', 'pop'):
            lines.append(f'({kind} 1)')
        elif kind == 'allsat':
            lines.append(f'(check-allsat {text(event[1])})')
            next(answers)
        else:
            lines.append('(check-sat)' if event[1] is None else f'(check-sat-assuming {text(event[1])})')
            lines += [text(command) for command in follow_ups(case, event, next(answers))]
    return lines


def follow_ups(case, event, answer):
    """What is asked after a check."""
    if answer == 'sat':
        return [['get-model'], ['get-value', event[2]], ['get-assignment']]
    if answer == 'unsat':
        return [['get-unsat-core']] * case.cores + [['get-unsat-assumptions']] * (event[1] is not None)
    return []


class Elements:
    """Elements of declared sorts in a model, `(as @1 U)`, which become constants that differ from one another."""

    def __init__(self):
        self.found = {}

    def named(self, term):
        def name(part):
            if isinstance(part, list) and len(part) == 3 and part[0] == 'as' and part[1].startswith('@'):
                constant = f'{part[2]}!{part[1][1:]}'
                self.found.setdefault(part[2], set()).add(constant)
                return constant
            return part
        return replace(term, name)

    def declarations(self):
        lines = []
        for sort, constants in sorted(self.found.items()):
            constants = sorted(constants)
            lines += [f'(declare-const {constant} {sort})' for constant in constants]
            if len(constants) > 1:
                lines.append(f'(assert (distinct {" ".join(constants)}))')
        return lines


def model_script(case, event, context, model, values, assignment):
    """Says of a model, of the values of terms and of named formulas in it that they are right; to be sat."""
    elements = Elements()
    definitions = {d[1]: text(elements.named(d)) for d in model}
    pairs = [(term, elements.named(value[1])) for term, value in zip(event[2], values)]
    sorts = [e for e in context if e[0] == 'sort']
    lines = [f'(set-logic {case.logic_name})'] + [text(portable(e[-1])) for e in sorts] + elements.declarations()
    for e in context:
        if e[0] == 'declare':
            lines.append(definitions[e[1]])
        elif e[0] == 'define':
            lines.append(text(portable(e[-1])))
        elif e[0] == 'assert':
            lines += names_of(e) + [f'(assert {text(plain(e[1]))})']
    lines += [f'(assert {text(portable(a))})' for a in event[1] or []]
    lines += [f'(assert (= {text(portable(term))} {text(value)}))' for term, value in pairs]
    lines += [f'(assert (= {name} {value}))' for name, value in assignment]
    return lines + ['(check-sat)']


def names_of(assertion):
    return [f'(define-fun {name} () Bool {text(plain(part))})' for name, part in assertion[3]]


def core_script(case, context, core, assumptions):
    """Unnamed assertions, those named in `core`, and assumptions; to be unsat if it is a core."""
    lines = [f'(set-logic {case.logic_name})']
    for e in context:
        if e[0] == 'assert':
            lines += names_of(e)
            if core is None or e[2] is None or e[2] in core:
                lines.append(f'(assert {text(plain(e[1]))})')
        else:
            lines.append(text(portable(e[-1])))
    return lines + [f'(assert {text(portable(a))})' for a in assumptions] + ['(check-sat)']
