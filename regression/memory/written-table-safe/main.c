extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned char table[128] = {
    0, 37, 74, 11, 48, 85, 22, 59, 96, 33, 70, 7, 44, 81, 18, 55,
    92, 29, 66, 3, 40, 77, 14, 51, 88, 25, 62, 99, 36, 73, 10, 47,
    84, 21, 58, 95, 32, 69, 6, 43, 80, 17, 54, 91, 28, 65, 2, 39,
    76, 13, 50, 87, 24, 61, 98, 35, 72, 9, 46, 83, 20, 57, 94, 31,
    68, 5, 42, 79, 16, 53, 90, 27, 64, 1, 38, 75, 12, 49, 86, 23,
    60, 97, 34, 71, 8, 45, 82, 19, 56, 93, 30, 67, 4, 41, 78, 15,
    52, 89, 26, 63, 0, 37, 74, 11, 48, 85, 22, 59, 96, 33, 70, 7,
    44, 81, 18, 55, 92, 29, 66, 3, 40, 77, 14, 51, 88, 25, 62, 99,
};

static const char *text = "a text that is read beside the table, and that is not one of the values it has at all there";

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 128)
        return 0;
    if (i > 0) table[0] = 200;
    if (text[i % 64] == 0)
        reach_error();
    if (table[i] >= 100)
        reach_error();
    return 0;
}
