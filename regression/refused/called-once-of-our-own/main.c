extern void reach_error(void);

static int made, flag;

void make(void)
{
    made++;
}

void call_once(int *flag, void (*function)(void))
{
    if (!*flag)
        function();
    *flag = 1;
}

int main(void)
{
    call_once(&flag, make);
    call_once(&flag, make);
    if (made != 1)
        reach_error();
    return 0;
}
