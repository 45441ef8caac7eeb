extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (i == 1 && j == 1)
                goto done;
done:
    if (i != 1)
        reach_error();
    return 0;
}
