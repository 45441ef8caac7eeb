extern void reach_error(void);

// Sums of powers of two are exact, and every order of rounding gives the same.
int main(void) {
    long double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += 1.0L / (1 << i);
    if (sum != 1023.0L / 512)
        reach_error();
    return 0;
}
