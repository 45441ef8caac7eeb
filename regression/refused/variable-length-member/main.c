extern void reach_error(void);

unsigned long size(int length)
{
    struct text {
        char characters[length];
    };
    length++;
    return sizeof(struct text);
}

int main(void)
{
    if (size(3) != 4)
        reach_error();
    return 0;
}
