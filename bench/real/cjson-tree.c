// An array of items is built and taken apart again.
// library: cJSON
// sources: cJSON.c
// include: .
// holds: unreach-call memory-safety
// unwind: 12
// bug count unreach-call cJSON.c: size++; => size += 2;
// bug detach unreach-call cJSON.c: item->prev->next = item->next; => item->prev->next = item;
#include "cJSON.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    cJSON *array = cJSON_CreateArray();
    if (!array)
        return 0;
    int count = 0;
    for (int i = 0; i < 4; i++) {
        cJSON *item = __VERIFIER_nondet_int() ? cJSON_CreateTrue() : cJSON_CreateNull();
        if (item && cJSON_AddItemToArray(array, item))
            count++;
    }
    assert(cJSON_GetArraySize(array) == count);
    cJSON *second = cJSON_DetachItemFromArray(array, 1);
    if (second) {
        assert(cJSON_GetArraySize(array) == count - 1);
        assert(cJSON_IsTrue(second) || cJSON_IsNull(second));
        cJSON_Delete(second);
    }
    cJSON_Delete(array);
    return 0;
}
