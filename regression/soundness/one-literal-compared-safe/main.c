extern void reach_error(void);

int main(void)
{
    char *a = "abc", *b = a;
    if (a != b)
        reach_error();
    return 0;
}
