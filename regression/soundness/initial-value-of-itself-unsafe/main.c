#include <assert.h>

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int y = i ? y : 5;
        assert(y == 5);
    }
    return 0;
}
