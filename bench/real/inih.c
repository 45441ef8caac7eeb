// A section and a line of which five characters are arbitrary: the handler gets strings that end, and what it gets fits.
// library: inih
// sources: ini.c
// include: .
// define: INI_MAX_LINE=16
// holds: unreach-call memory-safety
// unwind: 51
// bug strip memory-safety ini.c: while (end > s && isspace( => while (isspace(
// bug count unreach-call ini.c: lineno++; => lineno += 2;
#include "ini.h"
#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

static int calls;

static int handler(void *user, const char *section, const char *name, const char *value) {
    calls++;
    assert(user == &calls);
    assert(strlen(section) < 50);
    assert(strlen(name) <= 5 && strlen(value) <= 5);
    return 1;
}

int main(void) {
    char text[] = "[s]\n.....\n";
    for (int i = 4; i < 9; i++) {
        text[i] = __VERIFIER_nondet_char();
        if (text[i] == '\n' || text[i] == 0)
            text[i] = ' ';
    }
    int result = ini_parse_string(text, handler, &calls);
    assert(result == 0 || result == 2);
    assert(calls <= 1);
    return 0;
}
