// A JSON text of six arbitrary bytes: tokens are within it, and within the tokens that there is room for.
// library: jsmn
// include: .
// holds: unreach-call memory-safety
// unwind: 9
// bug full memory-safety jsmn.h: parser->toknext >= num_tokens => parser->toknext > num_tokens
// bug size unreach-call jsmn.h: token->end = end; => token->end = end + 1;
#include "jsmn.h"
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

#define LENGTH 6
#define TOKENS 3

int main(void) {
    char text[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    jsmn_parser parser;
    jsmntok_t tokens[TOKENS];
    jsmn_init(&parser);
    int found = jsmn_parse(&parser, text, LENGTH, tokens, TOKENS);
    assert(found <= TOKENS);
    for (int i = 0; i < found; i++) {
        assert(0 <= tokens[i].start && tokens[i].start <= tokens[i].end);
        assert(tokens[i].end <= LENGTH);
    }
    return 0;
}
