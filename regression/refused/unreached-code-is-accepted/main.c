extern void reach_error(void);

struct list { struct list *next; double weight; };

double total(struct list *l)
{
    double sum = 0;
    while (l) {
        sum += l->weight;
        l = l->next;
    }
    return sum;
}

int main(void)
{
    int x = 1;
    if (x == 2)
        reach_error();
    return 0;
}
