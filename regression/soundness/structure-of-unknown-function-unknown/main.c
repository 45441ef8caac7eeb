extern void reach_error(void);

struct pair { int a, b; };
extern struct pair (*measure)(void);

int main(void)
{
    struct pair p = { 1, 2 };
    p = measure();
    if (p.a != 1)
        reach_error();
    return 0;
}
