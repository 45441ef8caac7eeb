extern void reach_error(void);

static int run(const unsigned char *code)
{
    static void *const operations[] = {&&increment, &&twice, &&halt};
    int accumulator = 1;
    goto *operations[*code++];
increment:
    accumulator++;
    goto *operations[*code++];
twice:
    accumulator *= 2;
    goto *operations[*code++];
halt:
    return accumulator;
}

int main(void)
{
    static const unsigned char program[] = {0, 1, 1, 0, 2};
    if (run(program) == 9)
        reach_error();
    return 0;
}
