"""What each logic is made of."""

BV_TO_BV = ('bvadd bvsub bvmul bvand bvor bvxor bvnand bvnor bvxnor bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr '
            'bvashr bvneg bvnot').split()
BV_RELATIONS = 'bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge'.split()
BV_OVERFLOWS = 'bvnego bvuaddo bvsaddo bvumulo bvsmulo bvusubo bvssubo bvsdivo'.split()
BV_SHAPES = 'concat extract repeat zero_extend sign_extend rotate_left rotate_right bvcomp'.split()
NUMBER_RELATIONS = '< <= > >='.split()

CORE = 'not and or xor => = distinct ite'.split()
BITS = BV_TO_BV + BV_RELATIONS + BV_OVERFLOWS + BV_SHAPES
ARRAYS = ['select', 'store']
INTEGERS = NUMBER_RELATIONS + '+ - * div mod abs divisible'.split()
REALS = NUMBER_RELATIONS + '+ - * /'.split()


class Logic:
    """A logic: the sort of its first-order terms, its theories beside that, its operators, and who else decides it.

    Bitwuzla has no numbers, and its version 0.9.1 ends with an uncaught exception on many terms of declared sorts.
    """

    def __init__(self, base, operators, arrays=False, functions=False, difference=False, bitwuzla=False):
        self.base, self.arrays, self.functions, self.difference = base, arrays, functions, difference
        self.operators = CORE + operators + (ARRAYS if arrays else [])
        self.oracles = ['z3', 'cvc5'] + (['bitwuzla'] if bitwuzla else [])


LOGICS = {
    'QF_BV': Logic('BitVec', BITS, bitwuzla=True),
    'QF_ABV': Logic('BitVec', BITS, arrays=True, bitwuzla=True),
    'QF_AUFBV': Logic('BitVec', BITS, arrays=True, functions=True, bitwuzla=True),
    'QF_UF': Logic('U', [], functions=True),
    'QF_UFBV': Logic('BitVec', BITS, functions=True, bitwuzla=True),
    'QF_IDL': Logic('Int', NUMBER_RELATIONS + ['-'], difference=True),
    'QF_RDL': Logic('Real', NUMBER_RELATIONS + ['-', '+', '/'], difference=True),
    'QF_LIA': Logic('Int', INTEGERS),
    'QF_LRA': Logic('Real', REALS),
    'QF_UFLIA': Logic('Int', INTEGERS, functions=True),
    'QF_AUFLIA': Logic('Int', INTEGERS, arrays=True, functions=True),
    'QF_AX': Logic('U', [], arrays=True),
}
