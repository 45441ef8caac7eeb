extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

struct location { int control; int routine; };
struct request { int status; struct location *current; };

int main(void)
{
    struct request *request = malloc(sizeof *request);
    if (!request)
        return 0;
    struct location *next = request->current - 1;
    next->control = __VERIFIER_nondet_int();
    request->current = next;
    if (request->current->control == 5)
        reach_error();
    return 0;
}
