extern void reach_error(void);

struct row { int cells[2]; };
static struct row first = { { 1, 2 } }, second = { { 3, 4 } };
static struct row *row = &first;
static int advance(void) { row = &second; return 1; }

int main(void)
{
    if (row->cells[advance()] == 4)
        reach_error();
    return 0;
}
