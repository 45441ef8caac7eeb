#include <assert.h>

int main(void)
{
    int r = 0;
    for (int i = 0; i < 2; i++) {
        void *targets[] = { &&set, &&use };
        goto *targets[i];
        {
            int y = 1;
        set:
            y = 5;
            r += y;
            continue;
        use:
            y = 7;
            r += y;
        }
    }
    assert(r == 12);
    return 0;
}
