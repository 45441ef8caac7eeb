void clear(char *p, char *q)
__CPROVER_assigns(__CPROVER_object_from(p), __CPROVER_object_upto(q, 2))
{
    p[0] = 0;
    p[3] = 0;
    q[1] = 0;
}

int main(void)
{
    char x[8], y[4];
    clear(x + 4, y);
}
