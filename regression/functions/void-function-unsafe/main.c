extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

unsigned int level;

void raise(void)
{
    if (level < 4)
        level++;
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        raise();
    if (level > 3)
        reach_error();
    return 0;
}
