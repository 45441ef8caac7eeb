/* Functions that both readings of C take from here; `string.c` says how this is read. What the environment gives is an input. */

//strtok_r,__strtok_r
SIZE strspn(const char *, const char *);
SIZE strcspn(const char *, const char *);
char *NAME(char *restrict text, const char *restrict set, char **restrict next)
{
    if (!text)
        text = *next;
    text += strspn(text, set);
    if (!*text) {
        *next = text;
        return 0;
    }
    char *end = text + strcspn(text, set);
    *next = *end ? end + 1 : end;
    *end = 0;
    return text;
}

//strsep,__strsep
SIZE strcspn(const char *, const char *);
char *NAME(char **restrict next, const char *restrict set)
{
    char *text = *next;
    if (!text)
        return 0;
    char *end = text + strcspn(text, set);
    if (*end) {
        *end = 0;
        *next = end + 1;
    } else {
        *next = 0;
    }
    return text;
}

//memrchr
void *memrchr(const void *s, int c, SIZE n)
{
    const unsigned char *x = s;
    while (n > 0) {
        n--;
        if (x[n] == (unsigned char)c)
            return (void *)(x + n);
    }
    return 0;
}

//rawmemchr
void *rawmemchr(const void *s, int c)
{
    const unsigned char *x = s;
    SIZE i = 0;
    while (x[i] != (unsigned char)c)
        i++;
    return (void *)(x + i);
}

//memccpy
void *memccpy(void *restrict to, const void *restrict from, int c, SIZE n)
{
    unsigned char *x = to;
    const unsigned char *y = from;
    for (SIZE i = 0; i < n; i++) {
        x[i] = y[i];
        if (y[i] == (unsigned char)c)
            return x + i + 1;
    }
    return 0;
}

//memmem
void *memmem(const void *text, SIZE size, const void *part, SIZE length)
{
    const unsigned char *x = text, *y = part;
    for (SIZE i = 0; length <= size && i <= size - length; i++) {
        SIZE k = 0;
        while (k < length && x[i + k] == y[k])
            k++;
        if (k == length)
            return (void *)(x + i);
    }
    return 0;
}

//strchrnul
char *strchrnul(const char *s, int c)
{
    SIZE i = 0;
    while (s[i] && s[i] != (char)c)
        i++;
    return (char *)(s + i);
}

//stpncpy
char *stpncpy(char *restrict to, const char *restrict from, SIZE n)
{
    SIZE i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    char *end = to + i;
    while (i < n) {
        to[i] = 0;
        i++;
    }
    return end;
}

//strlcpy
SIZE strlcpy(char *restrict to, const char *restrict from, SIZE n)
{
    SIZE i = 0;
    while (from[i]) {
        if (i + 1 < n)
            to[i] = from[i];
        i++;
    }
    if (n > 0)
        to[i < n ? i : n - 1] = 0;
    return i;
}

//strlcat
SIZE strnlen(const char *, SIZE);
SIZE strlcat(char *restrict to, const char *restrict from, SIZE n)
{
    SIZE end = strnlen(to, n), i = 0;
    while (from[i]) {
        if (end + i + 1 < n)
            to[end + i] = from[i];
        i++;
    }
    if (end < n)
        to[end + i < n ? end + i : n - 1] = 0;
    return end + i;
}

//ffs T=int
//ffsl T=long
//ffsll T=long+long
int NAME(T value)
{
    for (int i = 0; i < 8 * (int)sizeof value; i++)
        if (value >> i & 1)
            return i + 1;
    return 0;
}

//div T=int R=div_t
//ldiv T=long R=ldiv_t
//lldiv T=long+long R=lldiv_t
//imaxdiv T=long+long R=imaxdiv_t
typedef struct {
    T quot, rem;
} R;
R NAME(T a, T b)
{
    R result = { a / b, a % b };
    return result;
}

//qsort
int __VERIFIER_unspecified_qsort(void);
void qsort(void *base, SIZE count, SIZE size, int (*compare)(const void *, const void *))
{
    char *a = base;
    for (SIZE i = 1; i < count; i++) {
        for (SIZE j = i; j > 0; j--) {
            char *x = a + (j - 1) * size, *y = a + j * size;
            int order = compare(x, y);
            if (order < 0 || (order == 0 && !__VERIFIER_unspecified_qsort()))
                break;
            for (SIZE k = 0; k < size; k++) {
                char byte = x[k];
                x[k] = y[k];
                y[k] = byte;
            }
        }
    }
}

//bsearch
void *bsearch(const void *key, const void *base, SIZE count, SIZE size,
              int (*compare)(const void *, const void *))
{
    SIZE low = 0, high = count;
    while (low < high) {
        SIZE middle = (low + high) / 2;
        const void *at = (const char *)base + middle * size;
        int order = compare(key, at);
        if (order == 0)
            return (void *)at;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

//fgetc,getc,_IO_getc,fgetc_unlocked,getc_unlocked P=void+*stream
//getchar,getchar_unlocked P=void
int __VERIFIER_nondet_NAME(void);
void __VERIFIER_assume(int);
int NAME(P)
{
    int c = __VERIFIER_nondet_NAME();
    __VERIFIER_assume(c >= -1 && c <= 255);
    return c;
}

//ungetc
_Bool __VERIFIER_nondet_ungetc(void);
int ungetc(int c, void *stream)
{
    return c != -1 && __VERIFIER_nondet_ungetc() ? (unsigned char)c : -1;
}

//fgets,fgets_unlocked
int __VERIFIER_nondet_NAME(void);
void __VERIFIER_assume(int);
char *NAME(char *restrict to, int n, void *restrict stream)
{
    int i = 0;
    if (n <= 0)
        return 0;
    while (i < n - 1) {
        int c = __VERIFIER_nondet_NAME();
        __VERIFIER_assume(c >= -2 && c <= 255);
        if (c == -2 || (c == -1 && i == 0))
            return 0;
        if (c == -1)
            break;
        to[i++] = c;
        if (c == '\n')
            break;
    }
    to[i] = 0;
    return to;
}

//fread,fread_unlocked
SIZE __VERIFIER_nondet_NAME(void);
unsigned char __VERIFIER_nondet_fread_byte(void);
void __VERIFIER_assume(int);
SIZE NAME(void *restrict to, SIZE size, SIZE count, void *restrict stream)
{
    unsigned char *bytes = to;
    SIZE all = size * count, had = __VERIFIER_nondet_NAME();
    if (!all)
        return 0;
    __VERIFIER_assume(had <= all);
    for (SIZE i = 0; i < had; i++)
        bytes[i] = __VERIFIER_nondet_fread_byte();
    return had == all ? count : had / size;
}

//fopen,fopen64 P=const+char*restrict+name,const+char*restrict+mode
//fdopen P=int+file,const+char+*mode
//tmpfile,tmpfile64 P=void
_Bool __VERIFIER_nondet_NAME(void);
int *__errno_location(void);
void *NAME(P)
{
    static char streams[1 << 20];
    static unsigned next;
    if (next == sizeof streams || !__VERIFIER_nondet_NAME())
        return 0;
    return streams + next++;
}

//fclose P=void+*stream
//fseek P=void+*stream,long+offset,int+from
//fseeko P=void+*stream,DIFFERENCE+offset,int+from
//remove,unlink,rmdir P=const+char+*name
//rename P=const+char+*from,const+char+*to
_Bool __VERIFIER_nondet_NAME(void);
int NAME(P)
{
    return __VERIFIER_nondet_NAME() ? 0 : -1;
}

//feof,ferror,fileno,feof_unlocked,ferror_unlocked
int __VERIFIER_nondet_NAME(void);
int NAME(void *stream)
{
    return __VERIFIER_nondet_NAME();
}

//ftell
long __VERIFIER_nondet_ftell(void);
void __VERIFIER_assume(int);
long ftell(void *stream)
{
    long place = __VERIFIER_nondet_ftell();
    __VERIFIER_assume(place >= -1);
    return place;
}

//rewind,clearerr
void NAME(void *stream)
{
}

//time
long __VERIFIER_nondet_time(void);
long time(long *at)
{
    long now = __VERIFIER_nondet_time();
    if (at)
        *at = now;
    return now;
}

//clock
long __VERIFIER_nondet_clock(void);
long clock(void)
{
    return __VERIFIER_nondet_clock();
}

//lrand48
long __VERIFIER_nondet_lrand48(void);
void __VERIFIER_assume(int);
long lrand48(void)
{
    long number = __VERIFIER_nondet_lrand48();
    __VERIFIER_assume(number >= 0 && number <= 0x7fffffff);
    return number;
}

//srand48
void srand48(long seed)
{
}

//atexit
void *malloc(SIZE);
void free(void *);
static void (*__exit_first[32])(void);
static unsigned __exit_count;
static struct __exit_more {
    void (*handler)(void);
    struct __exit_more *next;
} *__exit_rest;
int atexit(void (*handler)(void))
{
    if (__exit_count < 32) {
        __exit_first[__exit_count++] = handler;
        return 0;
    }
    struct __exit_more *more = malloc(sizeof *more);
    if (!more)
        return -1;
    more->handler = handler;
    more->next = __exit_rest;
    __exit_rest = more;
    return 0;
}
void __exit_handlers(void)
{
    while (__exit_rest) {
        struct __exit_more *more = __exit_rest;
        void (*handler)(void) = more->handler;
        __exit_rest = more->next;
        free(more);
        handler();
    }
    while (__exit_count > 0)
        __exit_first[--__exit_count]();
}

//ntohl,htonl T=unsigned
T NAME(T number)
{
    return __builtin_bswap32(number);
}

//ntohs,htons T=unsigned
unsigned short NAME(unsigned short number)
{
    return __builtin_bswap16(number);
}
