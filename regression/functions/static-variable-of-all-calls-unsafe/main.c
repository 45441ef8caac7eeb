extern void reach_error(void);

static int *count(void)
{
    static int calls;
    calls++;
    return &calls;
}

int main(void)
{
    int *first = count();
    int *second = count();
    if (first == second && *first == 2)
        reach_error();
    return 0;
}
