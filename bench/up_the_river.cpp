// Up the River, random play, written by hand as tight as we can: the yardstick for the compiled rules.
#include "random_play.h"

constexpr int HARBOR = 11, TOP = 10, LIMIT = 100;

template <int PLAYERS>
struct Game {
    static constexpr int SEATS = PLAYERS;
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

    inline bool won(int seat) const {
        int best = 1;
        for (int p = 0; p < PLAYERS; ++p)
            if (score[p] > best) best = score[p];
        return score[seat] == best;
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
