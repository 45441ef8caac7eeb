/* Two traffic lights at a crossing, run by a timer and a button for pedestrians. At no time do both roads have a light
   other than red, and a green light turns yellow before it turns red.

       tamis check traffic-light.c                 proves it
       tamis check traffic-light.c -D EAGER        finds the accident, when the second road need not wait */

#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum light { RED, YELLOW, GREEN };

int main(void)
{
    enum light north = GREEN, east = RED;
    _Bool east_is_next = 1;

    for (;;) {
        _Bool timer = __VERIFIER_nondet_bool();
        _Bool button = __VERIFIER_nondet_bool();
        enum light north_before = north, east_before = east;

        if (north == GREEN && (timer || button)) {
            north = YELLOW;
        } else if (east == GREEN && (timer || button)) {
            east = YELLOW;
        } else if (north == YELLOW && timer) {
            north = RED;
            east_is_next = 1;
        } else if (east == YELLOW && timer) {
            east = RED;
            east_is_next = 0;
        } else if (north == RED && east == RED && !button) {
            if (east_is_next)
                east = GREEN;
            else
                north = GREEN;
        }
#ifdef EAGER
        if (button && north == YELLOW)
            east = GREEN;
#endif
        assert(north == RED || east == RED);
        assert(!(north_before == GREEN && north == RED));
        assert(!(east_before == GREEN && east == RED));
    }
}
