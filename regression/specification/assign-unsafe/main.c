static int count(void) {
    static int level;
    level++;
    level++;
    return level;
}
struct { int depth, width; } level;
int main(void) {
    level.depth = count();
    return count() && (level.width = 3) ? 1 : 0;
}
