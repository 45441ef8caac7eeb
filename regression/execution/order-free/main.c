extern void reach_error(void);

static long double counts[2];

static long double next(int i) {
    return ++counts[i];
}

// The operands write, but not to the same place.
int main(void) {
    if (next(0) + next(1) * 2 != 3 || next(1) + next(0) != 4)
        reach_error();
    return 0;
}
