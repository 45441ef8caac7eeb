extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int right = 0, tries = 0;
    while (tries < 7) {
        tries++;
        if (__VERIFIER_nondet_int() == tries * 3)
            right++;
        else
            right = 0;
        if (right == 7)
            reach_error();
    }
    return 0;
}
