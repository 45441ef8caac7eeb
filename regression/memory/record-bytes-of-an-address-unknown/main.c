extern void reach_error(void);

struct box { char *text; long size; };
static char c;

int main(void)
{
    struct box b = {&c, 1};
    int zeros = 0;
    for (unsigned i = 0; i < sizeof b.text; i++)
        /* The highest two are 0 in every process. */
        if (((const unsigned char *)&b)[i] == 0)
            zeros++;
    if (zeros == 0)
        reach_error();
    return 0;
}
