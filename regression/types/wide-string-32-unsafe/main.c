#include <stddef.h>
extern void reach_error(void);
wchar_t text[] = L"\xffffffff";

int main(void)
{
    if (text[0] < 0)
        reach_error();
    return 0;
}
