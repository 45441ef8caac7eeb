"""Random structs and unions: sizes, alignments, offsets, and the bits of each member."""
import random
from .arithmetic import ENUMS
from .bit_fields import declared
from .judge import Question

SCALARS = ['char', 'short', 'int', 'long', 'long long', 'float', 'double', 'long double', 'void *', '_Bool', 'enum tiny', 'enum natural', 'unsigned char',
           'under', 'over', 'below', '_Alignas(8) short', '_Alignas(double) char']
TWICE = '_Alignas(1) _Alignas(32) int'

class Maker:
    def __init__(self, rng, word):
        self.rng, self.word, self.made = rng, word, 0

    def attribute(self, chance):
        if self.rng.random() >= chance:
            return ''
        return self.rng.choice([' __attribute__((packed))', ' __attribute__((aligned(2)))', ' __attribute__((aligned(8)))',
                                ' __attribute__((aligned))', ' __attribute__((packed, aligned(4)))', ' __attribute__((aligned(16)))'])

    def body(self, depth, prefix, flexible):
        """The members: their text, and paths to those that are plain and those that are bit-fields."""
        text, plain, bits = '', [], []
        count = self.rng.randint(1, 7)
        for i in range(count):
            name = f'm{self.made}'
            self.made += 1
            kind = self.rng.random()
            if kind < 0.4:
                ty, width = self.rng.choice(declared(self.word))
                if self.rng.random() < 0.2:
                    text += f'{ty} : {self.rng.choice([0, self.rng.randint(1, width)])}; '
                    continue
                attribute = self.attribute(0.06)
                text += f'{ty} {name} : {self.rng.randint(1, width)}{attribute}; '
                bits.append(prefix + name)
            elif kind < 0.7 or depth == 0:
                ty = TWICE if self.rng.random() < 0.01 else self.rng.choice(SCALARS)
                text += f'{ty} {name}{self.attribute(0.12)}; '
                plain.append(prefix + name)
            elif kind < 0.8:
                text += f'{self.rng.choice(SCALARS)} {name}[{self.rng.randint(0, 3)}]{self.attribute(0.1)}; '
                plain.append(prefix + name)
            else:
                anonymous = self.rng.random() < 0.4
                inner, p, b = self.body(depth - 1, prefix if anonymous else f'{prefix}{name}.', False)
                keyword = self.rng.choice(['struct', 'struct', 'union'])
                text += f'{keyword} {{ {inner}}}{self.attribute(0.15)}{"" if anonymous else " " + name}{self.attribute(0.08)}; '
                plain += p if anonymous else p + [prefix + name]
                bits += b
        if flexible and self.rng.random() < 0.1 and text:
            text += f'{self.rng.choice(SCALARS)} flexible[]; '
            plain.append(prefix + 'flexible')
        return text, plain, bits

def prelude(word):
    return (ENUMS + 'typedef enum { A0, A1 } name; typedef unsigned long long number;\n'
                   'typedef int under __attribute__((aligned(1))); typedef int over __attribute__((aligned(16)));\n'
                   'typedef struct { char c; long n; } __attribute__((aligned(2))) below __attribute__((aligned(4)));\n'
                   'static long long sum(const void *p, __SIZE_TYPE__ n) { const unsigned char *c = p; unsigned long long h = 7; '
                   'for (__SIZE_TYPE__ i = 0; i < n; i++) h = h * 31 + c[i] + 1; return h; }\n'
                   'static void clear(void *p, __SIZE_TYPE__ n) { unsigned char *c = p; for (__SIZE_TYPE__ i = 0; i < n; i++) c[i] = 0; }')

def questions(word, seed, count):
    rng = random.Random(seed * 77 + word)
    for number in range(count):
        maker = Maker(rng, word)
        keyword = rng.choice(['struct', 'struct', 'struct', 'union'])
        text, plain, bits = maker.body(2, '', keyword == 'struct')
        pack = rng.choice([1, 2, 4, 8, 16]) if rng.random() < 0.15 else None
        before, after = (f'#pragma pack(push, {pack})\n', '\n#pragma pack(pop)') if pack else ('', '')
        tag = f'{keyword} s{number}'
        declaration = f'{before}{tag} {{ {text}}}{maker.attribute(0.25)};{after}\nstatic {tag} g{number}; static {tag} h{number}[2];'
        asked = [f'sizeof({tag})', f'_Alignof({tag})', f'sizeof(h{number})', f'(char *)&h{number}[1] - (char *)h{number}']
        for path in plain:
            asked.append(f'__builtin_offsetof({tag}, {path})')
        for path in bits:
            f = f'g{number}.{path}'
            for value in ('-1', '1'):
                asked += [f'(clear(&g{number}, sizeof g{number}), {f} = {value}, sum(&g{number}, sizeof g{number}))', f, f'{f} - 1 < 0', f'{f} + 1']
        yield Question(declaration, asked)
