extern void reach_error(void);

struct header { unsigned char text[6]; int sizes[2]; int kind; };
struct plain { int first; char second; };
union view { struct plain plain; struct header header; };
struct message { int number; struct { union view view; } inside; int end; };

static struct message message = {
    2,
    { { .header = { { 'a', 'b', 'c' }, { 4, 5 }, 7 } } },
    9
};

int main(void)
{
    struct header *h = &message.inside.view.header;
    if (h->text[2] != 'c' || h->text[3] != 0 || h->sizes[1] != 5 || h->kind != 7 || message.end != 9)
        reach_error();
    return 0;
}
