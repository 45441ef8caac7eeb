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
            continue;
        use:
            r = y == 5;
        }
    }
    assert(r);
    return 0;
}
