extern void reach_error(void);

int main(void)
{
    char *a = "a", *b = "b";
    if (a == b)
        reach_error();
    return 0;
}
