// Up the River, random play, written by hand as tight as we can: the yardstick for the compiled rules.
// Usage: up_the_river GAMES PLAYERS SEED FIRST. Prints: seconds steps decisions wins... scores...
// The same draws as strandline.engine.draws, so the same games are played and the totals must agree. With -DCHEAP other
// ones, of a sequence with one product a draw: what is gained by that is what draws cost which can be asked for by number.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u64 M63 = 0x7FFFFFFFFFFFFFFF, WEYL = 0x1E3779B97F4A7C15, SPREAD = 0x369DEA0F31A53F85, STIR = 0x5851F42D4C957F2D;

static inline u64 times(u64 a, u64 b) { return a * b & M63; }

static inline u64 mix(u64 x) {
    x = times(x ^ (x >> 32), SPREAD);
    x = times(x ^ (x >> 29), STIR);
    return x ^ (x >> 32);
}

struct Stream {
    u64 a, b, bits = 0, k = 0;

    Stream(u64 seed, u64 number) {
        a = mix(mix(seed ^ STIR) ^ times(number, WEYL));
        b = mix(a ^ mix(number ^ SPREAD));
    }

#ifdef CHEAP
    inline int below(int n) {
        ++k;
        a = a * 0x5851F42D4C957F2D + 0x14057B7EF767814F;
        return int((a >> 33) * unsigned(n) >> 31);
    }
#else
    inline int below(int n) {
        u64 word;
        if (k & 1) {
            word = bits & 0x7FFFFFFF;
        } else {
            u64 x = times(k >> 1, WEYL) ^ a;
            x = times(x ^ (x >> 32), SPREAD) ^ b;
            x = times(x ^ (x >> 29), STIR);
            bits = x ^ (x >> 32);
            word = bits >> 32;
        }
        ++k;
        return int(word * unsigned(n) >> 31);
    }
#endif
};

constexpr int HARBOR = 11, TOP = 10, LIMIT = 100;

template <int PLAYERS>
struct Game {
    int boats[PLAYERS][3], score[PLAYERS];
    int sandbank = 9, tide = 6, dock = 12, round = 1, player = 0;
    i64 decisions = 0;

    Game() {
        for (int p = 0; p < PLAYERS; ++p) {
            score[p] = 0;
            for (int b = 0; b < 3; ++b) boats[p][b] = 4;
        }
    }

    static inline bool on_river(int q) { return unsigned(q - 1) < 10u; }

    inline int afloat(int p) const {
        return on_river(boats[p][0]) + on_river(boats[p][1]) + on_river(boats[p][2]);
    }

    inline int upstream(int from, int cards) const {
        int goal = from + cards < HARBOR ? from + cards : HARBOR;
        return from < sandbank && sandbank < goal ? sandbank : goal;
    }

    inline int ahead(int p, int from) const {
        int best = HARBOR;
        for (int b = 0; b < 3; ++b)
            if (from < boats[p][b] && boats[p][b] < best) best = boats[p][b];
        return best;
    }

    inline int behind(int p, int from) const {
        int best = 0;
        for (int b = 0; b < 3; ++b)
            if (best < boats[p][b] && boats[p][b] < from) best = boats[p][b];
        return best;
    }

    inline void sail(int die, Stream& s) {
        int one = on_river(boats[player][0]), two = one + on_river(boats[player][1]), all = two + on_river(boats[player][2]);
        int i = s.below(all), b = (one <= i) + (two <= i);
        ++decisions;
        int from = boats[player][b], goal = upstream(from, die);
        if (goal == tide && goal == from + die) goal = upstream(goal, 3);
        boats[player][b] = goal;
        if (goal == HARBOR) score[player] += dock--;
    }

    inline void wind(Stream& s) {
        int* from[3 * PLAYERS];
        int goal[3 * PLAYERS], n = 0;
        for (int b = 0; b < 3; ++b) {
            int q = boats[player][b];
            if (!on_river(q)) continue;
            int next = ahead(player, q);
            if (next == HARBOR) continue;
            from[n] = &boats[player][b];
            goal[n++] = upstream(q, next - q);
        }
        for (int p = 0; p < PLAYERS; ++p) {
            if (p == player) continue;
            for (int b = 0; b < 3; ++b) {
                int q = boats[p][b];
                if (!on_river(q)) continue;
                int next = behind(p, q);
                if (next == 0) continue;
                from[n] = &boats[p][b];
                goal[n++] = next;
            }
        }
        if (n == 0) return;
        ++decisions;
        int i = s.below(n);
        *from[i] = goal[i];
    }

    inline bool next_turn() {
        for (int p = player + 1; p < PLAYERS; ++p)
            if (afloat(p)) { player = p; return true; }
        bool any = false;
        for (int p = 0; p <= player; ++p) any |= afloat(p) > 0;
        if (!any || round == LIMIT) return false;
        ++round;
        for (int p = 0; p < PLAYERS; ++p)
            for (int b = 0; b < 3; ++b) boats[p][b] -= on_river(boats[p][b]);
        sandbank = sandbank > 1 ? sandbank - 1 : TOP;
        tide = tide > 1 ? tide - 1 : TOP;
        for (int p = 0; p < PLAYERS; ++p)
            if (afloat(p)) { player = p; return true; }
        return false;
    }

    inline void play(Stream& s) {
        do {
            int die = s.below(6) + 1;
            if (die < 6) sail(die, s);
            else wind(s);
        } while (next_turn());
    }
};

template <int PLAYERS>
static void run(i64 games, u64 seed, u64 first) {
    i64 steps = 0, decisions = 0, wins[PLAYERS] = {}, scores[PLAYERS] = {};
    auto start = std::chrono::steady_clock::now();
    for (i64 g = 0; g < games; ++g) {
        Game<PLAYERS> game;
        Stream stream(seed, first + g);
        game.play(stream);
        steps += stream.k;
        decisions += game.decisions;
        int best = 1;
        for (int p = 0; p < PLAYERS; ++p)
            if (game.score[p] > best) best = game.score[p];
        for (int p = 0; p < PLAYERS; ++p) {
            scores[p] += game.score[p];
            wins[p] += game.score[p] == best;
        }
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%.6f %lld %lld", seconds, (long long)steps, (long long)decisions);
    for (i64 n : wins) std::printf(" %lld", (long long)n);
    for (i64 n : scores) std::printf(" %lld", (long long)n);
    std::printf("\n");
}

int main(int, char** argv) {
    i64 games = std::atoll(argv[1]);
    u64 seed = std::strtoull(argv[3], nullptr, 10), first = std::strtoull(argv[4], nullptr, 10);
    switch (std::atoi(argv[2])) {
        case 2: run<2>(games, seed, first); break;
        case 3: run<3>(games, seed, first); break;
        case 4: run<4>(games, seed, first); break;
        default: return 2;
    }
}
