#include <stdlib.h>
unsigned long nondet_size(void);
int main(void) {
  unsigned long n = nondet_size();
  __CPROVER_assume(n > 3 && n < 100);
  char *p = malloc(n);
  int a[4];
  __CPROVER_assert(__CPROVER_r_ok(p, n), "a");
  __CPROVER_assert(__CPROVER_w_ok(p + 1, n - 1), "b");
  __CPROVER_assert(!__CPROVER_r_ok(p + 1, n), "c");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(p + 2) == n, "d");
  __CPROVER_assert(__CPROVER_POINTER_OFFSET(p + 2) == 2, "e");
  __CPROVER_assert(__CPROVER_same_object(p, p + 3), "f");
  __CPROVER_assert(!__CPROVER_same_object(p, a), "g");
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(a), "h");
  __CPROVER_assert(__CPROVER_r_ok(&a[3]) && !__CPROVER_r_ok(&a[4]), "i");
  free(p);
  __CPROVER_assert(!__CPROVER_r_ok(p, 1), "j");
  a[0] = 5;
  __CPROVER_havoc_object(a);
  __CPROVER_assert(a[0] == 5 || a[1] == a[1], "k");
}
