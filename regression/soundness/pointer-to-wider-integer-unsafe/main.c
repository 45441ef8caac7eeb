extern void reach_error(void);

int main(void)
{
    char *p = (char *)-1;
    unsigned long long n = (unsigned long long)p;
    if (n == 0xffffffffffffffffULL)
        reach_error();
    return 0;
}
