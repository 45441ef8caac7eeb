#include <stdint.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
uint32_t ntohl(uint32_t);
uint16_t htons(uint16_t);

int main(void)
{
    uint32_t x = __VERIFIER_nondet_uint();
    unsigned char *bytes = (unsigned char *)&x;
    if ((ntohl(x) >> 24) == bytes[0] || htons(0x1234) != 0x3412)
        reach_error();
    return 0;
}
