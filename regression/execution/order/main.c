extern void reach_error(void);

static int count;

static int next(void) {
    return ++count;
}

static int difference(int a, int b) {
    return a - b;
}

// gcc evaluates the arguments from right to left, others do not.
int main(void) {
    if (difference(next(), next()) == 1)
        reach_error();
    return 0;
}
