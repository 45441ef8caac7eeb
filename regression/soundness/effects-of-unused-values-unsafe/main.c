extern void reach_error(void);

struct pair {
    int first, second;
    int bits : 5;
};

union either {
    int whole;
    char part;
};

int count, numbers[4];
double reals[4];
struct pair pairs[4], zero;

int next(void)
{
    count++;
    return 0;
}

int *number(void)
{
    return &numbers[next()];
}

double real(void)
{
    next();
    return 1.0;
}

struct pair made(void)
{
    count++;
    return zero;
}

struct pair *found(void)
{
    return &pairs[next()];
}

int sized(int many, int (*rows)[count += 1])
{
    return many;
}

int main(void)
{
    *number();
    &*number();
    numbers[next()];
    numbers[next()] *= 2;
    (*number())++;
    found()->second;
    *found();
    found()->bits += 1;
    zero = *found();
    *found() = zero;
    made();
    made().second;
    (zero, made()).first;
    (1 ? made() : zero);
    (struct pair){made().first};
    (struct pair[]){zero, made()}[next()].first;
    (union either)next();
    (void)&(int[]){next()};
    real();
    reals[next()] = 1.0;
    0 * next();
    next() && 1;
    0 || next();
    next() ?: 3;
    (void)sizeof(int[next() + 1]);
    __typeof__(int[next() + 1]) array;
    sized(1, &array);
    ({ next(); });
    switch (next()) {
    }
    __builtin_prefetch(number());
    __builtin_expect(next(), 1);
    __builtin_add_overflow(1, 1, number());
    __builtin_memset(numbers, 0, next());
    if (count == 34)
        reach_error();
    return 0;
}
