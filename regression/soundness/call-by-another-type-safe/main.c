extern void reach_error(void);

static int one(int a) { return a; }
static int two(int a, int b) { return a + b; }

int main(void)
{
    void *functions[2] = { (void *)one, (void *)two };
    int a = ((int (*)(int))functions[0])(1), b = ((int (*)(int, int))functions[1])(1, 2);
    if (a != 1 || b != 3)
        reach_error();
    return 0;
}
