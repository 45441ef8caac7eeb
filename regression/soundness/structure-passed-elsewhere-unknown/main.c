extern void reach_error(void);

struct slice { int length; int *start; };
extern void fill(struct slice);

int main(void)
{
    int x = 1;
    struct slice s = { 1, &x };
    fill(s);
    if (x == 9)
        reach_error();
    return 0;
}
