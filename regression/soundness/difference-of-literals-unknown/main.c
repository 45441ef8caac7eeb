extern void reach_error(void);

int main(void)
{
    const char *first = "same", *second = "same";
    if (&first[2] - second == 2)
        reach_error();
    return 0;
}
