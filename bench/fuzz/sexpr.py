"""S-expressions: strings and lists of them."""
import re

TOKEN = re.compile(r'\s+|;[^\n]*|(\(|\)|"(?:[^"]|"")*"|\|[^|]*\||[^\s()";|]+)')


def text(expression):
    """The expression as SMT-LIB has it."""
    if isinstance(expression, str):
        return expression
    return '(' + ' '.join(text(part) for part in expression) + ')'


def read(source):
    """All complete expressions at the start of a text; what follows an incomplete one is left out."""
    stack, at = [[]], 0
    while at < len(source):
        match = TOKEN.match(source, at)
        if not match:
            break
        at, token = match.end(), match.group(1)
        if token == '(':
            stack.append([])
        elif token == ')':
            if len(stack) == 1:
                break
            done = stack.pop()
            stack[-1].append(done)
        elif token:
            stack[-1].append(token)
    return stack[0]


def replace(expression, change):
    """The expression with `change` applied bottom-up to it and all its parts."""
    if isinstance(expression, list):
        expression = [replace(part, change) for part in expression]
    return change(expression)
