extern void reach_error(void);
extern void elsewhere(int);

static int own = 1;

int main(void)
{
    int local = 2;
    elsewhere(3);
    if (own + local != 3)
        reach_error();
    return 0;
}
