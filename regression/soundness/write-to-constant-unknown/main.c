extern void reach_error(void);
const int fixed = 1;
int main(void)
{
    int *p = (int *)&fixed;
    *p = 42;
    reach_error();
    return 0;
}
