/* Each function is a text of its own: what stands between two name lines is linked alone. Where the standard gives only
   the sign or the truth of a result, any such result is possible. */

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
int __VERIFIER_unspecified_strcmp(void);
void __VERIFIER_assume(int);
int strcmp(const char *a, const char *b)
{
    SIZE i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    if (a[i] == b[i])
        return 0;
    int difference = __VERIFIER_unspecified_strcmp();
    __VERIFIER_assume(difference && (difference < 0) == ((unsigned char)a[i] < (unsigned char)b[i]));
    return difference;
}

//strncmp
int __VERIFIER_unspecified_strncmp(void);
void __VERIFIER_assume(int);
int strncmp(const char *a, const char *b, SIZE n)
{
    SIZE i = 0;
    while (i < n && a[i] && a[i] == b[i])
        i++;
    if (i == n || a[i] == b[i])
        return 0;
    int difference = __VERIFIER_unspecified_strncmp();
    __VERIFIER_assume(difference && (difference < 0) == ((unsigned char)a[i] < (unsigned char)b[i]));
    return difference;
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
int __VERIFIER_unspecified_memcmp(void);
void __VERIFIER_assume(int);
int memcmp(const void *a, const void *b, SIZE n)
{
    const unsigned char *x = a, *y = b;
    SIZE i = 0;
    while (i < n && x[i] == y[i])
        i++;
    if (i == n)
        return 0;
    int difference = __VERIFIER_unspecified_memcmp();
    __VERIFIER_assume(difference && (difference < 0) == (x[i] < y[i]));
    return difference;
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
int __VERIFIER_unspecified_isdigit(void);
void __VERIFIER_assume(int);
int isdigit(int c)
{
    if (!(c >= '0' && c <= '9'))
        return 0;
    int truth = __VERIFIER_unspecified_isdigit();
    __VERIFIER_assume(truth);
    return truth;
}

//isalpha
int __VERIFIER_unspecified_isalpha(void);
void __VERIFIER_assume(int);
int isalpha(int c)
{
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
        return 0;
    int truth = __VERIFIER_unspecified_isalpha();
    __VERIFIER_assume(truth);
    return truth;
}

//isspace
int __VERIFIER_unspecified_isspace(void);
void __VERIFIER_assume(int);
int isspace(int c)
{
    if (!(c == ' ' || (c >= '\t' && c <= '\r')))
        return 0;
    int truth = __VERIFIER_unspecified_isspace();
    __VERIFIER_assume(truth);
    return truth;
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
