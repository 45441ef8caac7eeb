// A flag and an integer among the arguments, one character of which is arbitrary.
// library: argparse
// sources: argparse.c
// include: .
// holds: unreach-call memory-safety
// unwind: 20
// bug rest memory-safety argparse.c#2: self->argc--; => ;
#include "argparse.h"
#include <assert.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    int force = 0, number = 0;
    char value[3] = "-n";
    value[1] = __VERIFIER_nondet_char();
    if (value[1] != 'f' && value[1] != 'n' && value[1] != 'x')
        return 0;
    const char *argv[] = {"tool", value, "7", NULL};
    struct argparse_option options[] = {
        OPT_BOOLEAN('f', "force", &force, "force", NULL, 0, 0),
        OPT_INTEGER('n', "number", &number, "number", NULL, 0, 0),
        OPT_END(),
    };
    struct argparse parser;
    argparse_init(&parser, options, NULL, 0);
    int rest = argparse_parse(&parser, 3, argv);
    if (value[1] == 'n')
        assert(number == 7 && rest == 0);
    else
        assert(force == 1 && rest == 1);
    return 0;
}
