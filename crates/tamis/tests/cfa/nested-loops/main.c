extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    for (int i = 0; i < 3; i++) {
        int j = 0;
        do {
            x++;
            if (__VERIFIER_nondet_int())
                break;
            if (x == 2)
                continue;
            j++;
        } while (j < i);
    }
    if (x > 9)
        reach_error();
    return 0;
}
