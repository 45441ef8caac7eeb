struct list { void *data; unsigned long size, length; };

int main(void)
{
    struct list list;
    __CPROVER_assume(list.length != 0);
    struct list none = {0};
    _Bool zeroed = __CPROVER_forall {
        int i;
        (i >= 0 && i < sizeof(list)) ==> ((const unsigned char *)&list)[i] == 0
    };
    _Bool clear = __CPROVER_forall {
        int i;
        (i >= 0 && i < sizeof(none)) ==> ((const unsigned char *)&none)[i] == 0
    };
    __CPROVER_assert(clear && zeroed, "");
    return 0;
}
