"""The types of operators on every pair of types."""
from .judge import Question

BASIC = ['_Bool', 'char', 'signed char', 'unsigned char', 'short', 'unsigned short', 'int', 'unsigned', 'long',
         'unsigned long', 'long long', 'unsigned long long']
WIDE = ['__int128', 'unsigned __int128']
FLOATS = ['float', 'double', 'long double']
ENUMS = '''enum natural { N0, N1 }; enum integer { I0 = -1, I1 };
enum large { L0 = 0x100000000LL }; enum largest { M0 = 0x8000000000000000ULL }; enum negative { G0 = -0x100000000LL };
enum __attribute__((packed)) tiny { T0, T1 }; enum __attribute__((packed)) small { S0 = -300 };
'''
ENUM_TYPES = ['enum natural', 'enum integer', 'enum large', 'enum largest', 'enum negative', 'enum tiny', 'enum small']

def integers(word):
    return BASIC + (WIDE if word == 64 else [])

def kind(expression, word):
    """A number for the type of an expression."""
    arms = ', '.join(f'{ty}: {i}' for i, ty in enumerate(integers(word) + FLOATS))
    return f'_Generic(({expression}), {arms}, default: 99)'

def facts(expression, word):
    """The type, the size and the alignment of a value, which is not evaluated."""
    return [kind(expression, word), f'sizeof({expression})']

def named(word):
    """A variable of each type."""
    return {ty: 'v_' + ty.replace(' ', '_') for ty in integers(word) + FLOATS + ENUM_TYPES}

def prelude(word):
    return ENUMS + '\n'.join(f'static {ty} {name};' for ty, name in named(word).items())

def questions(word):
    names = named(word)
    types = list(names)
    yield Question('', [e for ty in types for e in (f'sizeof({ty})', f'_Alignof({ty})')])
    for a in types:
        x = names[a]
        whole = a not in FLOATS
        unary = [f'+{x}', f'-{x}', f'!{x}', f'{x}++', f'--{x}', f'({x}, {x})', f'{x} = 1', f'{x} += 1', f'{x} ? {x} : {x}', x]
        unary += [f'~{x}', f'{x} << 1', f'1 << {x}', f'{x} >> {x}', f'{x} <<= 1'] if whole else []
        yield Question('', [fact for e in unary for fact in facts(e, word)])
        yield Question('', [f'(__typeof__({x}))-1 < 0', f'(__typeof__(+{x}))-1 < 0', f'({a})-1 < ({a})0', f'(({a})-1) / 2',
                            f'__builtin_classify_type({x})', f'__builtin_types_compatible_p({a}, unsigned)',
                            f'__builtin_types_compatible_p({a}, int)', f'__builtin_types_compatible_p({a}, __typeof__(+{x}))'])
        for b in types:
            y = names[b]
            binary = [f'{x} + {y}', f'{x} * {y}', f'{x} < {y}', f'{x} == {y}', f'1 ? {x} : {y}', f'{x} ?: {y}', f'{x}, {y}',
                      f'{x} = {y}', f'{x} -= {y}', f'{x} && {y}']
            if whole and b not in FLOATS:
                binary += [f'{x} % {y}', f'{x} << {y}', f'{x} >> {y}', f'{x} & {y}', f'{x} ^= {y}']
            yield Question('', [fact for e in binary for fact in facts(e, word)])
            if whole and b not in FLOATS:
                # Values show whether the common type has a sign.
                yield Question('', [f'({a})-1 < ({b})1', f'({a})-1 > ({b})0', f'({a})-1 / (({b})2 | 2)', f'(({a})-1 + ({b})-1) >> 3'])
