/* The string functions, printf's conversions, character classes, number parsing. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int sgn(int x) { return (x > 0) - (x < 0); }
int main(void) {
    char b[32]; strcpy(b, "abc"); strcat(b, "def"); printf("%s %zu %d %d %d\n", b, strlen(b), sgn(strcmp(b, "abd")), sgn(strncmp(b, "abcxx", 3)), sgn(memcmp("a\200", "a\1", 2)));
    printf("%s %s %d\n", strchr(b, 'd'), strrchr("a/b/c", '/'), strchr(b, 'q') == NULL); printf("%s %d %d\n", strstr("hay needle", "need"), (int)strspn("112x", "12"), (int)strcspn("ab,c", ","));
    memset(b, '-', sizeof b); strncpy(b, "xy", 5); printf("%d %d %c\n", b[2], b[4], b[5]); memmove(b + 1, b, 3); printf("%c%c\n", b[1], b[2]); char t[] = "a b,,c"; for (char *p = strtok(t, " ,"); p; p = strtok(0, " ,")) printf("<%s>", p); printf("\n");
    printf("[%5d][%-5d][%05d][%+d][% d][%x][%X][%#x][%o][%#o][%u][%ld][%lld][%hhd][%hd]\n", 42, 42, 42, 42, 42, 255, 255, 255, 8, 8, -1, -1L, 1LL << 40, 300, 70000);
    printf("[%s][%10s][%-10s][%.2s][%c][%%][%p][%*d][%.*s][%5.3d]\n", "s", "right", "left", "cut", 'c', NULL, 6, 7, 1, "xyz", 5); printf("[%f][%.2f][%8.3f][%-8.1f][%e][%.3e][%g][%g][%g][%G][%+.0f][%#.0f]\n", 1.5, 2.675, 3.14159, 2.25, 12345.678, 0.00012, 100000.0, 1e6, 1e-5, 1e-10, 2.5, 3.0);
    char o[8]; int n = snprintf(o, sizeof o, "%s-%d", "longer", 12345); printf("%d %s\n", n, o); sprintf(b, "%d/%s", 1, "two"); puts(b); putchar('x'); putchar('\n'); fputs("to stdout\n", stdout); fprintf(stdout, "%c%s\n", '!', ""); printf("%zu %td %zd\n", sizeof(int), (&b[5] - &b[2]), (ssize_t)-3);
    printf("%d %ld %d\n", atoi(" -12x"), strtol("0x1f", NULL, 0), (int)strtoul("077", NULL, 0)); char *end; long v = strtol("123abc", &end, 10); printf("%ld %s\n", v, end); printf("%lld %ld\n", strtoll("-9223372036854775808", 0, 10), strtol("zz", 0, 36));
    int k = 0; for (int c = 0; c < 128; c++) k = k * 3 + !!isalpha(c) + 2 * !!isdigit(c) + 5 * !!isspace(c) + 7 * !!ispunct(c) + 11 * !!isxdigit(c) + 13 * !!isprint(c); printf("%d %c %c\n", k, toupper('q'), tolower('Q')); printf("%d %ld\n", abs(-5), labs(-6L)); char *d = strdup("dup"); puts(d); free(d); printf("%s", "no newline at the end");
    printf("%d %d", rand(), 0); srand(42); printf(" %d\n", rand() % 1000);
    return 0;
}
