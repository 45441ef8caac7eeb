extern void reach_error(void);

struct device { int id; struct { void (*start)(void); } *ops; };
struct device measure(void);

int main(void)
{
    struct device found = measure();
    found.ops->start();
    reach_error();
    return 0;
}
