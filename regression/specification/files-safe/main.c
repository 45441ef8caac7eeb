#include <stdio.h>
int main(void) {
    char line[16];
    FILE *in = fopen("in", "r");
    if (in == NULL)
        return 1;
    FILE *out = fopen("out", "w");
    if (out == NULL) {
        fclose(in);
        return 1;
    }
    if (fgets(line, sizeof line, in) != NULL)
        fprintf(out, "%s", line);
    fclose(in);
    fclose(out);
    return 0;
}
