extern int isdigit(int);
extern void reach_error(void);

int main(void)
{
    if (isdigit('3') == 1)
        reach_error();
    return 0;
}
