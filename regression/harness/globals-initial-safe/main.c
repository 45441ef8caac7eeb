static int level = 3;

void step(void)
{
    __CPROVER_assert(level == 3, "the initial value");
}
