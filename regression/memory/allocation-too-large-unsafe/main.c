extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(-8);
    reach_error();
    return p != 0;
}
