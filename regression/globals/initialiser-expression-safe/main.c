extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

enum { BASE = 4 };
unsigned int offset = BASE * 2 + sizeof(int);
const int limit = (BASE << 2) > 15 ? -1 : 1;

int main(void)
{
    if (offset != 12 || limit != -1)
        reach_error();
    return 0;
}
