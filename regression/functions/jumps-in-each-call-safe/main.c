extern void reach_error(void);

static int classify(int x)
{
    int steps = 0;
again:
    switch (x) {
    case 0:
        goto out;
    case 1 ... 3:
        x--;
        break;
    default:
        x = 3;
    }
    steps++;
    goto again;
out:
    return steps;
}

int main(void)
{
    if (classify(2) != 2 || classify(9) != 4)
        reach_error();
    return 0;
}
