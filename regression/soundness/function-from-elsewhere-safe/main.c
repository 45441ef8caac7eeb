extern void reach_error(void);

extern int (*hook)(void);
static int mine = 1;

int main(void)
{
    hook();
    if (mine != 1)
        reach_error();
    return 0;
}
