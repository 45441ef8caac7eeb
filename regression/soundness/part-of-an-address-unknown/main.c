extern void reach_error(void);

int main(void)
{
    char *text = "text";
    char low = (char)(unsigned long)"text";
    if (text && low == 0)
        reach_error();
    return 0;
}
