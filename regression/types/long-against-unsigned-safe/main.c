extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long minus_one = -1;
    unsigned int one = 1;
    if (minus_one > one)
        reach_error();
    return 0;
}
