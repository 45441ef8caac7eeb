#include <stdlib.h>
int main(void) {
    char *first = malloc(10), *second = malloc(20);
    if (first != NULL)
        first[0] = 0;
    free(first);
    free(second);
    free(NULL);
    char *third = malloc(3), *more = realloc(third, 30);
    free(more != NULL ? more : third);
    return 0;
}
