extern void reach_error(void);
extern long strtol(const char *, char **, int);

int main(void)
{
    char text[8] = "12x";
    char *end;
    strtol(text, &end, 10);
    text[2] = 'x';
    *end = 'Y';
    if (text[2] == 'Y')
        reach_error();
    return 0;
}
