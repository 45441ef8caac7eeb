extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

/* Each process: 0 idle, 1 turn given, 2 waiting, 3 critical. */
int main(void)
{
    int pc0 = 0, pc1 = 0, wants0 = 0, wants1 = 0, turn = 0;
    while (1) {
        if (__VERIFIER_nondet_bool()) {
            switch (pc0) {
            case 0: turn = 1; pc0 = 1; break;
            case 1: wants0 = 1; pc0 = 2; break;
            case 2: if (!wants1 || turn == 0) pc0 = 3; break;
            case 3: wants0 = 0; pc0 = 0; break;
            }
        } else {
            switch (pc1) {
            case 0: wants1 = 1; pc1 = 1; break;
            case 1: turn = 0; pc1 = 2; break;
            case 2: if (!wants0 || turn == 1) pc1 = 3; break;
            case 3: wants1 = 0; pc1 = 0; break;
            }
        }
        if (pc0 == 3 && pc1 == 3)
            reach_error();
    }
}
