extern void reach_error(void);

struct point { int x, y; };
static struct point points[] = {[1] = {.y = 7}};

int main(void)
{
    if (points[1].y != 7 || points[0].x)
        reach_error();
    return 0;
}
