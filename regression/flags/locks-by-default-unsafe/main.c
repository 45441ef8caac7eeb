/* Sixteen locks, each taken and given back when the input says so, with the owner that is noted. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define STEP(lock, owner)                    \
    if (__VERIFIER_nondet_int()) {           \
        if (lock == 0) {                     \
            lock = 1;                        \
            owner = who;                     \
        } else if (owner == who) {          \
            lock = 0;                        \
            owner = 0;                       \
        }                                    \
    }
#define HELD_BY_NOBODY(lock, owner, least) (lock == 1 && owner < least)

int main(void) {
    int lock0 = 0, owner0 = 0;
    int lock1 = 0, owner1 = 0;
    int lock2 = 0, owner2 = 0;
    int lock3 = 0, owner3 = 0;
    int lock4 = 0, owner4 = 0;
    int lock5 = 0, owner5 = 0;
    int lock6 = 0, owner6 = 0;
    int lock7 = 0, owner7 = 0;
    int lock8 = 0, owner8 = 0;
    int lock9 = 0, owner9 = 0;
    int lock10 = 0, owner10 = 0;
    int lock11 = 0, owner11 = 0;
    int lock12 = 0, owner12 = 0;
    int lock13 = 0, owner13 = 0;
    int lock14 = 0, owner14 = 0;
    int lock15 = 0, owner15 = 0;
    while (__VERIFIER_nondet_int()) {
        int who = __VERIFIER_nondet_int();
        if (who <= 0)
            continue;
        STEP(lock0, owner0)
        STEP(lock1, owner1)
        STEP(lock2, owner2)
        STEP(lock3, owner3)
        STEP(lock4, owner4)
        STEP(lock5, owner5)
        STEP(lock6, owner6)
        STEP(lock7, owner7)
        STEP(lock8, owner8)
        STEP(lock9, owner9)
        STEP(lock10, owner10)
        STEP(lock11, owner11)
        STEP(lock12, owner12)
        STEP(lock13, owner13)
        STEP(lock14, owner14)
        STEP(lock15, owner15)
    }
    if (HELD_BY_NOBODY(lock0, owner0, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock1, owner1, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock2, owner2, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock3, owner3, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock4, owner4, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock5, owner5, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock6, owner6, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock7, owner7, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock8, owner8, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock9, owner9, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock10, owner10, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock11, owner11, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock12, owner12, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock13, owner13, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock14, owner14, 1))
        reach_error();
    if (HELD_BY_NOBODY(lock15, owner15, 2))
        reach_error();
    return 0;
}
