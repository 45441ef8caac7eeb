extern void reach_error(void);

int main(void)
{
    void *next = &&end;
    goto *next;
    reach_error();
end:
    return 0;
}
