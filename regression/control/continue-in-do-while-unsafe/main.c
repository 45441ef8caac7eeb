extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    do {
        n++;
        if (n < 5)
            continue;
        if (n == 5)
            reach_error();
    } while (n < 5);
    return 0;
}
