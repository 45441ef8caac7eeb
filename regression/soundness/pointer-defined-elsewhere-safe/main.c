extern void reach_error(void);

extern int *cursor;
static int value;

int main(void)
{
    value = 0;
    *cursor = 9;
    if (value == 9)
        reach_error();
    return 0;
}
