extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int rounds = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            rounds++;
    if (rounds > 11)
        reach_error();
    return 0;
}
