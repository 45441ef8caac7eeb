/* Each function is a text of its own: what stands below one or several name lines is linked alone. A name line says how
   the names of a text are to be read: `//a,b T=int` defines a text for `a` and one for `b`, in which NAME is the name and
   T stands for `int`; `+` stands for a space. Everywhere SIZE is `size_t`, DIFFERENCE `ptrdiff_t`, and SET_ERRNO(e) is an assignment where the
   program looks at `errno`. Where the standard gives only the sign or the truth of a result, any such result is possible. */

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
void __VERIFIER_apart(const void *, const void *, SIZE);
char *strcpy(char *restrict to, const char *restrict from)
{
    SIZE i = 0;
    while ((to[i] = from[i]))
        i++;
    __VERIFIER_apart(to, from, i + 1);
    return to;
}

//stpcpy,__stpcpy
void __VERIFIER_apart(const void *, const void *, SIZE);
char *NAME(char *restrict to, const char *restrict from)
{
    SIZE i = 0;
    while ((to[i] = from[i]))
        i++;
    __VERIFIER_apart(to, from, i + 1);
    return to + i;
}

//strncpy
void __VERIFIER_apart(const void *, const void *, SIZE);
char *strncpy(char *restrict to, const char *restrict from, SIZE n)
{
    SIZE i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    __VERIFIER_apart(to, from, i);
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return to;
}

//strcat
void __VERIFIER_apart(const void *, const void *, SIZE);
char *strcat(char *restrict to, const char *restrict from)
{
    SIZE end = 0, i = 0;
    while (to[end])
        end++;
    while ((to[end + i] = from[i]))
        i++;
    __VERIFIER_apart(to + end, from, i + 1);
    return to;
}

//strncat
void __VERIFIER_apart(const void *, const void *, SIZE);
char *strncat(char *restrict to, const char *restrict from, SIZE n)
{
    SIZE end = 0, i = 0;
    while (to[end])
        end++;
    while (i < n && from[i]) {
        to[end + i] = from[i];
        i++;
    }
    __VERIFIER_apart(to + end, from, i);
    to[end + i] = 0;
    return to;
}

//strcmp,strcoll
int __VERIFIER_unspecified_strcmp(void);
void __VERIFIER_assume(int);
int NAME(const char *a, const char *b)
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

//strchr,index
char *NAME(const char *s, int c)
{
    SIZE i = 0;
    while (s[i] && s[i] != (char)c)
        i++;
    return s[i] == (char)c ? (char *)(s + i) : 0;
}

//strrchr,rindex
char *NAME(const char *s, int c)
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

//memcmp,bcmp
int __VERIFIER_unspecified_memcmp(void);
void __VERIFIER_assume(int);
int NAME(const void *a, const void *b, SIZE n)
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

//strstr
char *strstr(const char *text, const char *part)
{
    for (SIZE i = 0;; i++) {
        SIZE k = 0;
        while (part[k] && text[i + k] == part[k])
            k++;
        if (!part[k])
            return (char *)(text + i);
        if (!text[i])
            return 0;
    }
}

//strcasestr
char *strcasestr(const char *text, const char *part)
{
    for (SIZE i = 0;; i++) {
        SIZE k = 0;
        for (; part[k]; k++) {
            char a = text[i + k], b = part[k];
            if ((a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) != (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b))
                break;
        }
        if (!part[k])
            return (char *)(text + i);
        if (!text[i])
            return 0;
    }
}

//strspn
SIZE strspn(const char *text, const char *set)
{
    for (SIZE i = 0;; i++) {
        SIZE k = 0;
        while (set[k] && set[k] != text[i])
            k++;
        if (!set[k] || !text[i])
            return i;
    }
}

//strcspn
SIZE strcspn(const char *text, const char *set)
{
    for (SIZE i = 0;; i++) {
        SIZE k = 0;
        while (set[k] && set[k] != text[i])
            k++;
        if (set[k] || !text[i])
            return i;
    }
}

//strpbrk
SIZE strcspn(const char *, const char *);
char *strpbrk(const char *text, const char *set)
{
    SIZE i = strcspn(text, set);
    return text[i] ? (char *)(text + i) : 0;
}

//strtok
SIZE strspn(const char *, const char *);
SIZE strcspn(const char *, const char *);
char *strtok(char *restrict text, const char *restrict set)
{
    static char *next;
    if (!text)
        text = next;
    text += strspn(text, set);
    if (!*text) {
        next = text;
        return 0;
    }
    char *end = text + strcspn(text, set);
    next = *end ? end + 1 : end;
    *end = 0;
    return text;
}

//strdup,__strdup
void *malloc(SIZE);
void *memcpy(void *, const void *, SIZE);
SIZE strlen(const char *);
char *NAME(const char *text)
{
    SIZE size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

//strndup,__strndup
void *malloc(SIZE);
void *memcpy(void *, const void *, SIZE);
SIZE strnlen(const char *, SIZE);
char *NAME(const char *text, SIZE limit)
{
    SIZE size = strnlen(text, limit);
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = 0;
    }
    return copy;
}

//strcasecmp
int __VERIFIER_unspecified_strcasecmp(void);
void __VERIFIER_assume(int);
int strcasecmp(const char *a, const char *b)
{
    for (SIZE i = 0;; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x >= 'A' && x <= 'Z')
            x += 'a' - 'A';
        if (y >= 'A' && y <= 'Z')
            y += 'a' - 'A';
        if (x != y) {
            int difference = __VERIFIER_unspecified_strcasecmp();
            __VERIFIER_assume(difference && (difference < 0) == (x < y));
            return difference;
        }
        if (!x)
            return 0;
    }
}

//strncasecmp
int __VERIFIER_unspecified_strncasecmp(void);
void __VERIFIER_assume(int);
int strncasecmp(const char *a, const char *b, SIZE n)
{
    for (SIZE i = 0; i < n; i++) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x >= 'A' && x <= 'Z')
            x += 'a' - 'A';
        if (y >= 'A' && y <= 'Z')
            y += 'a' - 'A';
        if (x != y) {
            int difference = __VERIFIER_unspecified_strncasecmp();
            __VERIFIER_assume(difference && (difference < 0) == (x < y));
            return difference;
        }
        if (!x)
            return 0;
    }
    return 0;
}

//bzero
void *memset(void *, int, SIZE);
void bzero(void *s, SIZE n)
{
    memset(s, 0, n);
}

//bcopy
void *memmove(void *, const void *, SIZE);
void bcopy(const void *from, void *to, SIZE n)
{
    memmove(to, from, n);
}
