"""What the papers' own tables say: facts, to be put beside what is measured here.

MIN: Chaki, Clarke, Groce, Strichman, "Predicate Abstraction with Minimum Predicates", 2003: Fig. 7, 8 and 9.
CTL: Clarke, Grumberg, Talupur, Wang, "High Level Verification of Control Intensive Systems Using Predicate Abstraction",
MEMOCODE 2003: Table 1 and 2.
SUM: Gurfinkel, Chaki, Sapra, "Efficient Predicate Abstraction of Program Summaries", 2011: Fig. 4b.
"""

# MIN Fig. 7, the rows TOTAL and AVERAGE over 26 programs: time (s), iterations, predicates, memory (MB). Predicates of
# BLAST are total/at one point, those of MAGIC expressions/predicates/branches. 3 hours, AMD Athlon XP 1600, 900 MB.
MIN_7_AVERAGE = {
    'blast': (3146, 17, '45/9', 171),
    'magic': (1804, 12, '55/7/22', 235),
    'magic-greedy': (6276, 68, '15/4/5', 104),
    'magic-minimize': (207, 14, '7/4/3', 42),
}
# MIN Fig. 7, programs that were stopped after 3 hours.
MIN_7_STOPPED = {'blast': 4, 'magic': 0, 'magic-greedy': 13, 'magic-minimize': 0}
MIN_7_PROGRAMS = 26

# MIN Fig. 8: MAXELM with MAXSUB = 250; per program: time, iterations, branches, memory, TG, MG.
MIN_8 = {
    'ssl-srvr-4': {50: (656, 8, 2, 64, 34, 1), 100: (656, 8, 2, 64, 34, 1), 150: (657, 8, 2, 64, 34, 1),
                   200: (656, 8, 2, 64, 34, 1), 250: (656, 8, 2, 64, 34, 1)},
    'ssl-srvr-15': {50: (1170, 15, 3, 72, 86, 1), 100: (1169, 15, 3, 72, 86, 1), 150: (1169, 15, 3, 72, 86, 1),
                    200: (1170, 15, 3, 72, 86, 1), 250: (1168, 15, 3, 72, 86, 1)},
    'ssl-clnt-1': {50: (1089, 13, 2, 67, 66, 1), 100: (1089, 13, 2, 67, 66, 1), 150: (1090, 13, 2, 67, 66, 1),
                   200: (1089, 13, 2, 67, 66, 1), 250: (1090, 13, 2, 67, 66, 1)},
}

# MIN Fig. 9: MAXSUB, with MAXELM the same; per program: time, iterations, branches, memory, TG, MT, MG.
MIN_9 = {
    'ssl-srvr-4': {100: (262, 8, 2, 44, 34, 2, 1), 200: (474, 7, 2, 57, 27, 2, 1), 400: (1039, 9, 2, 71, 38, 2, 1),
                   800: (2182, 7, 2, 165, 25, 2, 1), 1600: (6718, 9, 2, 410, 35, 3, 1),
                   3200: (13656, 9, 2, 461, 40, 3, 1), 6400: (26203, 9, 2, 947, 31, 3, 1)},
    'ssl-srvr-15': {100: (396, 12, 3, 50, 62, 2, 1), 200: (917, 14, 3, 65, 81, 2, 1), 400: (1110, 8, 3, 76, 45, 2, 1),
                    800: (2797, 9, 3, 148, 51, 2, 1), 1600: (10361, 11, 3, 410, 76, 3, 1),
                    3200: (14780, 9, 3, 436, 50, 3, 1), 6400: (33781, 10, 3, 792, 51, 3, 1)},
    'ssl-clnt-1': {100: (310, 11, 2, 40, 58, 2, 1), 200: (683, 12, 2, 51, 63, 2, 1), 400: (2731, 13, 2, 208, 67, 3, 1),
                   800: (5843, 14, 2, 296, 75, 3, 1), 1600: (13169, 12, 2, 633, 61, 3, 1),
                   3200: (36155, 12, 2, 1155, 67, 4, 1), 6400: ('> 57528', 4, 1, 2110, 22, 4, 1)},
}

# SUM Fig. 4b: LBE (times with LDD, AllSAT and MIN, iterations, predicates, cutpoints) and SBE (time, iterations, predicates,
# blocks); None: it did not end.
SUM_4B = {
    'floppy.ok': ((0.18, 0.16, 0.16, 1, 0, 3), (0.44, 4, 6, 83)),
    'tst_lck_50': ((0.5, 0.48, 0.5, 1, 0, 3), (None, None, None, 255)),
    'diamond-4': ((2.0, None, 1.7, 4, 42, 4), (None, None, None, 24)),
    'ssl-srv-D': ((98.96, 6.26, 5.65, 9, 60, 4), (None, None, None, 155)),
}

# CTL Table 1 and 2: registers, gates and the length of the counterexample; time (s), iterations and predicates without and
# with the paper's techniques. 24 hours; '>' means that it did not end. IU is the integer unit of picoJava, PFIR a filter that
# was never published.
CTL_2 = {
    'IUscr1': ((4855, 149143, 'true'), (2000, 11, 7), (1265, 7, 18)),
    'IUscr3': ((4855, 149143, 'true'), (2003, 10, 6), (1974, 16, 7)),
    'IUscr6': ((4855, 149143, 'true'), (9976, 27, 12), (3498, 20, 11)),
    'PFIRscr1': ((243, 2295, 16), (746, 109, 44), (386, 67, 34)),
    'PFIRprop5': ((250, 2342, 17), (1616, 110, 43), (756, 101, 44)),
    'PFIRprop8': ((244, 2304, 'true'), ('> 24 h', '> 276', '> 80'), (159, 40, 25)),
    'PFIRprop9': ((244, 2304, 'true'), ('> 24 h', '> 189', '> 47'), (202, 43, 27)),
    'PFIRprop10': ((244, 2304, 'true'), (6808, 170, 52), (178, 50, 25)),
    'PFIRprop12': ((247, 2317, 'true'), ('> 24 h', '> 223', '> 52'), (591, 80, 38)),
}
