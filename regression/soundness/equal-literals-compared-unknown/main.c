extern void reach_error(void);

int main(void)
{
    char *a = "abc", *b = "abc";
    if (a == b)
        reach_error();
    return 0;
}
