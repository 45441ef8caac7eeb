#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);
jmp_buf buffer;

static void leave(void)
{
    longjmp(buffer, 1);
}

int main(void)
{
    int kept = 1, changed = 1;
    if (setjmp(buffer)) {
        assert(kept == 1);
        assert(changed == 2);
        return 0;
    }
    changed = 2;
    leave();
    return 0;
}
