/* <stdlib.h>; `string.c` says how this is read. */

//strtol,__isoc23_strtol T=long U=unsigned+long
//strtoll,__isoc23_strtoll,strtoimax T=long+long U=unsigned+long+long
int *__errno_location(void);
T NAME(const char *restrict text, char **restrict end, int base)
{
    const char *p = text;
    int negative = 0, any = 0, over = 0;
    if (base < 0 || base == 1 || base > 36) {
        SET_ERRNO(22);
        return 0;
    }
    while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
        p++;
    if (*p == '-') {
        negative = 1;
        p++;
    } else if (*p == '+') {
        p++;
    }
    U radix = base;
    if (base == 0)
        radix = p[0] == '0' ? 8 : 10;
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')
        && ((p[2] >= '0' && p[2] <= '9') || (p[2] >= 'a' && p[2] <= 'f') || (p[2] >= 'A' && p[2] <= 'F'))) {
        p += 2;
        radix = 16;
    }
    U most = ((U)-1 >> 1) + negative;
    U limit = most / radix, rest = most % radix, value = 0;
    for (;;) {
        U digit = (unsigned char)*p;
        if (digit >= '0' && digit <= '9')
            digit -= '0';
        else if (digit >= 'a' && digit <= 'z')
            digit -= 'a' - 10;
        else if (digit >= 'A' && digit <= 'Z')
            digit -= 'A' - 10;
        else
            break;
        if (digit >= radix)
            break;
        any = 1;
        if (value > limit || (value == limit && digit > rest))
            over = 1;
        else
            value = value * radix + digit;
        p++;
    }
    if (end)
        *end = (char *)(any ? p : text);
    if (over) {
        SET_ERRNO(34);
        value = most;
    }
    return negative ? -value : value;
}

//strtoul,__isoc23_strtoul U=unsigned+long
//strtoull,__isoc23_strtoull,strtoumax U=unsigned+long+long
int *__errno_location(void);
U NAME(const char *restrict text, char **restrict end, int base)
{
    const char *p = text;
    int negative = 0, any = 0, over = 0;
    if (base < 0 || base == 1 || base > 36) {
        SET_ERRNO(22);
        return 0;
    }
    while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
        p++;
    if (*p == '-') {
        negative = 1;
        p++;
    } else if (*p == '+') {
        p++;
    }
    U radix = base;
    if (base == 0)
        radix = p[0] == '0' ? 8 : 10;
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')
        && ((p[2] >= '0' && p[2] <= '9') || (p[2] >= 'a' && p[2] <= 'f') || (p[2] >= 'A' && p[2] <= 'F'))) {
        p += 2;
        radix = 16;
    }
    U limit = (U)-1 / radix, rest = (U)-1 % radix, value = 0;
    for (;;) {
        U digit = (unsigned char)*p;
        if (digit >= '0' && digit <= '9')
            digit -= '0';
        else if (digit >= 'a' && digit <= 'z')
            digit -= 'a' - 10;
        else if (digit >= 'A' && digit <= 'Z')
            digit -= 'A' - 10;
        else
            break;
        if (digit >= radix)
            break;
        any = 1;
        if (value > limit || (value == limit && digit > rest))
            over = 1;
        else
            value = value * radix + digit;
        p++;
    }
    if (end)
        *end = (char *)(any ? p : text);
    if (over) {
        SET_ERRNO(34);
        return -1;
    }
    return negative ? -value : value;
}

//atoi T=int
//atol T=long
long strtol(const char *, char **, int);
T NAME(const char *text)
{
    return strtol(text, 0, 10);
}

//atoll
long long strtoll(const char *, char **, int);
long long atoll(const char *text)
{
    return strtoll(text, 0, 10);
}

//strtod T=double
//strtof T=float
//strtold T=long+double
T __VERIFIER_approximated_NAME(void);
SIZE __VERIFIER_approximated_length(void);
void __VERIFIER_assume(int);
int *__errno_location(void);
SIZE strlen(const char *);
T NAME(const char *restrict text, char **restrict end)
{
    const char *p = text;
    int any = 0;
    while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
        p++;
    if (*p == '-' || *p == '+')
        p++;
    if (*p == 'i' || *p == 'I' || *p == 'n' || *p == 'N' || (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))) {
        SIZE length = __VERIFIER_approximated_length();
        __VERIFIER_assume(length <= strlen(text));
        if (end)
            *end = (char *)text + length;
        return __VERIFIER_approximated_NAME();
    }
    for (; *p >= '0' && *p <= '9'; p++)
        any = 1;
    if (*p == '.') {
        if (any || (p[1] >= '0' && p[1] <= '9'))
            p++;
        for (; *p >= '0' && *p <= '9'; p++)
            any = 1;
    }
    if (!any) {
        if (end)
            *end = (char *)text;
        return 0;
    }
    if (*p == 'e' || *p == 'E') {
        SIZE i = p[1] == '-' || p[1] == '+' ? 2 : 1;
        if (p[i] >= '0' && p[i] <= '9') {
            p += i;
            while (*p >= '0' && *p <= '9')
                p++;
        }
    }
    if (end)
        *end = (char *)p;
    SET_ERRNO(__VERIFIER_approximated_errno());
    return __VERIFIER_approximated_NAME();
}

//atof
double strtod(const char *, char **);
double atof(const char *text)
{
    return strtod(text, 0);
}

//__qsort_BYTES BYTES=1
int __VERIFIER_unspecified_qsort(void);
void *memcpy(void *, const void *, SIZE);
void NAME(void *base, SIZE count, SIZE size, int (*compare)(const void *, const void *))
{
    char *a = base;
    for (SIZE i = 1; i < count; i++) {
        for (SIZE j = i; j > 0; j--) {
            char *x = a + (j - 1) * BYTES, *y = a + j * BYTES;
            int order = compare(x, y);
            if (order < 0 || (order == 0 && !__VERIFIER_unspecified_qsort()))
                break;
            char kept[BYTES];
            memcpy(kept, x, BYTES);
            memcpy(x, y, BYTES);
            memcpy(y, kept, BYTES);
        }
    }
}

//vsnprintf P=char+*restrict+to,SIZE+limit,const+char+*restrict+format,__builtin_va_list+list
//__vsnprintf_chk P=char+*restrict+to,SIZE+limit,int+flag,SIZE+size,const+char+*restrict+format,__builtin_va_list+list
int __VERIFIER_approximated_vsnprintf(void);
char __VERIFIER_approximated_char(void);
void __VERIFIER_assume(int);
int NAME(P)
{
    int length = __VERIFIER_approximated_vsnprintf();
    __VERIFIER_assume(length >= -1);
    if (limit > 0) {
        SIZE n = length < 0 || (SIZE)length > limit - 1 ? limit - 1 : (SIZE)length;
        for (SIZE i = 0; i < n; i++)
            to[i] = __VERIFIER_approximated_char();
        to[n] = 0;
    }
    return length;
}

//rand,random T=int
T __VERIFIER_nondet_NAME(void);
void __VERIFIER_assume(int);
T NAME(void)
{
    T number = __VERIFIER_nondet_NAME();
    __VERIFIER_assume(number >= 0 && number <= 0x7fffffff);
    return number;
}

//srand,srandom T=unsigned
void NAME(T seed)
{
}

//__errno_location
int __libc_errno;
int *__errno_location(void)
{
    return &__libc_errno;
}
