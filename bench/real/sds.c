// Strings are concatenated, with a length that is an input.
// library: sds
// sources: sds.c
// include: .
// holds: unreach-call memory-safety
// unwind: 12
// bug terminator unreach-call sds.c: memcpy(s+curlen, t, len); => memcpy(s+curlen+1, t, len);
// bug room memory-safety sds.c: sdsMakeRoomFor(s,len) => sdsMakeRoomFor(s,0)
#include "sds.h"
#include <assert.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static const char more[] = "world!";
    size_t length = __VERIFIER_nondet_uchar();
    if (length > sizeof more - 1)
        return 0;
    sds text = sdsnew("hello");
    if (!text)
        return 0;
    text = sdscatlen(text, more, length);
    if (!text)
        return 0;
    assert(sdslen(text) == 5 + length);
    assert(text[5 + length] == 0);
    for (size_t i = 0; i < length; i++)
        assert(text[5 + i] == more[i]);
    sdsfree(text);
    return 0;
}
