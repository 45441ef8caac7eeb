extern void reach_error(void);

int table[4] = { 1, 2, 3, 4 };

int main(void)
{
    if (table[2] != 3)
        reach_error();
    return 0;
}
