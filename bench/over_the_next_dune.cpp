// Over the Next Dune, random play with the default options, written by hand as tight as we can: the yardstick for the
// compiled rules.
// Rows, columns and directions are those of the rules (directions 1 to 8 from south, clockwise), and index 0 is not used;
// tokens, searchers, cards and seats count from 0. Sets are bits: the tokens, the cards, the columns in a row.
#include <array>
#include "random_play.h"

using i8 = std::int8_t;
using u32 = std::uint32_t;

constexpr int ROWS = 20, COLUMNS = 20, TOKENS = 5, SEARCHERS = 6, STEPS = 6, POINTS = 5, RESCUERS = 3, TURNS = 10;
constexpr int FIRST = 2, LAST = ROWS - 1;  // rows and columns of a searcher's middle
constexpr u32 SQUAD = (1 << TOKENS) - 1, CARDS = (1 << TOKENS) - 1, CARD_1 = 1;
constexpr u32 TRAILS = 0b11111'0000000000'11111'0, SIDES = 1 | 1 << (COLUMNS + 1), BEYOND = ~0u;
constexpr int OWNER[5][TOKENS] = {{0, 0, 0, 0, 0}, {0, 1, 0, 1, 0}, {0, 1, 2, 0, 1}, {0, 1, 2, 0, 3}, {0, 1, 2, 3, 4}};
constexpr int AREA[SEARCHERS][2] = {{1, 2}, {1, 8}, {1, 14}, {7, 2}, {7, 8}, {7, 14}};
// Three rows of each piece around its centre, the left square as the lowest bit.
constexpr u32 ROUGH[SEARCHERS][3] = {{0b00000, 0b11111, 0b00000}, {0b00011, 0b01110, 0b11000}, {0b10001, 0b11111, 0b00000},
                                     {0b00000, 0b10101, 0b01010}, {0b00111, 0b11111, 0b00111}, {0b11111, 0b11111, 0b11111}};

constexpr int SOUTH = 1, DOWN[9] = {0, 1, 1, 0, -1, -1, -1, 0, 1}, RIGHT[9] = {0, 0, -1, -1, -1, 0, 1, 1, 1};
constexpr int WAY[9] = {4, 5, 6, 3, 0, 7, 2, 1, 8};  // the direction of 3 * (down + 1) + right + 1
constexpr int TURN[3] = {0, -1, 1};                  // by straight, left and right cards

#define SELDOM __attribute__((noinline))  // so that what is done often is better laid out

static inline int lowest(u64 set) { return __builtin_ctzll(set); }
static inline int size(u32 set) { return __builtin_popcount(set); }

// A step of a token; the direction is 0 when it stops instead.
struct alignas(4) Step {
    i8 direction, down, right;
};

// All steps by the window of open squares around a token (9 bits from top left to bottom right), and after them the stop.
static constexpr auto all_steps() {
    std::array<std::array<Step, 9>, 512> found{};
    for (u32 window = 0; window < 512; ++window) {
        int n = 0;
        for (int square = 0; square < 9; ++square)
            if (square != 4 && (window >> square & 1))
                found[window][n++] = {i8(WAY[square]), i8(square / 3 - 1), i8(square % 3 - 1)};
    }
    return found;
}
constexpr auto STEP = all_steps();

// What a search move does to the row of a searcher, or to its column: they bounce one without the other.
struct alignas(8) Path {
    i8 at[STEPS], way;  // after each step, and which way it goes in the end
};

static constexpr auto all_paths() {
    std::array<std::array<Path, LAST + 1>, 3> found{};
    for (int start = -1; start <= 1; ++start)
        for (int from = FIRST; from <= LAST; ++from) {
            Path& path = found[start + 1][from];
            int place = from, way = start;
            for (int i = 0; i < STEPS; ++i) {
                if (place + way < FIRST || place + way > LAST) way = -way;
                path.at[i] = i8(place += way);
            }
            path.way = i8(way);
        }
    return found;
}
constexpr auto PATH = all_paths();

// The single cards or pieces of each set, for looking up instead of counting.
static constexpr auto all_members() {
    std::array<std::array<i8, SEARCHERS>, 1 << SEARCHERS> found{};
    for (u32 set = 0; set < 1 << SEARCHERS; ++set) {
        int n = 0;
        for (int i = 0; i < SEARCHERS; ++i)
            if (set >> i & 1) found[set][n++] = i8(i);
    }
    return found;
}
constexpr auto MEMBER = all_members();

// The tokens by each first player: owners clockwise from him, then numbers.
static constexpr auto squad_orders(int seats) {
    std::array<std::array<int, TOKENS>, TOKENS> found{};
    for (int first = 0; first < seats; ++first) {
        int n = 0;
        for (int on = 0; on < seats; ++on)
            for (int token = 0; token < TOKENS; ++token)
                if (OWNER[seats - 1][token] == (first + on) % seats) found[first][n++] = token;
    }
    return found;
}

// The places of up to eight tokens or searchers, a byte each, so that all are compared with a square at once.
struct Places {
    static constexpr u64 EACH = 0x0101010101010101, HIGH = EACH << 7;
    static constexpr int NOWHERE = 100;
    u64 rows = EACH * NOWHERE, columns = EACH * NOWHERE;

    inline int row(int i) const { return rows >> 8 * i & 255; }
    inline int column(int i) const { return columns >> 8 * i & 255; }

    inline void put(int i, int row, int column) {
        rows = (rows & ~(u64(255) << 8 * i)) | u64(row) << 8 * i;
        columns = (columns & ~(u64(255) << 8 * i)) | u64(column) << 8 * i;
    }

    inline void move(int i, int down, int right) {
        rows += u64(i64(down)) << 8 * i;
        columns += u64(i64(right)) << 8 * i;
    }

    // Those at most that far from the square, as the highest bits of their bytes; nothing is carried from byte to byte.
    inline u64 within(int reach, int row, int column) const {
        u64 r = row * EACH, c = column * EACH, high = HIGH + reach * EACH;
        return (rows + high - r) & (r + high - rows) & (columns + high - c) & (c + high - columns) & HIGH;
    }
};

template <int PLAYERS>
struct Game {
    static constexpr int SEATS = PLAYERS;
    static constexpr auto OWNERS = OWNER[SEATS - 1];
    static constexpr auto SQUAD_ORDER = squad_orders(SEATS);
    int score[SEATS];
    i64 decisions = 0;

    Places tokens, searchers;
    int facing[SEARCHERS];
    u32 captives[SEARCHERS] = {};
    u32 free = SQUAD, away = 0, moved = 0;
    int first = 0, deck = 60, straights = 46, lefts = 7;
    u32 cards = 0, waiting = 0;         // the cards that nobody holds; those whose holders have not moved yet
    u32 card[TOKENS] = {};              // of each token, as a set
    int holder[TOKENS] = {};            // of each card, if it is held
    u32 rough[ROWS + 2] = {}, marked[ROWS + 2] = {};
    u32 shut[ROWS + 2];                 // in the sneak phase: what no token may enter
    u32 hot[ROWS + 2];                  // in the search phase: where a searcher would cover a free token or a marker
    int marker[ROWS + 1][COLUMNS + 1];  // the direction of a marker, if there is one

    inline u32 caught() const { return SQUAD & ~free & ~away; }
    inline bool won(int) const { return away == SQUAD; }

    void play(Stream& s) {
        set_up(s);
        for (int turn = 1; turn <= TURNS; ++turn)
            if (!search_phase(s) || !sneak_phase(s)) break;
        for (int seat = 0; seat < SEATS; ++seat) score[seat] = size(away);
    }

    inline void set_up(Stream& s) {
        u32 pieces = (1 << SEARCHERS) - 1;
        for (int area = 0; area < SEARCHERS; ++area) {
            int piece = MEMBER[pieces][s.below(SEARCHERS - area)], dice = s.below(36);
            pieces &= ~(1u << piece);
            int row = AREA[area][0] + dice / 6, column = AREA[area][1] + dice % 6;
            for (int i = 0; i < 3; ++i) rough[row - 1 + i] |= ROUGH[piece][i] << (column - 2);
        }
        rough[0] = 0;
        for (int i = 0; i < SEARCHERS; ++i) {
            int place = s.below(11 * 18);
            searchers.put(i, 2 + place / 18, 2 + place % 18);
            facing[i] = 1 + s.below(8);
        }
        for (int token = 0; token < TOKENS; ++token) tokens.put(token, ROWS, 2 + 4 * token);
    }

    // Search phase. Phases, movements and followers return whether the game goes on.

    inline bool search_phase(Stream& s) {
        heat();
        for (int i = 0; i < SEARCHERS; ++i) {
            int at = s.below(deck--), kind = (at >= straights) + (at >= straights + lefts);
            straights -= kind == 0;
            lefts -= kind == 1;
            search_move(i, ((facing[i] - 1 + TURN[kind]) & 7) + 1);
            if (captives[i] && searchers.row(i) == LAST) return false;
        }
        return true;
    }

    // Once for all six moves: tokens and markers only become fewer in them.
    inline void heat() {
        for (int r = 1; r <= ROWS; ++r) {
            u32 three = marked[r - 1] | marked[r] | marked[r + 1];
            hot[r] = three | three << 1 | three >> 1;
        }
        for (u32 rest = free; rest; rest &= rest - 1) cover(hot, tokens.row(lowest(rest)), tokens.column(lowest(rest)));
    }

    static inline void cover(u32* rows, int row, int column) {
        for (int r = row - 1; r <= row + 1; ++r) rows[r] |= 7u << (column - 1);
    }

    // Procedure A: in most moves there is nothing on the way.
    inline void search_move(int i, int d) {
        const Path &down = PATH[DOWN[d] + 1][searchers.row(i)], &right = PATH[RIGHT[d] + 1][searchers.column(i)];
        u32 met = 0;
        for (int step = 0; step < STEPS; ++step) met |= hot[int(down.at[step])] >> right.at[step];
        if ((met & 1) || captives[i]) return search_move_by_steps(i, d);
        searchers.put(i, down.at[STEPS - 1], right.at[STEPS - 1]);
        int onward = WAY[3 * down.way + right.way + 4];
        facing[i] = onward == d ? facing[i] : onward;  // a bounce sets it; a card alone does not
    }

    SELDOM void search_move_by_steps(int i, int d) {
        bool turned = false;
        for (int step = 0; step < STEPS; ++step) {
            int row = searchers.row(i), column = searchers.column(i);
            int down = PATH[DOWN[d] + 1][row].at[0] - row, right = PATH[RIGHT[d] + 1][column].at[0] - column;
            int onward = WAY[3 * down + right + 4];
            turned |= onward != d;
            d = onward;
            searchers.move(i, down, right);
            row += down;
            column += right;
            if ((hot[row] >> column & 1) && catch_tokens(i)) return;
            if (captives[i]) {
                if (row == LAST) break;
            } else if (hot[row] >> column & 1) {
                int found = read_markers(i);
                turned |= found > 0;
                d = found ? found : d;
            }
        }
        if (turned) facing[i] = d;
    }

    // All free tokens under the searcher are caught, and their cards go back. Returns whether there were any.
    bool catch_tokens(int i) {
        u64 found = tokens.within(1, searchers.row(i), searchers.column(i));
        if (!found) return false;
        for (; found; found &= found - 1) {
            int token = lowest(found) / 8;
            tokens.put(token, Places::NOWHERE, Places::NOWHERE);
            free &= ~(1u << token);
            captives[i] |= 1u << token;
            cards |= card[token];
            waiting &= ~card[token];
            card[token] = 0;
        }
        facing[i] = SOUTH;
        return true;
    }

    // An empty searcher turns to the marker nearest the top, then nearest the middle, and removes all. Returns it, or 0.
    int read_markers(int i) {
        int top = searchers.row(i) - 1, column = searchers.column(i) - 1, found = 0;
        for (int row = top + 2; row >= top; --row) {
            u32 three = marked[row] >> column & 7;
            if (!three) continue;
            int at = column < COLUMNS / 2 ? 31 - __builtin_clz(three) : lowest(three);
            found = marker[row][column + at];
            marked[row] &= ~(7u << column);
        }
        if (found) facing[i] = found;
        return found;
    }

    // Sneak phase

    inline bool sneak_phase(Stream& s) {
        if (!free) return true;
        moved = 0;
        cards = CARDS;
        for (u32& held : card) held = 0;
        close_squares();
        if (may_rescue()) rescues(s);
        if constexpr (SEATS == 1) {
            return sneak_alone(s);
        } else {
            first = OWNERS[take_cards(free, true, s)];
            while (waiting) {
                int token = holder[lowest(waiting)];
                waiting &= waiting - 1;
                moved |= 1u << token;
                if (!movement(token, choose(tokens.row(token), tokens.column(token), POINTS, s), s)) return false;
            }
            return true;
        }
    }

    // Solo, in any order: each movement is chosen together with its first step.
    inline bool sneak_alone(Stream& s) {
        while (true) {
            u32 windows[TOKENS] = {};
            int steps = 0;
            for (u32 rest = free & ~moved; rest; rest &= rest - 1) {
                int token = lowest(rest);
                windows[token] = window(tokens.row(token), tokens.column(token), POINTS);
                steps += size(windows[token]);
            }
            if (steps == 0) return true;
            ++decisions;
            int i = s.below(steps + 1), token = 0;
            if (i == steps) return true;
            for (; i >= size(windows[token]); ++token) i -= size(windows[token]);
            moved |= 1u << token;
            if (!movement(token, STEP[windows[token]][i], s)) return false;
        }
    }

    // Anew each time, because searchers may overlap.
    inline void close_squares() {
        for (int r = 0; r <= ROWS; ++r) shut[r] = SIDES;  // the top is open
        shut[ROWS + 1] = BEYOND;
        for (int i = 0; i < SEARCHERS; ++i) cover(shut, searchers.row(i), searchers.column(i));
        for (u32 rest = free; rest; rest &= rest - 1) shut[tokens.row(lowest(rest))] |= 1u << tokens.column(lowest(rest));
    }

    // Three rows of three squares as 9 bits.
    static inline u32 around(const u32* rows, int row, int column) {
        u32 found = 0;
        for (int i = 0; i < 3; ++i) found |= (rows[row - 1 + i] >> (column - 1) & 7) << 3 * i;
        return found;
    }

    // The squares that a token can step on with its points; in the middle it stands itself.
    inline u32 window(int row, int column, int points) const {
        u32 found = around(shut, row, column);
        if (points < 2) found |= around(rough, row, column);
        return ~found & 511;
    }

    inline Step choose(int row, int column, int points, Stream& s) {
        u32 open = window(row, column, points);
        if (!open) return {};
        ++decisions;
        return STEP[open][s.below(size(open) + 1)];
    }

    // Procedure B, for all steps of a token, of which the first is chosen.
    inline bool movement(int token, Step step, Stream& s) {
        int row = tokens.row(token), column = tokens.column(token), points = POINTS;
        u64 alert = searchers.within(2, row, column), halted = 0;
        while (step.direction) {
            marker[row][column] = step.direction;  // off the trails nobody reads it
            marked[row] |= 1u << column & TRAILS;
            shut[row] ^= 1u << column;
            row += step.down;
            column += step.right;
            if (row == 0) {
                tokens.put(token, Places::NOWHERE, Places::NOWHERE);
                free &= ~(1u << token);
                away |= 1u << token;
                points = 0;
                if (away == SQUAD) return false;
            } else {
                points -= 1 + (rough[row] >> column & 1);
                tokens.move(token, step.down, step.right);
                shut[row] |= 1u << column;
                if (alert && !follow(step, alert, halted)) return false;
                alert |= searchers.within(2, row, column) & ~halted;
            }
            if (may_rescue() && rescues(s) && SEATS > 1) take_cards(free & ~moved, false, s);
            if (points == 0) return true;
            step = choose(row, column, points, s);
        }
        return true;
    }

    // All alert searchers make the step too if they can; who catches somebody is halted.
    SELDOM bool follow(Step step, u64& alert, u64& halted) {
        for (u64 rest = alert; rest; rest &= rest - 1) {
            int i = lowest(rest) / 8, row = searchers.row(i) + step.down, column = searchers.column(i) + step.right;
            if (row < FIRST || row > LAST || column < FIRST || column > LAST) continue;
            searchers.move(i, step.down, step.right);
            if (catch_tokens(i)) halted |= rest & -rest;
            if (!captives[i]) read_markers(i);
            else if (row == LAST) return false;
        }
        alert &= ~halted;
        close_squares();
        return true;
    }

    // Turn-order cards for those of the tokens who have none, in squad order. Returns who took card 1 last.
    int take_cards(u32 choosers, bool must_take_1, Stream& s) {
        for (int token : SQUAD_ORDER[first]) {
            if (!(choosers >> token & 1)) continue;
            choosers &= ~(1u << token);
            if (card[token]) continue;
            int n = must_take_1 && !choosers && (cards & CARD_1) ? 1 : size(cards);
            ++decisions;
            int taken = MEMBER[cards][s.below(n)];
            card[token] = 1u << taken;
            holder[taken] = token;
            cards &= ~card[token];
            waiting |= card[token];
        }
        return holder[0];
    }

    // Procedure C

    inline bool may_rescue() const { return caught() && size(free) >= RESCUERS; }

    // Returns whether somebody was freed.
    SELDOM bool rescues(Stream& s) {
        bool any = false;
        for (int i = due_rescue(); i >= 0; i = due_rescue()) {
            for (u32 open = open_squares(i); open && captives[i]; open = open_squares(i)) {
                int token = first_captive(i);
                ++decisions;
                for (int skip = s.below(size(open)); skip > 0; --skip) open &= open - 1;
                int square = lowest(open);
                int row = searchers.row(i) - 2 + square / 5, column = searchers.column(i) - 2 + square % 5;
                captives[i] &= ~(1u << token);
                free |= 1u << token;
                tokens.put(token, row, column);
                shut[row] |= 1u << column;
            }
            if (!captives[i]) read_markers(i);
            any = true;
        }
        return any;
    }

    int due_rescue() const {
        for (int i = 0; i < SEARCHERS; ++i)
            if (captives[i] && __builtin_popcountll(tokens.within(2, searchers.row(i), searchers.column(i))) >= RESCUERS &&
                open_squares(i))
                return i;
        return -1;
    }

    // Those around a searcher where a freed token can be placed, as 5 x 5 bits; under it none is open.
    u32 open_squares(int i) const {
        int top = searchers.row(i) - 2, left = searchers.column(i) - 2;
        u32 found = 0;
        for (int r = 0; r < 5; ++r)
            if (top + r > 0) found |= (~shut[top + r] >> left & 31) << 5 * r;
        return found;
    }

    int first_captive(int i) const {
        for (int token : SQUAD_ORDER[first])
            if (captives[i] >> token & 1) return token;
        return -1;
    }
};

int main(int, char** argv) {
    switch (std::atoi(argv[2])) {
        case 1: return run<Game<1>>(argv);
        case 2: return run<Game<2>>(argv);
        case 3: return run<Game<3>>(argv);
        case 4: return run<Game<4>>(argv);
        case 5: return run<Game<5>>(argv);
        default: return 2;
    }
}
