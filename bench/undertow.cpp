// Undertow with the default options, random play, written by hand as tight as we can: the yardstick for the compiled rules.
#include "random_play.h"
#ifdef __BMI2__
#include <immintrin.h>
#endif

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;

constexpr int LANES = 10, STEPS = 12, SHALLOW = 2, PIPS = 6, MAX_ROUNDS = 200;

enum Modifier { LIFEGUARD, CALM, WAVE, CURRENT, CALM_TOO, UNDERTOW };

// A space is 16 * step + lane; next to it is the one 16 further in or out, or 1 to the left or right. The beach is 0.
using Space = i64;
constexpr int BEACH = 0, STEP = 16;
enum Direction { IN, LEFT, RIGHT, OUT };  // as the moves are numbered
constexpr Space BY[] = {-STEP, -1, 1, STEP};

// A family is a byte for each swimmer: its space.
using Family = u64;

static inline Space space_of(Family family, int i) { return family >> 8 * i & 255; }
static inline Family moved(Family family, int i, Space by) { return family + (u64(by) << 8 * i); }
static inline Family landed(Family family, int i) { return family & ~(u64(255) << 8 * i); }

static inline int number_of(u64 bits) { return __builtin_popcountll(bits); }
static inline int lowest(u64 bits) { return __builtin_ctzll(bits); }
static inline int highest(u32 bits) { return 31 - __builtin_clz(bits); }

// Which bit is the n-th of those that are set, counted from 0.
static inline int nth_bit(u64 bits, int n) {
#ifdef __BMI2__
    return lowest(_pdep_u64(u64(1) << n, bits));
#else
    while (n-- > 0) bits &= bits - 1;
    return lowest(bits);
#endif
}

// The lanes of each step to which a swimmer can come, as bits. There are none at the beach and beyond the last step.
struct Water {
    u16 empty[STEPS + 2];

    inline void toggle(Space space) { empty[space / STEP] ^= 1 << space % STEP; }

    inline bool leads_out(Space space) const { return empty[space / STEP + 1] >> space % STEP & 1; }

    inline void move(Family& family, int i, Space by) {
        Space space = space_of(family, i);
        toggle(space);
        toggle(space + by);
        family = moved(family, i, by);
    }
};

// The shortest of some ways round: bit 2 * i is that of swimmer i to the left, the next bit the one to the right (U21).
struct WaysRound {
    int sideways;
    u32 ways;

    inline void add(int way, int steps) {
        ways = steps < sideways ? 0 : ways;
        sideways = steps < sideways ? steps : sideways;
        ways |= u32(steps == sideways) << way;
    }

    inline Space by(int way) const { return (way & 1 ? sideways : -sideways) + STEP; }

    inline int cost(bool current) const { return current ? 1 : sideways + 1; }  // U23
};

template <int PLAYERS>
struct Game {
    static constexpr int SEATS = PLAYERS, SWIMMERS = 9 - PLAYERS;
    static constexpr int FIRST_LANE = PLAYERS == 2 ? 2 : 1, LAST_LANE = PLAYERS == 2 ? LANES - 1 : LANES;
    static constexpr u32 EACH = 0x11111111 & ((1u << 4 * SWIMMERS) - 1);  // times four bits: the same for each swimmer
    static constexpr u32 OUTWARD = EACH << OUT, SIDEWAYS = EACH << LEFT | EACH << RIGHT, INWARD = EACH << IN | SIDEWAYS;

    Family families[PLAYERS] = {};
    Water water = {};
    u8 open[STEP * (STEPS + 2)] = {};  // a bit for each direction in which one could go on from this space
    int score[PLAYERS] = {};
    i64 decisions = 0;

    Game() {
        for (int step = 1; step <= STEPS; ++step)
            for (int lane = FIRST_LANE; lane <= LAST_LANE; ++lane) {
                water.toggle(STEP * step + lane);
                open[STEP * step + lane] =
                    1 << IN | (lane > FIRST_LANE) << LEFT | (lane < LAST_LANE) << RIGHT | (step < STEPS) << OUT;
            }
    }

    // A swimmer comes to a space in the water, or leaves it.
    inline void toggle(Space space) {
        water.toggle(space);
        for (int direction = IN; direction <= OUT; ++direction) open[space - BY[direction]] ^= 1 << direction;
    }

    inline Family move(Family own, int i, Space by) {
        Space space = space_of(own, i);
        toggle(space);
        toggle(space + by);
        return moved(own, i, by);
    }

    inline Family land(Family own, int i) {
        toggle(space_of(own, i));
        return landed(own, i);
    }

    // Four bits for each swimmer, one for each direction: whether the next space is empty. None on the beach.
    inline u32 directions(Family own) const {
        u32 found = 0;
        for (int i = 0; i < SWIMMERS; ++i) found |= u32(open[space_of(own, i)]) << 4 * i;
        return found;
    }

    inline void set_up(Stream& s) {
        int faces[PLAYERS][SWIMMERS];
        for (auto& family : faces)
            for (int& face : family) face = s.below(PIPS) + 1;
        for (int placed = 0; placed < SWIMMERS; ++placed)
            for (int seat = 0; seat < PLAYERS; ++seat) families[seat] = place(s, families[seat], faces[seat]);
    }

    inline Family place(Stream& s, Family own, const int* faces) {
        int step[SWIMMERS], before[SWIMMERS + 1] = {};  // the moves of the swimmers before this one
        for (int i = 0; i < SWIMMERS; ++i) {
            step[i] = starting_step(faces[i]);
            before[i + 1] = before[i] + (space_of(own, i) == BEACH ? number_of(water.empty[step[i]]) : 0);
        }
        int at = s.below(before[SWIMMERS]), i = 0;
        for (int next = 1; next < SWIMMERS; ++next) i += before[next] <= at;
        Space space = STEP * step[i] + nth_bit(water.empty[step[i]], at - before[i]);
        toggle(space);
        return moved(own, i, space);
    }

    inline int starting_step(int face) const {
        int step = SHALLOW + face;
        while (water.empty[step] == 0) ++step;
        return step;
    }

    // The out part (U19 to U25).
    inline Family out_part(Stream& s, Family own, int points, bool current) {
        while (points > 0) {
            u32 straight = directions(own) & OUTWARD;
            if (straight) {
                own = move(own, nth_bit(straight, s.below(number_of(straight))) / 4, BY[OUT]);
                --points;
                continue;
            }
            if (points == 1 && !current) break;  // the shortest way round costs 2
            WaysRound round = ways_round(water, own, points, current);
            if (round.ways == 0) break;
            points -= round.cost(current);
            if (points > 0 && number_of(round.ways) > 1) round.ways = best(round, own, points, current);
            int way = nth_bit(round.ways, s.below(number_of(round.ways)));
            for (int rest = round.sideways; rest > 0; --rest) s.below(1);  // it is finished, step by step (U24)
            own = move(own, way / 2, round.by(way));
        }
        return own;
    }

    // The shortest affordable ways round, where nobody has a straight step (U21).
    __attribute__((noinline)) static WaysRound ways_round(const Water& water, Family own, int points, bool current) {
        int limit = current || points > LANES ? LANES : points;  // sideways steps that are too many
        WaysRound found{limit, 0};
        for (int i = 0; i < SWIMMERS; ++i) {
            Space space = space_of(own, i);
            int step = space / STEP, lane = space % STEP;
            // It is as far to the side as the next lane that leads out or is taken: in the former there is a way.
            u32 empty = water.empty[step], ends = ~empty | water.empty[step + 1];
            int left = highest((ends & ((1u << lane) - 1)) | 1), right = lane + 1 + lowest(ends >> (lane + 1));
            found.add(2 * i, empty >> left & 1 ? lane - left : LANES);
            found.add(2 * i + 1, empty >> right & 1 ? right - lane : LANES);
        }
        if (found.sideways == limit) found.ways = 0;
        return found;
    }

    // Those that begin a line using the most points, of which so many are left after the way round (U22).
    __attribute__((noinline)) u32 best(const WaysRound& round, Family own, int points, bool current) const {
        u32 found = 0;
        int most = 0;
        for (u32 rest = round.ways; rest; rest &= rest - 1) {
            int used = line(water, own, round, lowest(rest), points, current);
            if (used > most) found = 0, most = used;
            if (used == most) found |= rest & -rest;
        }
        return found;
    }

    // The most points that a line uses after this way round: straight steps, in any order, and the next ways round.
    static int line(Water water, Family own, const WaysRound& begun, int way, int points, bool current) {
        water.move(own, way / 2, begun.by(way));
        int used = 0;
        for (bool any = true; any;) {
            any = false;
            for (int i = 0; i < SWIMMERS; ++i)
                while (water.leads_out(space_of(own, i))) {
                    if (++used == points) return used;
                    water.move(own, i, BY[OUT]);
                    any = true;
                }
        }
        WaysRound round = ways_round(water, own, points - used, current);
        if (round.ways == 0) return used;
        used += round.cost(current);
        int most = 0;
        for (u32 rest = round.ways; rest && used + most < points; rest &= rest - 1) {
            int more = line(water, own, round, lowest(rest), points - used, current);
            if (more > most) most = more;
        }
        return used + most;
    }

    // The in part (U26 to U29). The current is free, but nobody drifts back before a point is spent.
    template <bool CURRENT>
    inline Family in_part(Stream& s, Family own, int points) {
        u32 allowed = INWARD;
        while (CURRENT || points > 0) {
            u32 moves = directions(own) & allowed;
            int n = number_of(moves);
            if (n == 0) break;
            int at = s.below(n + 1);
            if (at == n) break;  // `stop` is the last
            int chosen = nth_bit(moves, at), i = chosen / 4, direction = chosen % 4;
            if (space_of(own, i) + BY[direction] < STEP) {
                own = land(own, i);
                if (own == 0) break;
            } else {
                own = move(own, i, BY[direction]);
            }
            if (!CURRENT) {
                --points;
            } else if (direction == IN) {
                allowed = --points > 0 ? INWARD : SIDEWAYS;
            } else {
                allowed &= ~(1u << (4 * i + LEFT + RIGHT - direction));
            }
        }
        return own;
    }

    // The lifeguard (U13).
    inline Family save(Stream& s, Family own) {
        // The highest bit of each byte that is not 0, which is that of a swimmer in the water.
        u64 low = 0x7F7F7F7F7F7F7F7F, swimmers = (((own & low) + low) | own) & ~low;
        return land(own, nth_bit(swimmers, s.below(number_of(swimmers))) / 8);
    }

    inline Family turn(Stream& s, Family own) {
        int dice = s.below(PIPS * PIPS * PIPS), red = dice / (PIPS * PIPS) + 1, green = dice / PIPS % PIPS + 1;
        int modifier = dice % PIPS;
        if (modifier == LIFEGUARD) return save(s, own);
        int outward = modifier == WAVE ? 0 : modifier == UNDERTOW ? red + green : red;
        int inward = modifier == UNDERTOW ? 0 : modifier == WAVE ? red + green : green;
        own = out_part(s, own, outward, modifier == CURRENT);
        return modifier == CURRENT ? in_part<true>(s, own, inward) : in_part<false>(s, own, inward);
    }

    inline void play(Stream& s) {
        set_up(s);
        int turns = 0, seat = 0;
        while (turns < MAX_ROUNDS * PLAYERS) {
            ++turns;
            families[seat] = turn(s, families[seat]);
            if (families[seat] == 0) break;  // the whole family is on the beach (U30)
            seat = seat + 1 < PLAYERS ? seat + 1 : 0;
        }
        decisions = s.k - SWIMMERS * PLAYERS - turns;  // all steps but the rolls
        for (int p = 0; p < PLAYERS; ++p)
            for (int i = 0; i < SWIMMERS; ++i) score[p] += space_of(families[p], i) == BEACH;
    }

    inline int distance(int seat) const {
        int steps = 0;
        for (int i = 0; i < SWIMMERS; ++i) steps += space_of(families[seat], i) / STEP;
        return steps;
    }

    inline bool won(int seat) const {
        for (int p = 0; p < PLAYERS; ++p)
            if (score[p] > score[seat] || (score[p] == score[seat] && distance(p) < distance(seat))) return false;
        return true;
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
