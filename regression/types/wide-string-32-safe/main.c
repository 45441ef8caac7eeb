#include <stddef.h>
extern void reach_error(void);
wchar_t text[] = L"ab";
const wchar_t *end = L"c";

int main(void)
{
    if (sizeof text != 12 || text[1] != L'b' || end[0] != 'c' || sizeof u"ab" != 6 || sizeof U"ab" != 12)
        reach_error();
    return 0;
}
