extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < i)
            j++;
        if (j > i)
            reach_error();
    }
    return 0;
}
