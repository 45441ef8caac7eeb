extern void reach_error(void);

int main(void)
{
    if (0.5)
        reach_error();
    return 0;
}
