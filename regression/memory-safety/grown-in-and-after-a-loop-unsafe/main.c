#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

/* As many libraries have it: twice the room where there is none left. */
static int grow(char **data, int length, int *capacity)
{
    if (length + 1 > *capacity) {
        int n = *capacity == 0 ? 1 : *capacity << 1;
        char *p = realloc(*data, n);
        if (!p)
            return -1;
        *data = p;
        *capacity = n;
    }
    return 0;
}

int main(void)
{
    char *data = NULL;
    int capacity = 0, n = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++)
        if (grow(&data, i, &capacity))
            return 0;
    if (n == 3)
        grow(&data, 4, &capacity);
    if (n != 5)
        free(data);
    return 0;
}
