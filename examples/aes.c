// AES-128 on the test vector of FIPS-197, appendix C.1. Without inputs, the program has one execution: to run it is to
// prove it.
//
//     tamis check aes.c                 proves it
//     tamis check aes.c -D KEY=1        with another key, the text is another
#include <assert.h>
#include <stdint.h>
#include <string.h>

#ifndef KEY
#define KEY 0
#endif

enum { ROUNDS = 10, BLOCK = 16 };

static uint8_t sbox[256], inverse_sbox[256];

static uint8_t times_x(uint8_t a) {
    return (uint8_t)((a << 1) ^ ((a & 0x80) ? 0x1b : 0));
}

static uint8_t multiply(uint8_t a, uint8_t b) {
    uint8_t product = 0;
    for (; b != 0; b >>= 1, a = times_x(a))
        if (b & 1)
            product ^= a;
    return product;
}

static uint8_t rotate(uint8_t a, int by) {
    return (uint8_t)((a << by) | (a >> (8 - by)));
}

// The substitution is the inverse in the field, and then an affine map. The powers of 3 are all numbers but 0, and those
// of its inverse, 0xf6, are their inverses.
static void make_sboxes(void) {
    uint8_t power = 1, inverse = 1;
    do {
        uint8_t s = inverse ^ rotate(inverse, 1) ^ rotate(inverse, 2) ^ rotate(inverse, 3) ^ rotate(inverse, 4) ^ 0x63;
        sbox[power] = s;
        inverse_sbox[s] = power;
        power = multiply(power, 0x03);
        inverse = multiply(inverse, 0xf6);
    } while (power != 1);
    sbox[0] = 0x63;
    inverse_sbox[0x63] = 0;
}

static void expand_key(const uint8_t key[BLOCK], uint8_t schedule[(ROUNDS + 1) * BLOCK]) {
    uint8_t constant = 1;
    memcpy(schedule, key, BLOCK);
    for (int i = BLOCK; i < (ROUNDS + 1) * BLOCK; i += 4) {
        uint8_t word[4];
        memcpy(word, schedule + i - 4, sizeof word);
        if (i % BLOCK == 0) {
            uint8_t first = word[0];
            word[0] = sbox[word[1]] ^ constant;
            word[1] = sbox[word[2]];
            word[2] = sbox[word[3]];
            word[3] = sbox[first];
            constant = times_x(constant);
        }
        for (int j = 0; j < 4; j++)
            schedule[i + j] = schedule[i + j - BLOCK] ^ word[j];
    }
}

static void add_round_key(uint8_t state[BLOCK], const uint8_t *key) {
    for (int i = 0; i < BLOCK; i++)
        state[i] ^= key[i];
}

static void substitute(uint8_t state[BLOCK], const uint8_t box[256]) {
    for (int i = 0; i < BLOCK; i++)
        state[i] = box[state[i]];
}

// Row r moves by r columns to the left, or to the right.
static void shift_rows(uint8_t state[BLOCK], int direction) {
    uint8_t old[BLOCK];
    memcpy(old, state, BLOCK);
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            state[4 * column + row] = old[4 * ((column + direction * row + 4) % 4) + row];
}

static void mix_columns(uint8_t state[BLOCK], const uint8_t factors[4]) {
    for (uint8_t *column = state; column < state + BLOCK; column += 4) {
        uint8_t old[4];
        memcpy(old, column, sizeof old);
        for (int i = 0; i < 4; i++) {
            column[i] = 0;
            for (int j = 0; j < 4; j++)
                column[i] ^= multiply(old[j], factors[(j - i + 4) % 4]);
        }
    }
}

static void encrypt(uint8_t state[BLOCK], const uint8_t *schedule) {
    static const uint8_t factors[4] = {2, 3, 1, 1};
    add_round_key(state, schedule);
    for (int round = 1; round <= ROUNDS; round++) {
        substitute(state, sbox);
        shift_rows(state, 1);
        if (round < ROUNDS)
            mix_columns(state, factors);
        add_round_key(state, schedule + round * BLOCK);
    }
}

static void decrypt(uint8_t state[BLOCK], const uint8_t *schedule) {
    static const uint8_t factors[4] = {14, 11, 13, 9};
    for (int round = ROUNDS; round >= 1; round--) {
        add_round_key(state, schedule + round * BLOCK);
        if (round < ROUNDS)
            mix_columns(state, factors);
        shift_rows(state, -1);
        substitute(state, inverse_sbox);
    }
    add_round_key(state, schedule);
}

int main(void) {
    static const uint8_t expected[BLOCK] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                            0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    uint8_t key[BLOCK], plain[BLOCK], state[BLOCK], schedule[(ROUNDS + 1) * BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        key[i] = (uint8_t)(i + KEY);
        plain[i] = (uint8_t)(0x11 * i);
    }
    make_sboxes();
    expand_key(key, schedule);
    memcpy(state, plain, BLOCK);
    encrypt(state, schedule);
    assert(memcmp(state, expected, BLOCK) == 0);
    decrypt(state, schedule);
    assert(memcmp(state, plain, BLOCK) == 0);
    return 0;
}
