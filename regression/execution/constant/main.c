extern void reach_error(void);

static const int five = 5;
static long double half = 0.5L;

// Compilers know what a constant is, and the machine traps at the write.
int main(void) {
    *(int *)&five = (int)(half * 12);
    if (five == 5)
        reach_error();
    return 0;
}
