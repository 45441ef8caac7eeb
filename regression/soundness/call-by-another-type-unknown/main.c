extern void reach_error(void);

static int last;
static int note(int a, int b) { last = a; return b; }

int main(void)
{
    ((void (*)(int))note)(9);
    if (last == 9)
        reach_error();
    return 0;
}
