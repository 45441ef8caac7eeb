extern void reach_error(void);

struct flags { unsigned int ready : 1; } flags;

int main(void)
{
    flags.ready = 2;
    if (flags.ready)
        reach_error();
    return 0;
}
