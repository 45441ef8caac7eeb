extern void reach_error(void);

static unsigned long key = 0x1234;

static void secret(void)
{
    reach_error();
}

int main(void)
{
    unsigned long mangled = (unsigned long)secret ^ key;
    ((void (*)(void))(mangled ^ key))();
    return 0;
}
