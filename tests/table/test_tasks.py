"""Work beside what anybody waits for: all of it ends with the server."""

import asyncio

from strandline.table.tasks import Tasks


def test_what_is_begun_while_all_ends_is_ended_too() -> None:
    """A guest who is gone wakes the table's bot, also when a server that stops has sent the guest away."""
    ran: list[str] = []

    async def work(name: str) -> None:
        ran.append(name)
        await asyncio.Event().wait()

    async def depart(tasks: Tasks) -> None:
        try:
            await work("guest")
        finally:
            tasks.spawn(work("bot"))

    async def server() -> set[asyncio.Task[object]]:
        tasks = Tasks()
        tasks.spawn(depart(tasks))
        await asyncio.sleep(0)
        await tasks.close()
        late = tasks.spawn(work("late"))
        await asyncio.sleep(0)
        assert late.cancelled()
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(server()) == set()
    assert ran == ["guest"]
