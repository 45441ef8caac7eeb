"""The figures of the papers' tables.

[SMT]: Lahiri, Nieuwenhuis, Oliveras: SMT Techniques for Fast Predicate Abstraction, CAV 2006, sections 4.2 to 4.4, on a
2 GHz Pentium 4. [SUM]: Gurfinkel, Chaki, Sapra: Efficient Predicate Abstraction of Program Summaries, NFM 2011, Fig. 4a, on
a 3.4 GHz Pentium D.
"""

# [SMT] 4.2 and 4.3: queries, predicates, minterms, cubes; seconds of UCLID and of the paper's tool in four settings: its
# best, black-box, naive, without theory propagation.
FAMILIES = {
    'aodv': (7, 21, 2916, 458, 657, 4.6, 24, 11, 11),
    'bakery': (19, 32, 426, 294, 245, 11, 19, 13, 14),
    'BRP': (10, 22, 30, 24, 3.5, 0.1, 0.12, 0.13, 0.2),
    'cache_ibm': (10, 16, 326, 123, 34, 1.3, 2.3, 2, 2.5),
    'cache_bounded': (18, 26, 2238, 1022, 1119, 23, 63, 31, 32),
    'DLX': (6, 23, 38080, 2704, 335, 13, 242, 63, 15),
    'OOO': (10, 25, 10728, 242, 921, 36, 176, 57, 615),
    'reverse_acyclic': (7, 16, 91, 44, 20, 0.6, 0.7, 0.7, 1),
    'set_union': (6, 24, 334, 60, 22, 0.7, 1, 0.8, 1),
    'simple_cyclic': (5, 15, 110, 20, 3.7, 0.11, 0.16, 0.13, 0.2),
    'sorted_int': (10, 21, 2465, 250, 765, 19, 38, 24, 154),
}

# [SMT] 4.4: seconds for the exact answer, and for all approximations with steps of 1, 2 and 5, incremental and not.
STEPS = {
    'aodv': (4.6, 15, 47, 10, 24, 7.2, 13), 'bakery': (11, 28, 159, 21, 86, 16, 40),
    'BRP': (0.1, 1.1, 1.7, 0.6, 1, 0.3, 0.5), 'cache_ibm': (1.3, 3, 8.6, 2.2, 5.1, 1.7, 2.8),
    'cache_bounded': (23, 71, 333, 51, 185, 40, 88), 'DLX': (13, 37, 84, 26, 42, 18, 21),
    'OOO': (36, 67, 368, 50, 193, 43, 102), 'reverse_acyclic': (0.6, 1.1, 2.4, 0.9, 1.5, 0.7, 1),
    'set_union': (0.7, 1.7, 4.8, 1.2, 2.7, 0.9, 1.6), 'simple_cyclic': (0.11, 0.4, 0.7, 0.3, 0.4, 0.2, 0.3),
    'sorted_int': (19, 25, 113, 20, 63, 19, 36),
}

# [SUM] Fig. 4a, 1061 queries, 60 s and 512 MB each: total minutes (60 s for a failure), failures, seconds per solved query.
# The paper's text has the figures for LDD2 and MIN that its table leaves out.
SUMMARIES = {'MSAT': (610.00, 429, 17.12), 'LDD': (83.54, 35, 2.84), 'LDD2': (83.98, 64, 1.19), 'MIN': (28.40, 6, 1.27)}
