// Sand Castles, random play, written by hand as tight as we can: the yardstick for the compiled rules.
// A heap of tiles is one number with seven bits for each kind, so that all kinds are added, counted and compared at once.
#include "random_play.h"
#ifdef __BMI2__
#include <immintrin.h>
#endif

using Heap = u64;
using Set = u64;
using u8 = std::uint8_t;

// A kind is the place of its lowest bit, in the tile order. Waves are in no heap, the pool counts its own; their place is
// behind all others.
enum {
    SAND = 0, PEBBLE = 7, SEAWEED = 14, STICK = 21, BUTTERFLY = 28, FAN = 35, SPIRAL = 42, SHOVEL = 49, RAKE = 56, WAVE = 57
};

constexpr Heap tile(int kind) { return 1ull << kind; }

constexpr Heap heap(int sand, int pebble, int seaweed, int stick, int butterfly, int fan, int spiral) {
    return sand * tile(SAND) + pebble * tile(PEBBLE) + seaweed * tile(SEAWEED) + stick * tile(STICK) +
           butterfly * tile(BUTTERFLY) + fan * tile(FAN) + spiral * tile(SPIRAL);
}

constexpr Heap TOOLS = tile(SHOVEL) + tile(RAKE);
constexpr Heap ONE_EACH = heap(1, 1, 1, 1, 1, 1, 1) + TOOLS;
constexpr Heap TOP = ONE_EACH << 6;  // the highest bit of each kind, for which there are too few tiles
constexpr Heap DECORATIONS = heap(0, 1, 1, 1, 1, 1, 1) * 127;
constexpr Heap ALL = heap(14, 7, 6, 5, 4, 3, 2) + TOOLS;

constexpr int WAVES = 3, ALL_TILES = 46, ROW = 5, CASTLE = 4, KEPT = 4, LOOKED_AT = 3, ROUNDS = 60, NOBODY = -1;

struct Wall {
    int points;
    Heap cost;
};

// Twelve walls for two players; then four more for three, and four for four.
constexpr int WALLS = 20;
constexpr Wall WALL[WALLS] = {
    {4, heap(1, 1, 1, 0, 0, 0, 0)}, {4, heap(1, 1, 0, 1, 0, 0, 0)}, {5, heap(1, 1, 1, 1, 0, 0, 0)},
    {5, heap(2, 2, 0, 0, 0, 0, 0)}, {5, heap(1, 0, 1, 0, 1, 0, 0)}, {6, heap(2, 1, 0, 0, 1, 0, 0)},
    {6, heap(1, 0, 0, 1, 0, 1, 0)}, {7, heap(2, 0, 1, 0, 0, 1, 0)}, {7, heap(1, 1, 0, 0, 0, 0, 1)},
    {8, heap(1, 0, 0, 1, 1, 1, 0)}, {9, heap(1, 0, 1, 0, 1, 0, 1)}, {10, heap(1, 1, 0, 0, 0, 1, 1)},
    {7, heap(1, 0, 0, 1, 2, 0, 0)}, {5, heap(1, 1, 2, 0, 0, 0, 0)}, {6, heap(2, 1, 1, 1, 0, 0, 0)},
    {8, heap(2, 0, 0, 1, 0, 0, 1)}, {4, heap(1, 0, 1, 1, 0, 0, 0)}, {6, heap(1, 0, 0, 2, 1, 0, 0)},
    {8, heap(1, 0, 0, 0, 0, 2, 0)}, {9, heap(2, 0, 0, 0, 1, 0, 1)},
};

// The heaps that pay for a wall: that without tools, then by what the shovel stands for, then by what the rake stands for.
constexpr int MOST_WAYS = 8;
struct Payments {
    Heap heaps[WALLS][MOST_WAYS] = {};
    int ways[WALLS] = {};

    constexpr Payments() {
        constexpr int shovels[] = {SHOVEL, BUTTERFLY, FAN, SPIRAL}, rakes[] = {RAKE, PEBBLE, SEAWEED, STICK};
        for (int wall = 0; wall < WALLS; ++wall)
            for (int shovel : shovels)
                for (int rake : rakes) {
                    // A tool that stands for itself is not in use.
                    Heap cost = WALL[wall].cost, shown = cost + TOOLS;
                    if ((shown >> shovel & 127) && (shown >> rake & 127))
                        heaps[wall][ways[wall]++] = shown - tile(shovel) - tile(rake);
                }
    }
};
constexpr Payments PAYMENTS;

// How many sets of fewer than `size` there are among `n`.
struct Sets {
    int fewer[ALL_TILES + 1][LOOKED_AT + 2] = {};

    constexpr Sets() {
        for (int n = 0; n <= ALL_TILES; ++n) {
            const int exactly[] = {1, n, n * (n - 1) / 2, n * (n - 1) * (n - 2) / 6};
            for (int size = 0; size <= LOOKED_AT; ++size) fewer[n][size + 1] = fewer[n][size] + exactly[size];
        }
    }
};
constexpr Sets SETS;

static inline int size(Set set) { return __builtin_popcountll(set); }
static inline int first(Set set) { return __builtin_ctzll(set); }

// The i-th member of a set, as a set.
static inline Set nth(Set set, int i) {
#ifdef __BMI2__
    return _pdep_u64(1ull << i, set);
#else
    while (i--) set &= set - 1;
    return set & -set;
#endif
}

static inline int tiles(Heap h) { return h * ONE_EACH >> RAKE & 127; }

// The kinds in a heap, by their highest bits.
static inline Set kinds(Heap h) { return (h + ONE_EACH * 63) & TOP; }

template <int PLAYERS>
struct Game {
    static constexpr int SEATS = PLAYERS;
    static constexpr bool SEAGULL = PLAYERS > 2;
    // The beach is not written down: when a wave comes, all that is in no stash goes to the pool.
    Heap pool = ALL, line = 0, stashes[PLAYERS] = {};
    Heap upto[RAKE + 1];  // for each kind in the line, the line up to its last tile
    int pool_waves = WAVES, waves_out = 0;
    Set places = 0;
    u8 peeked[ALL_TILES];
    Set stack = (1 << (4 * PLAYERS + 4)) - 1, row = 0;
    int built[PLAYERS] = {}, score[PLAYERS] = {};
    int seat = 0, round = 1, final_by = NOBODY, crab = PLAYERS - 1, seagull = SEAGULL ? 0 : NOBODY;
    bool seagull_used = false;
    i64 decisions = 0;

    static inline int clockwise(int p) { return p + 1 == PLAYERS ? 0 : p + 1; }

    inline int decide(int n, Stream& s) {
        ++decisions;
        return s.below(n);
    }

    // Collecting

    inline int draw(Stream& s) {
        Heap sums = pool * ONE_EACH;  // for each kind, how many tiles there are up to it in the tile order
        int i = s.below((sums >> RAKE & 127) + pool_waves);
        Set more = (sums + ONE_EACH * (63 - i)) & TOP;  // the kinds up to which there are more than i
        int kind = first(more | 1ull << (WAVE + 6)) - 6;
        if (kind == WAVE) --pool_waves;
        else pool -= tile(kind);
        return kind;
    }

    // To the end of the collecting: by a choice, a drop, or a wave that is not nimble.
    inline void collect(Stream& s) {
        for (;;) {
            int kind, unknown = tiles(pool) + pool_waves, known = SEAGULL ? size(places) : 0;
            int others = known + (line != 0), fewest = 0, looks = 0;
            if (SEAGULL && seagull == seat && !seagull_used) {
                if (unknown < LOOKED_AT) fewest = known < LOOKED_AT - unknown ? known : LOOKED_AT - unknown;
                looks = SETS.fewer[known][LOOKED_AT + 1] - SETS.fewer[known][fewest];
            }
            int i = decide((unknown > 0) + others + looks, s) - (unknown > 0);
            if (i < 0) {
                kind = draw(s);
            } else if (i < known) {
                kind = lift(nth(places, i));
            } else if (!SEAGULL || i < others) {
                stashes[seat] += line;
                line = 0;
                return;
            } else {
                kind = look(i - others, unknown, known, fewest, s);
            }
            if (kind == WAVE) {
                bool nimble = line == 0;
                wave(s);
                if (!nimble) return;
            } else if ((line & DECORATIONS) >> kind & 127) {
                drop(kind, s);
                return;
            } else {
                upto[kind] = line += tile(kind);
            }
        }
    }

    inline void drop(int kind, Stream& s) {
        Heap dropped = line - upto[kind] + tile(kind);
        stashes[seat] += upto[kind];
        line = 0;
        for (int p = clockwise(seat); dropped; p = clockwise(p)) {
            Set found = kinds(dropped);
            Heap taken = nth(found, decide(size(found), s)) >> 6;
            dropped -= taken;
            stashes[p] += taken;
        }
    }

    inline void wave(Stream& s) {
        stashes[seat] += line;
        line = places = 0;
        if (++waves_out == WAVES) waves_out = 0;
        pool_waves = WAVES - waves_out;
        pool = ALL;
        int p = seat;
        do {
            Heap left = stashes[p];
            for (int n = tiles(left); n > 0; --n) {
                Set found = kinds(left);
                int give = size(found), i = decide(give + (n <= KEPT), s);
                if (i == give) break;
                left -= nth(found, i) >> 6;
            }
            stashes[p] = left;
            pool -= left;
            p = clockwise(p);
        } while (p != seat);
    }

    // The Seagull. Places count from 0 here.

    inline int lift(Set place) {
        places ^= place;
        return peeked[first(place)];
    }

    // Looks are numbered by how many places they name, then by the first place, the second, the third.
    inline int look(int i, int unknown, int known, int fewest, Stream& s) {
        int named = fewest, at = 0, seen = unknown + known < LOOKED_AT ? unknown + known : LOOKED_AT;
        i += SETS.fewer[known][fewest];
        while (i >= SETS.fewer[known][named + 1]) ++named;
        i -= SETS.fewer[known][named];
        Set looking = 0;
        for (int left = named - 1; left >= 0; --left, ++at) {
            for (;; ++at) {
                const int* fewer = SETS.fewer[known - at - 1];
                int sets = fewer[left + 1] - fewer[left];
                if (i < sets) break;
                i -= sets;
            }
            looking |= nth(places, at);
        }
        for (; named < seen; ++named) {
            int place = first(~places);
            peeked[place] = draw(s);
            places |= 1ull << place;
            looking |= 1ull << place;
        }
        seagull_used = true;
        return lift(nth(looking, decide(size(looking), s)));
    }

    inline void pass_seagull(Stream& s) {
        int fewest = CASTLE + 1;
        Set found = 0;
        for (int p = 0; p < PLAYERS; ++p) {
            if (p == seat || built[p] > fewest) continue;
            if (built[p] < fewest) found = 0;
            fewest = built[p];
            found |= 1 << p;
        }
        seagull = first(size(found) == 1 ? found : nth(found, decide(size(found), s)));
        seagull_used = false;
    }

    // Building

    inline void turn_up(Stream& s) {
        Set wall = nth(stack, s.below(size(stack)));
        stack ^= wall;
        row ^= wall;
    }

    // To the end of the turn: by a choice, or when nothing is possible.
    inline void build_step(Stream& s) {
        for (;;) {
            u8 walls[ROW * MOST_WAYS + 1], ways[ROW * MOST_WAYS + 1];
            int builds = built[seat] < CASTLE ? list_builds(walls, ways) : 0, n = builds;
            if (crab == seat)
                for (int p = 0; p < PLAYERS; ++p)
                    if (p != seat) n += size(kinds(stashes[p]));
            if (n == 0) return;
            int i = decide(n + 1, s);
            if (i == n) return;
            if (i >= builds) {
                pinch(i - builds);
                continue;
            }
            build(walls[i], ways[i]);
            if (stack) turn_up(s);
            if (final_by == NOBODY || final_by == seat) return;
        }
    }

    inline int list_builds(u8* walls, u8* ways) const {
        int n = 0;
        Heap with_top = stashes[seat] | TOP;
        bool tools = stashes[seat] >> SHOVEL;
        for (Set left = row; left; left &= left - 1) {
            int wall = first(left), number = tools ? PAYMENTS.ways[wall] : 1;
            for (int way = 0; way < number; ++way) {
                walls[n] = wall;
                ways[n] = way;
                n += ((with_top - PAYMENTS.heaps[wall][way]) & TOP) == TOP;
            }
        }
        return n;
    }

    inline void build(int wall, int way) {
        stashes[seat] -= PAYMENTS.heaps[wall][way];
        row ^= 1 << wall;
        score[seat] += WALL[wall].points;
        if (++built[seat] == CASTLE && final_by == NOBODY) final_by = seat;
    }

    inline void pinch(int i) {
        for (int p = 0; p < PLAYERS; ++p) {
            if (p == seat) continue;
            Set found = kinds(stashes[p]);
            if (i < size(found)) {
                Heap taken = nth(found, i) >> 6;
                stashes[p] -= taken;
                stashes[seat] += taken;
                crab = p;
                return;
            }
            i -= size(found);
        }
    }

    inline bool last_turn() const {
        if (final_by != NOBODY) return clockwise(seat) == final_by;
        return round == ROUNDS && seat == PLAYERS - 1;
    }

    inline void play(Stream& s) {
        while (size(row) < ROW) turn_up(s);
        for (;;) {
            collect(s);
            build_step(s);
            if (last_turn()) break;
            if (SEAGULL && seagull == seat) pass_seagull(s);
            seat = clockwise(seat);
            round += seat == 0;
        }
        for (int p = 0; p < PLAYERS; ++p) score[p] += tiles(stashes[p]);
    }

    inline int rank(int p) const { return (score[p] * 100 + built[p]) * 100 + tiles(stashes[p]); }

    inline bool won(int seat) const {
        int best = 0;
        for (int p = 0; p < PLAYERS; ++p)
            if (rank(p) > best) best = rank(p);
        return rank(seat) == best;
    }
};

int main(int, char** argv) {
    switch (std::atoi(argv[2])) {
        case 2: return run<Game<2>>(argv);
        case 3: return run<Game<3>>(argv);
        case 4: return run<Game<4>>(argv);
        default: return 2;
    }
}
