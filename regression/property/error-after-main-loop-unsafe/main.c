extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        return 1;
    if (x <= 0)
        goto error;
    return 0;
error:
    reach_error();
    return 2;
}
