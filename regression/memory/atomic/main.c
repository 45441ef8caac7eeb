extern void reach_error(void);

int main(void)
{
    int x = 1;
    __sync_fetch_and_add(&x, 1);
    if (x != 2)
        reach_error();
    return 0;
}
