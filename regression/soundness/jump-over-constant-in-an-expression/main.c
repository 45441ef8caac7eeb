extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int value = ({
        if (n == 3)
            goto end;
        int k = 5;
end:
        k;
    });
    if (value != 5)
        reach_error();
    return 0;
}
