extern void reach_error(void);

enum { A = 1 };

int main(void)
{
    if (sizeof(enum { A = 5 }) != 4)
        return 0;
    if (A != 1)
        reach_error();
    return 0;
}
