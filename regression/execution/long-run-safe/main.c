extern void reach_error(void);

static unsigned mix(unsigned x)
{
    return x * 1664525u + 1013904223u;
}

int main(void)
{
    unsigned x = 1, odd = 0, round;
    for (round = 0; round < 1000000u; round++) {
        x = mix(x);
        if (x >> 16 & 1)
            odd++;
    }
    if (odd == 500098u)
        reach_error();
    return 0;
}
