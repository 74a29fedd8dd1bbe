"""`strandline store`: check, copy and move the tables of a server."""

import argparse
from pathlib import Path

HELP = "check, migrate, back up, restore, export or import a server's tables"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    what = command.add_subparsers(dest="what", required=True, metavar="WHAT")
    for name, line in (
        ("check", "read and replay every table"),
        ("migrate", "bring a store of an older Strandline up to date"),
        ("backup", "copy an SQLite store, even while a server uses it"),
        ("restore", "replace an SQLite store by a backup"),
        ("export", "write all tables as text"),
        ("import", "add the tables of an export"),
    ):
        one = what.add_parser(name, help=line)
        one.add_argument("--store", metavar="URL", help="sqlite:///FILE or postgresql://… (default: your data folder)")
        if name not in ("check", "migrate"):
            one.add_argument("file", type=Path, metavar="FILE")


def run(args: argparse.Namespace) -> None:
    """Do it, and say what was done."""
    from strandline.server import upkeep
    from strandline.server.launch import default_store
    from strandline.server.store import BadStore, Store

    url = args.store or default_store()
    if args.what == "restore":  # the old store need not be one that can be opened
        upkeep.restore(url, args.file)
        print(f"The store was replaced by {args.file}.")
        return
    store = Store(url, migrate=args.what == "migrate", new=args.what == "import")
    try:
        match args.what:
            case "check":
                number, wrong = upkeep.check(store)
                if wrong:
                    raise BadStore("\n".join(wrong))
                print(f"{number} tables checked, nothing wrong.")
            case "migrate":
                print("The store is up to date.")
            case "backup":
                upkeep.backup(store, args.file)
                print(f"The store was copied to {args.file}.")
            case "export":
                print(f"{upkeep.export(store, args.file)} tables were written to {args.file}.")
            case "import":
                added, known = upkeep.import_(store, args.file)
                print(f"{added} tables were added; {known} were already there.")
    finally:
        store.close()
