extern void reach_error(void);

char *text = "x";

int main(void)
{
    if (!text)
        reach_error();
    return 0;
}
