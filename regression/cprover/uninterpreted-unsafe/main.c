int __CPROVER_uninterpreted_f(int, char); int nondet_int(void);
int main(void) { int a = nondet_int(), b = nondet_int();
 int x = __CPROVER_uninterpreted_f(a, 1), y = __CPROVER_uninterpreted_f(b, 1), z = __CPROVER_uninterpreted_f(a, 2);
 if (a == b) __CPROVER_assert(x == y, "same");
 __CPROVER_assert(x == z, "other");
}
