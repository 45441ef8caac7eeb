extern void reach_error(void);

extern int (*hook)(void);

int main(void)
{
    hook();
    reach_error();
    return 0;
}
