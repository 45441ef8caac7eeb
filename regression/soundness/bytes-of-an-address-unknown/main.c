extern void reach_error(void);

int cell;

int main(void)
{
    int *from = &cell, *to;
    unsigned char buffer[sizeof from];
    for (int i = 0; i < sizeof from; i++)
        buffer[i] = ((unsigned char *)&from)[i];
    for (int i = 0; i < sizeof to; i++)
        ((unsigned char *)&to)[i] = buffer[i];
    *to = 1;
    if (cell == 1)
        reach_error();
    return 0;
}
