extern void reach_error(void);
char buffer[8];

int main(void)
{
    char *p = memset(buffer, 1, 8);
    if (p == buffer && buffer[7] == 1)
        reach_error();
    return 0;
}
