"""Carry out a study from beginning to end: play what is missing, with a progress bar, and write data and report."""

from __future__ import annotations

import shlex
from pathlib import Path

from strandline import progress
from strandline.lab import report, sample
from strandline.lab.findings import Found
from strandline.lab.plan import Plan, shown
from strandline.lab.running import run
from strandline.lab.sample import Sample


def conduct(
    plan: Plan, folder: Path, threads: int | None = None, cluster: str | None = None, device: str = "cpu"
) -> Found:
    """Play the games that the folder does not hold yet; write `report.html`, `data.parquet` and `data.csv` there."""
    for package in ("matplotlib", "pyarrow"):  # rather now than after an hour
        sample.needed(package)
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
    samples = [Sample(setting, store.rows(setting)) for setting in plan.settings]
    skill = [[Sample(setting, store.rows(setting)) for setting in settings] for settings in plan.skill]
    found = Found(plan, samples, skill)
    sample.write(samples, folder)
    (folder / "report.html").write_text(report.page(found, command(plan)), encoding="utf-8")
    return found


def command(plan: Plan) -> str:
    """The command that makes the same study, with all that its result depends on."""
    setting = plan.settings[0]
    words = ["strandline", "lab", plan.game.name]
    words += ["--players", ",".join(dict.fromkeys(str(one.players) for one in plan.settings))]
    words += ["--bots", ",".join(setting.bots), "--games", str(setting.games), "--seed", str(setting.seed)]
    for name, option in plan.game.options.items():
        value = setting.start.options[name]
        if name != plan.option and value != option.default:
            words += ["--option", f"{name}={shown(value)}"]
    if plan.option is not None:
        words += ["--compare", f"{plan.option}={','.join(map(shown, plan.values))}"]
    if plan.box is not None:
        words += ["--box", str(plan.box)]
    skill = next((settings for settings in plan.skill if settings), None)
    if skill is None:
        return shlex.join([*words, "--skill", "none"])
    names = [skill[0].bots[0], skill[-1].bots[-1]]
    return shlex.join([*words, "--skill", ",".join(names), "--skill-games", str(skill[0].games)])
