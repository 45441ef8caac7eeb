// Options of up to three arbitrary letters.
// library: optparse
// include: .
// define: OPTPARSE_IMPLEMENTATION
// holds: unreach-call memory-safety
// unwind: 10
#include <stddef.h>
#include "optparse.h"
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char word[4] = "-", *argv[] = {"tool", word, "rest", NULL};
    for (int i = 1; i < 3; i++)
        word[i] = __VERIFIER_nondet_char();
    struct optparse options;
    optparse_init(&options, argv);
    int option, count = 0;
    while ((option = optparse(&options, "ab:")) != -1) {
        assert(option == 'a' || option == 'b' || option == '?');
        assert(option != 'b' || options.optarg);
        count++;
        assert(count <= 2);
    }
    assert(options.optind >= 1 && options.optind <= 3);
    return 0;
}
