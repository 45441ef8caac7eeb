extern void reach_error(void);
void unused(void) { reach_error(); }
int main(void) { return 0; }
