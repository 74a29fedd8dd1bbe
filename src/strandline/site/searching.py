"""Bots that search in workers of their own.

Here, in Python, a search is only written down: what goes into the memory of a game's kernels, and which of them are
called. A worker without Python carries that out and sends the memory back, from which the result is read. So the
table answers while bots think, and the trees of one search grow side by side.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

from strandline.bots import analysis, exact, network
from strandline.bots.levels import CHAMPION_SIMULATIONS, LEVELS, SearchBot
from strandline.bots.tree import Budget, GuidedTree, Tree, Tried, best, setting, summed, think
from strandline.bots.views import CORES, guesses
from strandline.engine import speeds
from strandline.engine.game import Game
from strandline.engine.position import Position
from strandline.engine.wasm.host import Host, Kernels, Memory, fitting
from strandline.site.solving import question
from strandline.table.advice import Advice, advised
from strandline.table.levels import CHAMPION, PERFECT, RANDOM
from strandline.table.review import FEWEST, MOST, PILOT, SECONDS, Progress, Reviewed

Step = tuple[Any, ...]
Solve = Callable[[str], Awaitable[str]]
"""Answers a question of `solving`, or raises `Unsolved`."""
Fetch = Callable[[str], Awaitable[None]]
"""Puts a network, named as by `network_name`, where its beginning stands for it, or raises `Unfetched`."""
Search = Callable[[Any, list[Step]], Awaitable[Callable[[int, int], bytes]]]
"""Carries out steps over a module's fresh memory; gives what reads the memory that it leaves."""


class Unsolved(Exception):
    """Perfect play cannot be had, as in a browser with too little memory. A search can."""


class Unfetched(Exception):
    """A network cannot be had, as without a net before everything was kept. A search needs none."""


def network_name(game: str, players: int) -> str:
    """What a network is called among the files of a site."""
    return f"champion.{game}.{players}"


class Written:
    """A memory that is only written to, until somebody has carried that out."""

    def __init__(self, compiled: Any, place: Callable[[str], int]) -> None:
        self._compiled = compiled
        self.place = place
        self._steps: list[Step] = []
        self._size = 0
        self._read: Callable[[int, int], bytes] | None = None

    def call(self, kernel: str, at: int, until: float | None = None) -> None:
        """A kernel is to be run on the arguments at that place, to its end."""
        self._steps.append(("call", kernel, at))

    def write(self, at: int, data: bytes) -> None:
        """Bytes are to be put into the memory."""
        self._steps.append(("write", at, data))

    def grow(self, size: int) -> None:
        """The memory is to have at least this many bytes."""
        self._size = max(self._size, size)

    def read(self, at: int, size: int) -> bytes:
        """Bytes of the memory; before anything was carried out a fresh one holds zeros."""
        return bytes(size) if self._read is None else self._read(at, size)

    async def carry_out(self, search: Search) -> None:
        """Let a worker do all that is written down."""
        self._read = await search(self._compiled, [("grow", self._size), *self._steps])


class WritingHost:
    """Makes memories to be carried out later."""

    def __init__(self, host: Host) -> None:
        """`host` is asked where the places of a module are."""
        self._host = host
        self.written: list[Written] = []

    def compile(self, module: bytes) -> Any:
        """The module as the browser knows it."""
        compiled = self._host.compile(module)
        return compiled, functools.cache(self._host.run(compiled).place)

    def run(self, compiled: Any) -> Memory:
        """A memory to be carried out later."""
        self.written.append(Written(*compiled))
        return self.written[-1]


class Searching(SearchBot):
    """A bot of a level that hands its searches over."""

    def __init__(self, game: Game, level: int, thinkers: BrowserThinkers) -> None:
        super().__init__(game, level)
        self._thinkers = thinkers

    async def chosen(self, position: Position, seat: int, seed: int) -> str:
        """What `choose` chooses."""
        starts = guesses(self.game, position, seat, seed)
        return self.at_once(starts, seed) or self.preferred(await self._found(self.fewer(starts), seed), seat)

    async def _found(self, starts: Sequence[Position], seed: int) -> list[Tried]:
        trees = await self._thinkers.grown(self.game, starts, seed, self.budget)
        return summed(tree.outlook() for tree in trees)


class Guided:
    """The bot of level 6, which hands its searches over. For games that have a network."""

    def __init__(self, game: Game, thinkers: BrowserThinkers) -> None:
        self.game = game
        self._thinkers = thinkers

    async def chosen(self, position: Position, seat: int, seed: int) -> str:
        """What a server's bot of that level chooses. `Unfetched` if the network cannot be had."""
        await self._thinkers.fetched(self.game, position.players)
        starts = list(dict.fromkeys(guesses(self.game, position, seat, seed)))
        make = functools.partial(GuidedTree, players=position.players)
        trees = await self._thinkers.grown(self.game, starts, seed, Budget(CHAMPION_SIMULATIONS), make)
        return str(self.game.notation.write(best(summed(tree.outlook() for tree in trees), seat).code))


class BrowserThinkers:
    """Where the bots of a browser think."""

    def __init__(self, search: Search, solve: Solve, fetch: Fetch, host: Host) -> None:
        self._search = search
        self._solve = solve
        self._fetch = fetch
        self._host = host
        self._kernels: dict[Game, tuple[WritingHost, Kernels]] = {}
        self.reviews = 0

    async def choose(self, position: Position, seat: int, level: str, waited_for: Collection[str] = ()) -> str:
        """A move for the seat, whose turn it is. The seed has nothing to do with the table's dice."""
        moves = position.moves()
        if level == RANDOM or len(moves) == 1:
            return secrets.choice(moves)
        if level == PERFECT and (found := exact.solver(position.game)) and found.solves(position):
            with contextlib.suppress(Unsolved):
                return await self._solve(question(position, seat, secrets.randbits(62)))
        if level == CHAMPION and network.is_champions(position):
            with contextlib.suppress(Unfetched):
                return await Guided(position.game, self).chosen(position, seat, secrets.randbits(62))
        number = next((one for one in LEVELS if str(one) == level), max(LEVELS))  # a saved game may know other bots
        return await Searching(position.game, number, self).chosen(position, seat, secrets.randbits(62))

    async def fetched(self, game: Game, players: int) -> None:
        """See to it that the network is there."""
        if network.file(game, players).stat().st_size == network.DIGEST:
            await self._fetch(network_name(game.name, players))

    async def grown(
        self,
        game: Game,
        starts: Sequence[Position],
        seed: int,
        budget: Budget,
        make: Callable[[Game, int, speeds.Maker], Tree] = Tree,
    ) -> list[Tree]:
        """A tree for each start, grown side by side."""
        if game not in self._kernels:
            host = WritingHost(self._host)
            self._kernels[game] = host, Kernels(game, fitting(game).read_bytes(), host)
        host, kernels = self._kernels[game]
        share = -(-budget.simulations // len(starts))
        trees = [make(game, share, lambda game, driver: speeds.Wasm(game, driver, kernels)) for _ in starts]
        think(trees, starts, seed, budget)
        written, host.written = host.written, []
        await asyncio.gather(*(memory.carry_out(self._search) for memory in written))
        return trees

    async def advise(self, position: Position, seat: int, waited_for: Collection[str] = ()) -> Advice:
        """A hint for the seat, whose turn it is."""
        moves = position.moves()
        if len(moves) == 1:
            return Advice(moves[0])
        game, seed = position.game, secrets.randbits(62)
        budget = Budget(setting(game, "SIMULATIONS"))
        trees = await self.grown(game, guesses(game, position, seat, seed), seed, budget)
        return advised(analysis.estimates(game, trees, seat))

    async def review(self, start: Position, moves: list[str], progress: Progress) -> Reviewed:
        """A review of a game, as long as one of a server takes."""
        self.reviews += 1
        try:
            return await self._review(start, moves, progress)
        finally:
            self.reviews -= 1

    async def _review(self, start: Position, moves: list[str], progress: Progress) -> Reviewed:
        positions = [start]
        for move in moves:
            positions.append(positions[-1].play(move))
        await self._chances(positions[len(moves) // 2], PILOT)  # what it needs is loaded now
        began = time.perf_counter()
        await self._chances(positions[len(moves) // 2], PILOT)
        each = SECONDS / len(positions)
        simulations = max(FEWEST, min(MOST, int(PILOT * each / max(time.perf_counter() - began, 1e-6))))
        found = []
        for position in positions:
            found.append(await self._chances(position, simulations))
            progress(len(found) / len(positions))
        return Reviewed(analysis.reviewed(positions, moves, found), simulations)

    async def _chances(self, position: Position, simulations: int) -> tuple[float, ...]:
        trees = await self.grown(position.game, [position] * CORES, 0, Budget(simulations))
        return analysis.expected(trees, position.players)
