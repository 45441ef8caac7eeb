#include <stdlib.h>
int g;
static void helper(int *p) { *p = 1; }
int f(int *out, int n)
__CPROVER_requires(n > 0 && n < 4)
__CPROVER_assigns(*out)
__CPROVER_ensures(*out == n)
{
  int loc[4]; int vla[n]; 
  for (int i = 0; i < n; i++) { helper(&loc[i]); vla[i] = 2; helper(vla + i); }
  static int count; count++;
  int *h = malloc(sizeof(int) * n); if (h) { h[0] = 3; helper(h); free(h); }
  *out = n;
  return 0;
}
int main() { int x; int *old = malloc(4); for (int i = 1; i < 3; i++) f(&x, i); return 0; }
