extern void reach_error(void);

int main(void)
{
    if ("abc"[1] != 'b')
        reach_error();
    return 0;
}
