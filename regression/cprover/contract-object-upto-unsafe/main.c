void clear(char *q)
__CPROVER_assigns(__CPROVER_object_upto(q, 2))
{
    q[2] = 0;
}

int main(void)
{
    char y[4];
    clear(y);
}
