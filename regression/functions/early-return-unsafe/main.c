extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int find(int limit)
{
    for (int i = 0; i < limit; i++)
        if (__VERIFIER_nondet_int() == 7)
            break;
    return -1;
}

int main(void)
{
    int found = find(1);
    if (found == -1 && __VERIFIER_nondet_int() == 7)
        return 0;
    if (found == -1)
        reach_error();
    return 0;
}
