extern void reach_error(void);

int main(void)
{
    if (sizeof(strlen("abc")) == 8)
        reach_error();
    return 0;
}
