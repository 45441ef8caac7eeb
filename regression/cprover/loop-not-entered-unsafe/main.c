int main(void)
{
    unsigned size, start;
    unsigned end = start + 1;
    while (end < size)
    __CPROVER_loop_invariant(start <= end && end <= size)
    __CPROVER_decreases(size - end)
    {
        end++;
    }
    for (; end < size; end++)
    __CPROVER_loop_invariant(0)
    {
    }
    __CPROVER_assert(end >= size, "end");
}
