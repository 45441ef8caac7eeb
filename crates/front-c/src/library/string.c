/* Each function is a text of its own: what stands between two name lines is linked alone. */

//strlen
SIZE strlen(const char *s)
{
    SIZE n = 0;
    while (s[n])
        n++;
    return n;
}

//strnlen
SIZE strnlen(const char *s, SIZE limit)
{
    SIZE n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

//strcpy
char *strcpy(char *restrict to, const char *restrict from)
{
    SIZE i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}

//stpcpy
char *stpcpy(char *restrict to, const char *restrict from)
{
    SIZE i = 0;
    while ((to[i] = from[i]))
        i++;
    return to + i;
}

//strncpy
char *strncpy(char *restrict to, const char *restrict from, SIZE n)
{
    SIZE i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}

//strcat
char *strcat(char *restrict to, const char *restrict from)
{
    SIZE end = 0, i = 0;
    while (to[end])
        end++;
    while ((to[end + i] = from[i]))
        i++;
    return to;
}

//strncat
char *strncat(char *restrict to, const char *restrict from, SIZE n)
{
    SIZE end = 0, i = 0;
    while (to[end])
        end++;
    while (i < n && from[i]) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

//strcmp
int strcmp(const char *a, const char *b)
{
    SIZE i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

//strncmp
int strncmp(const char *a, const char *b, SIZE n)
{
    SIZE i = 0;
    while (i < n && a[i] && a[i] == b[i])
        i++;
    return i < n ? (unsigned char)a[i] - (unsigned char)b[i] : 0;
}

//strchr
char *strchr(const char *s, int c)
{
    SIZE i = 0;
    while (s[i] && s[i] != (char)c)
        i++;
    return s[i] == (char)c ? (char *)(s + i) : 0;
}

//strrchr
char *strrchr(const char *s, int c)
{
    char *last = 0;
    SIZE i = 0;
    for (;;) {
        if (s[i] == (char)c)
            last = (char *)(s + i);
        if (!s[i])
            return last;
        i++;
    }
}

//memcmp
int memcmp(const void *a, const void *b, SIZE n)
{
    const unsigned char *x = a, *y = b;
    SIZE i = 0;
    while (i < n && x[i] == y[i])
        i++;
    return i < n ? x[i] - y[i] : 0;
}

//memchr
void *memchr(const void *s, int c, SIZE n)
{
    const unsigned char *x = s;
    SIZE i = 0;
    while (i < n && x[i] != (unsigned char)c)
        i++;
    return i < n ? (void *)(x + i) : (void *)0;
}

//isdigit
int isdigit(int c)
{
    return c >= '0' && c <= '9';
}

//isalpha
int isalpha(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

//isspace
int isspace(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

//tolower
int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

//toupper
int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}
