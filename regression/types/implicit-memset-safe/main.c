extern void reach_error(void);
char buffer[8];

int main(void)
{
    char *p = memset(buffer, 0, 8);
    if (p != buffer)
        reach_error();
    return 0;
}
