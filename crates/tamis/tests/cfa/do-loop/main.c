extern void reach_error(void);

int main(void)
{
    int i = 0;
    do {
        if (i == 2)
            continue;
        if (i == 5)
            break;
    } while (++i < 10);
    if (i != 5)
        reach_error();
    return 0;
}
