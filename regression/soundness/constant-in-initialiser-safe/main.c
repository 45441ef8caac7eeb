extern void reach_error(void);

static const int a = 3;
int b = a;

int main(void)
{
    if (b != 3)
        reach_error();
    return 0;
}
