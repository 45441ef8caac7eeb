int g, h;
void dec(int *p) __CPROVER_requires(__CPROVER_is_fresh(p, 4)) __CPROVER_assigns(*p) __CPROVER_ensures(*p == __CPROVER_old(*p) - 1) ;
void inc(int *p, int *q)
__CPROVER_requires(__CPROVER_is_fresh(p, 4) && __CPROVER_is_fresh(q, 4) && *p > 0 && *p < 100)
__CPROVER_assigns(*p)
__CPROVER_ensures(*p == __CPROVER_old(*p) - 1 && *q == __CPROVER_old(*q))
{ dec(p); 
 dec(q);
}
int main() { int *a, *b; inc(a, b); return 0; }
