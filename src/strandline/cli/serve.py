"""`strandline serve`: serve game tables to browsers."""

import argparse
import ipaddress

import strandline

HELP = "serve game tables to browsers"
SHORTEST_AWAY_S = 60
"""A person counts as away after a minute at the soonest."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument("--host", default="127.0.0.1", metavar="H", help="default 127.0.0.1: this machine only")
    command.add_argument("--port", type=int, default=8000, metavar="N", help="default 8000; 0 is any free one")
    command.add_argument("--store", metavar="URL", help="sqlite:///FILE or postgresql://… (default: your data folder)")
    command.add_argument(
        "--archive-after", type=float, default=30, metavar="DAYS", help="archive untouched tables (default 30)"
    )
    command.add_argument(
        "--tables",
        type=int,
        default=10,
        metavar="N",
        help="tables a minute for one address, and five times as many unfinished",
    )
    command.add_argument(
        "--away-after",
        type=float,
        default=60,
        metavar="S",
        help="seconds without a connection until a bot may step in (60, the default, or more)",
    )
    command.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a name by which browsers know this server"
    )
    command.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="believe this proxy, or all in this network, when it says who asks",
    )
    command.add_argument("--open-tables", action="store_true", help="tables may be open to whoever is on this server")
    command.add_argument(
        "--webhooks", action="store_true", help="people may have public addresses notified of their turns"
    )
    command.add_argument(
        "--notices-inside", action="store_true", help="notices may go to local networks too, and without TLS"
    )
    command.add_argument("--metrics", action="store_true", help="let other machines read /metrics")
    command.add_argument("--json-log", action="store_true", help="write the log as JSON, one object a line")


def run(args: argparse.Namespace) -> None:
    """Serve tables until stopped."""
    from strandline.server import launch
    from strandline.server.hall import Settings

    if args.archive_after <= 0:
        raise strandline.BadOptions("--archive-after must be above 0.")
    if args.tables <= 0:
        raise strandline.BadOptions("--tables must be above 0.")
    if not args.away_after >= SHORTEST_AWAY_S:
        raise strandline.BadOptions(f"--away-after must be at least {SHORTEST_AWAY_S} seconds.")
    if not 0 <= args.port < 2**16:
        raise strandline.BadOptions(f"--port must be from 0 to {2**16 - 1}.")
    for proxy in args.proxy:
        _check_proxy(proxy)
    settings = Settings(
        archive_after=args.archive_after * 86_400,
        away_after=args.away_after,
        tables=args.tables,
        open_tables=5 * args.tables,
        hosts=tuple(name.lower() for name in args.name),
        proxies=tuple(args.proxy),
        webhooks=args.webhooks,
        notices_inside=args.notices_inside,
        public=args.open_tables,
        open_metrics=args.metrics,
        json_log=args.json_log,
    )
    launch.serve(args.store or launch.default_store(), args.host, args.port, settings)


def _check_proxy(text: str) -> None:
    try:
        ipaddress.ip_network(text)
    except ValueError:
        raise strandline.BadOptions(f"--proxy is an address or a network like 10.0.0.0/8, not {text}.") from None
