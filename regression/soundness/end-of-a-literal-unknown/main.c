extern void reach_error(void);

int main(void)
{
    char *a = "abc", *b = "bc";
    if (a + 1 == b)
        reach_error();
    return 0;
}
