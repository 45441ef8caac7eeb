/* Floating point in its three formats. */
#include <stdio.h>
static float f = 0.1f; static double d = 0.1; static long double l = 0.1L; static volatile double zero = 0.0;
static double poly(double x) { return ((x * 3 - 2) * x + 1) * x - 0.5; } static float half(float x) { return x / 2; }
int main(void) {
    printf("%.9g %.17g %.21Lg\n", f, d, l); printf("%.9g %.17g %.21Lg\n", f * 3, d * 3, l * 3); printf("%d %d\n", f == d, (double)f == f); printf("%.17g %.9g\n", f + d, (float)(d + 1e-10)); printf("%.17g %g\n", poly(1.7), half(5));
    printf("%d %d %u %lld\n", (int)3.99, (int)-3.99, (unsigned)3e9, (long long)-1e15); printf("%.17g %.9g %.21Lg\n", (double)123456789012345678LL, (float)16777217, (long double)0xffffffffffffffffULL); printf("%.9g %.17g\n", (float)4000000000u, (double)0xffffffffffffffffULL);
    double inf = 1 / zero, nan = zero / zero; printf("%g %g %d %d %d %d %d\n", inf, -inf, nan == nan, nan != nan, nan < 1, !(nan < 1), inf > 1e308); printf("%d %d\n", zero == -zero, 1 / -zero < 0); double x = 10; x += 0.5; x /= 4; x -= 1; x *= x; printf("%.17g\n", x); x++; --x; printf("%.17g\n", x++); printf("%.17g\n", x);
    float s = 0; for (int i = 1; i < 1000; i++) s += 1.0f / i; printf("%.9g\n", s); double t = 0; for (int i = 1; i < 1000; i++) t += 1.0 / i; printf("%.17g\n", t); long double u = 0; for (int i = 1; i < 1000; i++) u += 1.0L / i; printf("%.21Lg\n", u); if (d) printf("true\n"); printf("%d %d\n", !d, d && zero); printf("%g %g\n", 1e-310, 5e-324); int i = 7; i *= 1.5; i -= 0.5; printf("%d\n", i); printf("%.17g\n", 1 ? 2 : 3.5); float arr[3] = { 1, 2.5, -0.0f }; printf("%g %g\n", arr[1] + arr[0], arr[2]); return 0;
}
