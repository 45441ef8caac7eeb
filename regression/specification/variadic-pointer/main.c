static int say(int n, ...) { return n; }
int main(void) {
    int (*speak)(int, ...) = say;
    return speak(1, 2) + speak(0, 1);
}
