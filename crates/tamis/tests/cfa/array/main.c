extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int table[100];

int main(void) {
    unsigned i = __VERIFIER_nondet_int();
    if (i < 100) {
        table[i] = i;
        if (table[i / 2] == 7)
            reach_error();
    }
    return 0;
}
