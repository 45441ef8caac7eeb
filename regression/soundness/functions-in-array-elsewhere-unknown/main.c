extern void reach_error(void);

struct operations { void (*open)(void); void (*close)(void); };
extern struct operations *table[4];

int main(void)
{
    table[2]->close();
    reach_error();
    return 0;
}
