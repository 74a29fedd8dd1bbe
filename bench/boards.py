"""How long drawing a board takes, and how large it is: every game, tall and wide. `python bench/boards.py`."""

from time import process_time

import strandline

POSITIONS = 60
ROUNDS = 7


def main() -> None:
    """Print a row for each board: milliseconds of CPU (best of some rounds) and kilobytes, on average."""
    print("| board | tall, ms | tall, KB | wide, ms | wide, KB |\n|---|---|---|---|---|")
    for name in strandline.games():
        found = positions(strandline.game(name))
        cells = [f"{value:.2f} | {size:.0f}" for value, size in (measured(found, wide) for wide in (False, True))]
        print(f"| {name} | {' | '.join(cells)} |")


def positions(game: strandline.Game) -> list[strandline.Position]:
    """The positions of random games, from the first to the last move."""
    start = game.new(game.seats[-1])
    return [start.play_random(4 * steps, seed=steps) for steps in range(POSITIONS)]


def measured(found: list[strandline.Position], wide: bool) -> tuple[float, float]:
    """Milliseconds and kilobytes a board."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        boards = [position.svg(wide=wide) for position in found]
        best = min(best, process_time() - start)
    return 1e3 * best / len(found), sum(len(board.encode()) for board in boards) / len(found) / 1e3


if __name__ == "__main__":
    main()
