extern void reach_error(void);

union word { int whole; char low; };

int main(void)
{
    union word w;
    w.whole = 1;
    if (w.low != 1)
        reach_error();
    return 0;
}
