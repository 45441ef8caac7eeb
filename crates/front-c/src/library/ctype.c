/* <ctype.h> in the C locale, as glibc has it; `string.c` says how this is read. What glibc's macros read from a table is a
   function here: `__ctype_b_entry(c)` is `(*__ctype_b_loc())[c]`, outside of the table an access outside of an object. */

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

//isupper
int __VERIFIER_unspecified_isupper(void);
void __VERIFIER_assume(int);
int isupper(int c)
{
    if (!(c >= 'A' && c <= 'Z'))
        return 0;
    int truth = __VERIFIER_unspecified_isupper();
    __VERIFIER_assume(truth);
    return truth;
}

//islower
int __VERIFIER_unspecified_islower(void);
void __VERIFIER_assume(int);
int islower(int c)
{
    if (!(c >= 'a' && c <= 'z'))
        return 0;
    int truth = __VERIFIER_unspecified_islower();
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

//isalnum
int __VERIFIER_unspecified_isalnum(void);
void __VERIFIER_assume(int);
int isalnum(int c)
{
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
        return 0;
    int truth = __VERIFIER_unspecified_isalnum();
    __VERIFIER_assume(truth);
    return truth;
}

//isxdigit
int __VERIFIER_unspecified_isxdigit(void);
void __VERIFIER_assume(int);
int isxdigit(int c)
{
    if (!((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9')))
        return 0;
    int truth = __VERIFIER_unspecified_isxdigit();
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

//isblank
int __VERIFIER_unspecified_isblank(void);
void __VERIFIER_assume(int);
int isblank(int c)
{
    if (!(c == ' ' || c == '\t'))
        return 0;
    int truth = __VERIFIER_unspecified_isblank();
    __VERIFIER_assume(truth);
    return truth;
}

//isprint
int __VERIFIER_unspecified_isprint(void);
void __VERIFIER_assume(int);
int isprint(int c)
{
    if (!(c >= ' ' && c <= '~'))
        return 0;
    int truth = __VERIFIER_unspecified_isprint();
    __VERIFIER_assume(truth);
    return truth;
}

//isgraph
int __VERIFIER_unspecified_isgraph(void);
void __VERIFIER_assume(int);
int isgraph(int c)
{
    if (!(c > ' ' && c <= '~'))
        return 0;
    int truth = __VERIFIER_unspecified_isgraph();
    __VERIFIER_assume(truth);
    return truth;
}

//iscntrl
int __VERIFIER_unspecified_iscntrl(void);
void __VERIFIER_assume(int);
int iscntrl(int c)
{
    if (!((c >= 0 && c < ' ') || c == 127))
        return 0;
    int truth = __VERIFIER_unspecified_iscntrl();
    __VERIFIER_assume(truth);
    return truth;
}

//ispunct
int __VERIFIER_unspecified_ispunct(void);
void __VERIFIER_assume(int);
int ispunct(int c)
{
    if (!((c > ' ' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~')))
        return 0;
    int truth = __VERIFIER_unspecified_ispunct();
    __VERIFIER_assume(truth);
    return truth;
}

//tolower
int tolower(int c)
{
    if (c >= -128 && c < -1)
        return c + 256;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

//toupper
int toupper(int c)
{
    if (c >= -128 && c < -1)
        return c + 256;
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

//isascii
int isascii(int c)
{
    return (c & ~127) == 0;
}

//toascii
int toascii(int c)
{
    return c & 127;
}

//__ctype_b_entry
unsigned short NAME(int c)
{
    static const unsigned short before;
    if (c < -128 || c > 255)
        return (&before)[c];
    if (c >= '0' && c <= '9')
        return 0xd808;
    if (c >= 'a' && c <= 'f')
        return 0xd608;
    if (c >= 'g' && c <= 'z')
        return 0xc608;
    if (c >= 'A' && c <= 'F')
        return 0xd508;
    if (c >= 'G' && c <= 'Z')
        return 0xc508;
    if (c > ' ' && c <= '~')
        return 0xc004;
    if (c == ' ')
        return 0x6001;
    if (c == '\t')
        return 0x2003;
    if (c > '\t' && c <= '\r')
        return 0x2002;
    return (c >= 0 && c < ' ') || c == 127 ? 2 : 0;
}

//__ctype_tolower_entry
int NAME(int c)
{
    static const int before;
    if (c < -128 || c > 255)
        return (&before)[c];
    if (c >= -128 && c < -1)
        return c + 256;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

//__ctype_toupper_entry
int NAME(int c)
{
    static const int before;
    if (c < -128 || c > 255)
        return (&before)[c];
    if (c >= -128 && c < -1)
        return c + 256;
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}
