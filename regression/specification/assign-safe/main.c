static int count(void) {
    static int level;
    level++;
    level++;
    return level;
}
struct { int depth, width; } level;
int main(void) {
    level.depth = count();
    {
        int level = 1;
        level = 2;
        return level;
    }
}
