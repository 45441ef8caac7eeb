#include <setjmp.h>

jmp_buf buffer;

static int save(void)
{
    return setjmp(buffer);
}

int main(void)
{
    if (save() == 0)
        longjmp(buffer, 1);
    return 0;
}
