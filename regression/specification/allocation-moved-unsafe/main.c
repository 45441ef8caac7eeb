#include <stdlib.h>
int main(void) {
    char *buffer = malloc(3), *more = realloc(buffer, 30);
    if (buffer != NULL && more == NULL)
        free(buffer);
    return 0;
}
