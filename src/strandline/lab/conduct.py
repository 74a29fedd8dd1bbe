"""Carry out a study from beginning to end: play what is missing, with a progress bar, and write the report."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from strandline import progress
from strandline.lab import replay, report, sample
from strandline.lab.findings import Found
from strandline.lab.plan import Plan, shown
from strandline.lab.running import run
from strandline.lab.sample import Sample


def conduct(
    plan: Plan,
    folder: Path,
    threads: int | None = None,
    cluster: str | None = None,
    device: str = "cpu",
    data: Sequence[str] = (),
) -> Found:
    """Play the games that the folder does not hold yet; write `report.html` there, and the `data` asked for."""
    if data:
        sample.needed("pyarrow")  # rather now than after an hour
    total, kept = sum(setting.games for setting in plan.all()), 0
    with progress.of_games(plan.game.title, total) as advance:

        def count(games: int) -> None:
            nonlocal kept
            kept += games
            advance(games)

        try:
            store = run(plan.all(), folder, threads, cluster, device, count)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"Stopped. {kept:,} of {total:,} games are kept in {folder}: continue with the same command."
            ) from None
    samples = [Sample(setting, store.rows(setting), plan.pace) for setting in plan.settings]
    skill = [[Sample(setting, store.rows(setting)) for setting in settings] for settings in plan.skill]
    beside = [Sample(setting, store.rows(setting), plan.pace) for setting in plan.beside]
    found = Found(plan, samples, skill, beside)
    sample.write(samples, folder, data)
    described = [replay.described(setting) for setting in plan.settings]
    (folder / "study.json").write_text(json.dumps({"settings": described}, indent=1), encoding="utf-8")
    (folder / "report.html").write_text(report.page(found, command(plan)), encoding="utf-8")
    return found


def command(plan: Plan) -> str:
    """The command that makes the same study, with all that its result depends on."""
    setting = plan.settings[0]
    words = ["strandline", "lab", plan.game.name]
    words += ["--players", ",".join(dict.fromkeys(str(one.players) for one in plan.settings))]
    if not plan.beside:
        words += ["--bots", ",".join(setting.bots)]
    words += ["--games", str(setting.games), "--seed", str(setting.seed)]
    for name, option in plan.game.options.items():
        value = setting.start.options[name]
        if name != plan.option and value != option.default:
            words += ["--option", f"{name}={shown(value)}"]
    if plan.option is not None:
        words += ["--compare", f"{plan.option}={','.join(map(shown, plan.values))}"]
    if plan.box is not None:
        words += ["--box", str(plan.box)]
    if plan.pace != sample.USUAL:
        words += ["--seconds-per-decision", f"{plan.pace.thinking:g}"]
    if plan.drama:
        words += ["--drama", str(plan.drama)]
    if plan.decisions:
        words += ["--decisions", str(plan.decisions)]
    skill = next((settings for settings in plan.skill if settings), None)
    if skill is None:
        return shlex.join([*words, "--skill", "none"])
    names = [skill[0].bots[0], skill[-1].bots[-1]]
    return shlex.join([*words, "--skill", ",".join(names), "--skill-games", str(skill[0].games)])
