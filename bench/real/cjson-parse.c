// A text of five arbitrary characters that begins an array of literals.
// library: cJSON
// sources: cJSON.c
// include: .
// holds: unreach-call memory-safety
// unwind: 12
// bug literal unreach-call cJSON.c#1: item->type = cJSON_True; => item->type = cJSON_False;
#include "cJSON.h"
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[7] = "[true";
    for (int i = 5; i < 7; i++)
        text[i] = __VERIFIER_nondet_char();
    cJSON *item = cJSON_ParseWithLength(text, sizeof text);
    if (item) {
        assert(cJSON_IsArray(item));
        assert(cJSON_GetArraySize(item) == 1);
        assert(cJSON_IsTrue(cJSON_GetArrayItem(item, 0)));
        cJSON_Delete(item);
    }
    return 0;
}
