extern void reach_error(void);

struct pair {
    int first, second;
};

int made;

int next(void)
{
    return ++made;
}

int main(void)
{
    (struct pair){next(), 2};
    (int[]){next()}[0];
    (void)&(struct pair){.second = next()};
    if (made == 3)
        reach_error();
    return 0;
}
