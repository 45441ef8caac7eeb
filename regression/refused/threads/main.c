#include <pthread.h>

extern void reach_error(void);
int shared;

void *worker(void *argument)
{
    shared = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    if (shared)
        reach_error();
    return 0;
}
