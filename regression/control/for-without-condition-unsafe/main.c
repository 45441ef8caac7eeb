extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = 0;
    for (;;) {
        i++;
        if (i == 4)
            break;
        if (i == 4)
            i = 1;
    }
    reach_error();
    return 0;
}
