// Random games in C++, on the draws of strandline.engine.draws: the same games are played as elsewhere, and the totals must
// agree. With -DCHEAP the draws are others, of a sequence with one product a draw: what is gained by that is what draws cost
// which can be asked for by number.
// Usage: PROGRAM GAMES PLAYERS SEED FIRST. Prints: seconds of CPU, steps, decisions, wins by seat, scores by seat.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

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

static double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

// A game has SEATS, play(stream), decisions, score[SEATS] and won(seat).
template <class Game>
static int run(char** argv) {
    i64 games = std::atoll(argv[1]), steps = 0, decisions = 0, wins[Game::SEATS] = {}, scores[Game::SEATS] = {};
    u64 seed = std::strtoull(argv[3], nullptr, 10), first = std::strtoull(argv[4], nullptr, 10);
    double began = cpu_seconds();
    for (i64 g = 0; g < games; ++g) {
        Game game;
        Stream stream(seed, first + g);
        game.play(stream);
        steps += stream.k;
        decisions += game.decisions;
        for (int seat = 0; seat < Game::SEATS; ++seat) {
            scores[seat] += game.score[seat];
            wins[seat] += game.won(seat);
        }
    }
    std::printf("%.6f %lld %lld", cpu_seconds() - began, (long long)steps, (long long)decisions);
    for (i64 n : wins) std::printf(" %lld", (long long)n);
    for (i64 n : scores) std::printf(" %lld", (long long)n);
    std::printf("\n");
    return 0;
}
