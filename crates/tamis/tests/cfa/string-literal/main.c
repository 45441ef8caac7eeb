extern void reach_error(void);

int main(void)
{
    const char *text = "ab";
    if (text[1] != 'b')
        reach_error();
    return 0;
}
