#include <assert.h>

int log_of[8], logged;

static void leave(int *p)
{
    log_of[logged++] = *p;
}

static int early(int how)
{
    __attribute__((cleanup(leave))) int outer = 1;
    for (int i = 0; i < 2; i++) {
        int inner __attribute__((cleanup(leave))) = 10 + i;
        if (how == 1)
            return outer + inner;
        if (how == 2)
            break;
        if (how == 3)
            goto out;
        if (how == 4)
            continue;
        outer = 2;
    }
    outer = 3;
out:
    return outer;
}

int main(void)
{
    assert(early(1) == 11 && logged == 2 && log_of[0] == 10 && log_of[1] == 1);
    logged = 0;
    assert(early(2) == 3 && logged == 2 && log_of[0] == 10 && log_of[1] == 3);
    logged = 0;
    assert(early(3) == 1 && logged == 2 && log_of[0] == 10 && log_of[1] == 1);
    logged = 0;
    assert(early(4) == 3 && logged == 3 && log_of[1] == 11 && log_of[2] == 3);
    logged = 0;
    assert(early(0) == 3 && logged == 3);
}
