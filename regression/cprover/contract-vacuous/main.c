void f(int *p, int n) __CPROVER_requires(n > 5) __CPROVER_requires(n < 3) __CPROVER_assigns() { *p = 1; }
int main() { int x; f(&x, 3); return 0; }
