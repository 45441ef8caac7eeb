#include <stdlib.h>
int main(void) {
    char *first = malloc(10), *second = malloc(20);
    if (first != NULL)
        first[0] = 0;
    free(first);
    free(second);
    free(NULL);
    return 0;
}
