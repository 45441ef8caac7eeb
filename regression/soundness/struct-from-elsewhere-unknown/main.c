extern void reach_error(void);

struct point { int x, y; };
struct point measure(void);

int main(void)
{
    struct point last = measure();
    for (int i = 0; i < 3; i++) {
        struct point next = measure();
        if (next.x != last.x)
            reach_error();
        last = next;
    }
    return 0;
}
