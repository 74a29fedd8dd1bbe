"""What a server counts, for Prometheus."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from strandline.table.table import Refused

if TYPE_CHECKING:
    from strandline.server.rooms import Rooms

TIMES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """The counts of one server."""

    def __init__(self, rooms: Rooms) -> None:
        self._registry = CollectorRegistry()
        self.tables_made = Counter("strandline_tables_made", "Tables made.", registry=self._registry)
        self._commands = Counter(
            "strandline_commands", "Moves, votes and the like, by what came of them.", ["came"], registry=self._registry
        )
        self._seconds = Histogram(
            "strandline_command_seconds",
            "From a command to its place on the disk.",
            registry=self._registry,
            buckets=TIMES,
        )
        self._lesson_steps = LessonSteps()
        self._registry.register(self._lesson_steps)
        self._gauge("tables_open", "Tables in memory.", lambda: len(rooms.all()))
        self._gauge("persons", "Connections of persons.", lambda: _guests(rooms, seated=True))
        self._gauge("spectators", "Connections of spectators.", lambda: _guests(rooms, seated=False))

    def _gauge(self, name: str, line: str, now: Callable[[], int]) -> None:
        Gauge(f"strandline_{name}", line, registry=self._registry).set_function(now)

    @contextlib.contextmanager
    def command(self) -> Iterator[None]:
        """Count a command, and take its time."""
        began, came = time.perf_counter(), "failed"
        try:
            yield
            came = "done"
        except Refused:
            came = "refused"
            raise
        finally:
            self._commands.labels(came).inc()
            self._seconds.observe(time.perf_counter() - began)

    def text(self, lesson_counts: Sequence[tuple[str, str, int, str, int]]) -> bytes:
        """All counts, as Prometheus reads them. Those of lessons are all that the store has ever counted."""
        self._lesson_steps.counts = lesson_counts
        return generate_latest(self._registry)


class LessonSteps(Collector):
    """How far people get in lessons."""

    counts: Sequence[tuple[str, str, int, str, int]] = ()

    def collect(self) -> Iterable[Metric]:
        """As Prometheus wants them."""
        about = "Steps of lessons that somebody reached, or left the lesson at; the step behind the last is its end."
        family = CounterMetricFamily("strandline_lesson_steps", about, labels=["game", "lesson", "step", "came"])
        for game, lesson, step, came, count in self.counts:
            family.add_metric([game, lesson, str(step), came], count)
        yield family


def _guests(rooms: Rooms, seated: bool) -> int:
    return sum(bool(guest.seats) == seated for room in rooms.all() for guest in room.guests)
