#include <assert.h>
#include <setjmp.h>

jmp_buf buffer;

static void leave(void)
{
    longjmp(buffer, 1);
}

int main(void)
{
    int values[2] = { 1, 2 };
    if (setjmp(buffer) == 0) {
        values[1] = 3;
        leave();
    }
    assert(values[1] == 3);
    return 0;
}
