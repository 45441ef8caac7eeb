extern void reach_error(void);

struct pair {
    int first, second;
};

unsigned long size(int length)
{
    typedef struct pair pairs[length];
    length++;
    return sizeof(pairs);
}

int main(void)
{
    if (size(3) != 24)
        reach_error();
    return 0;
}
