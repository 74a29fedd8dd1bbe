// Reef Route, random play, written by hand as tight as we can: the yardstick for the compiled rules.
// The board is a set of rows for each column, so that a shift or two tells where a piece can go.
#include "random_play.h"
#ifdef __BMI2__
#include <immintrin.h>
#endif

using u16 = std::uint16_t;
using u8 = std::uint8_t;

constexpr int COLUMNS = 10, COLOURS = 4, SCHOOL = 4, PREDATORS = 3, LIMIT = 300, NOBODY = -1;

// A tile is 8 * column + row; columns count from 1 as on the rule page, rows from 0. In the set of a column, row r is bit
// r + 2, and no other bit is ever free: a shift by r brings the row above to bit 1, that below to bit 3.
constexpr u16 ROWS = 0xFF << 2;
constexpr int REEF = 8 * (COLUMNS + 1), EATEN = REEF + 8;

// A step is one of a few bits: forward, up and down. A large predator has two rows, so its way down is a bit further.
constexpr int FORWARD = 1 << 0, UP = 1 << 1, DOWN = 1 << 3, LARGE_DOWN = 1 << 4;
constexpr int SWIM[] = {8, -1, 0, 1}, HUNT[] = {-8, -1, 0, 1, 1};
constexpr u64 FISH_FORWARD = 0x1111111111111111;  // of 16 fish, which have four bits each

enum { SMALL, MEDIUM, LARGE };
constexpr u16 SHAPE[PREDATORS][2] = {{1, 0}, {1, 1}, {3, 3}};  // the rows that a predator covers in its two columns
constexpr u8 START[PREDATORS] = {8 * 10 + 1, 8 * 9 + 3, 8 * 9 + 5};

// Of the tickets of a roll the first show two predators, then come those with one, then the pairs of colours.
constexpr int TICKETS = 36, TWO_PREDATORS = 4, PREDATOR = 20;
constexpr u8 PAIRS[TICKETS - PREDATOR][2] = {{0, 0}, {0, 1}, {0, 1}, {0, 2}, {0, 2}, {0, 3}, {0, 3}, {1, 1},
                                             {1, 2}, {1, 2}, {1, 3}, {1, 3}, {2, 2}, {2, 3}, {2, 3}, {3, 3}};

// The place of the i-th bit of a set.
static inline int nth_bit(u64 set, int i) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ull << i, set));
#else
    while (i--) set &= set - 1;
    return __builtin_ctzll(set);
#endif
}

template <int PLAYERS>
struct Game {
    static constexpr int SEATS = PLAYERS;
    // Rows with no fish and no predator, and rows with no predator. All starting tiles will be taken. Fish can always go
    // to the reef; eaten fish are kept behind it, where nothing is free. Predators cannot go to column 0.
    u16 vacant[COLUMNS + 4] = {0, 0, 0, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, 0, 0};
    u16 open[COLUMNS + 2] = {0, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, ROWS, 0};
    u8 fish[COLOURS * SCHOOL], lair[PREDATORS];
    u8 who[REEF];  // the fish that came to a tile last
    int schools[COLOURS] = {SCHOOL, SCHOOL, SCHOOL, SCHOOL};
    int colours = (1 << COLOURS) - 1;  // those with fish
    int seat = 0, winner = NOBODY, score[PLAYERS];
    i64 decisions = 0;

    inline int choose(u64 moves, Stream& s) {
        ++decisions;
        return nth_bit(moves, s.below(__builtin_popcountll(moves)));
    }

    // Setting up

    inline void cover(int number, int tile) {
        int c = tile / 8, row = tile % 8 + 2, first = SHAPE[number][0] << row, second = SHAPE[number][1] << row;
        lair[number] = tile;
        vacant[c] &= ~first, vacant[c + 1] &= ~second;
        open[c] &= ~first, open[c + 1] &= ~second;
    }

    inline void put(int one, int start) {
        int tile = start < 8 ? 8 * 2 + start : start;  // the front column comes first
        fish[one] = tile;
        who[tile] = one;
    }

    inline void set_up(Stream& s) {
        for (int number = 0; number < PREDATORS; ++number) cover(number, START[number]);
        int empty = 0xFFFF;
        for (int number = 0; number < SCHOOL; ++number)
            for (int p = 0; p < PLAYERS; ++p) {
                int start = choose(number == 0 ? empty & 0xFF : empty, s);
                empty ^= 1 << start;
                put(SCHOOL * p + number, start);
            }
        int next[] = {SCHOOL * 2, SCHOOL * 3}, waiting[] = {PLAYERS == 2 ? SCHOOL : 0, PLAYERS < 4 ? SCHOOL : 0};
        for (; empty; empty &= empty - 1) {
            bool lot = waiting[0] && waiting[1];
            int c = lot ? s.below(waiting[0] + waiting[1]) >= waiting[0] : waiting[0] == 0;
            --waiting[c];
            put(next[c]++, __builtin_ctz(empty));
        }
    }

    // Predators: eight bits for the steps of each.

    inline u64 hunts() const {
        u64 found = 0;
        for (int number = 0; number < PREDATORS; ++number) {
            int c = lair[number] / 8, row = lair[number] % 8, beside = open[c], before = open[c - 1];
            if (number != SMALL) beside &= open[c + 1];
            if (number == LARGE) before &= before >> 1;
            int sideways = beside >> row & (number == LARGE ? UP | LARGE_DOWN : UP | DOWN);
            found |= u64(sideways | (before >> (row + 2) & FORWARD)) << 8 * number;
        }
        return found;
    }

    inline void leave(int number) {
        int tile = lair[number], c = tile / 8, row = tile % 8 + 2;
        int first = SHAPE[number][0] << row, second = SHAPE[number][1] << row;
        vacant[c] |= first, vacant[c + 1] |= second;
        open[c] |= first, open[c + 1] |= second;
    }

    // A predator's step. Whether the game goes on.
    inline bool hunt(Stream& s) {
        int step = choose(hunts(), s), number = step / 8;
        leave(number);
        int tile = lair[number] + HUNT[step % 8], c = tile / 8, row = tile % 8 + 2;
        int prey = (SHAPE[number][0] << row & ~vacant[c]) | (SHAPE[number][1] << row & ~vacant[c + 1]) << 16;
        cover(number, tile);
        return prey == 0 || eat(8 * c, prey);
    }

    inline bool eat(int column, int prey) {
        for (; prey; prey &= prey - 1) {
            int bit = __builtin_ctz(prey), one = who[column + bit / 16 * 8 + bit % 16 - 2], colour = one / SCHOOL;
            fish[one] = EATEN;
            if (--schools[colour] == 0) colours ^= 1 << colour;
        }
        if (colours >> PLAYERS << PLAYERS == colours) return false;
        if (colours & (colours - 1)) return true;
        winner = __builtin_ctz(colours);
        return false;
    }

    // Fish: four bits for the steps of each, sixteen for a colour.

    inline u64 steps(int colour) const {
        u64 found = 0;
        for (int number = 0; number < SCHOOL; ++number) {
            int tile = fish[SCHOOL * colour + number], c = tile / 8, row = tile % 8;
            int one = (vacant[c] >> row & (UP | DOWN)) | (vacant[c + 1] >> (row + 2) & FORWARD);
            found |= u64(one) << 4 * number;
        }
        return found;
    }

    inline u64 swims(int colour) const { return steps(colour) & (colour == seat ? 0xFFFF : FISH_FORWARD & 0xFFFF); }

    // A step of a fish. Whether the game goes on.
    inline bool swim(int colour, int step) {
        int one = SCHOOL * colour + step / 4 % SCHOOL, tile = fish[one], goal = tile + SWIM[step % 4];
        if (goal >= REEF) {
            if (colour < PLAYERS) winner = colour;
            return false;
        }
        vacant[tile / 8] |= 1 << (tile % 8 + 2);
        vacant[goal / 8] &= ~(1 << (goal % 8 + 2));
        fish[one] = goal;
        who[goal] = one;
        return true;
    }

    inline bool swim_if_possible(int colour, Stream& s) {
        u64 moves = swims(colour);
        return moves == 0 || swim(colour, choose(moves, s));
    }

    // Neither die can be used.
    inline bool swim_any(Stream& s) {
        u64 moves = FISH_FORWARD & (steps(0) | steps(1) << 16 | steps(2) << 32 | steps(3) << 48);
        if (moves == 0) return true;
        int step = choose(moves, s);
        return swim(step / 16, step);
    }

    // What the dice ask for. Whether the game goes on.
    inline bool turn(Stream& s) {
        int ticket = s.below(TICKETS);
        if (ticket < PREDATOR) {
            if (!hunt(s)) return false;
            return ticket < TWO_PREDATORS ? hunt(s) : swim_if_possible((ticket - TWO_PREDATORS) / 4, s);
        }
        int one = PAIRS[ticket - PREDATOR][0], other = PAIRS[ticket - PREDATOR][1];
        u64 moves = swims(one) | (one == other ? 0 : swims(other) << 16);
        if (moves == 0) return swim_any(s);
        int step = choose(moves, s);
        if (step >= 16) {
            int used = other;
            other = one;
            one = used;
        }
        return swim(one, step) && swim_if_possible(other, s);
    }

    inline void play(Stream& s) {
        set_up(s);
        for (int rolls = 1; turn(s) && rolls < LIMIT; ++rolls)
            do seat = seat + 1 == PLAYERS ? 0 : seat + 1;
            while (schools[seat] == 0);
        for (int p = 0; p < PLAYERS; ++p) score[p] = winner == NOBODY ? 0 : winner == p ? 1 : -1;
    }

    inline bool won(int p) const { return winner == p; }
};

int main(int, char** argv) {
    switch (std::atoi(argv[2])) {
        case 2: return run<Game<2>>(argv);
        case 3: return run<Game<3>>(argv);
        case 4: return run<Game<4>>(argv);
        default: return 2;
    }
}
