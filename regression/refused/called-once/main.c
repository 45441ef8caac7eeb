#include <threads.h>
extern void reach_error(void);

static int made;
once_flag flag = ONCE_FLAG_INIT;

void make(void)
{
    made++;
}

int main(void)
{
    call_once(&flag, make);
    call_once(&flag, make);
    if (made == 1)
        reach_error();
    return 0;
}
