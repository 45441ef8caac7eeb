extern void reach_error(void);

extern _Noreturn void last(void (*f)(void));
static void check(void)
{
    return;
}

int main(void)
{
    last(check);
    reach_error();
}
