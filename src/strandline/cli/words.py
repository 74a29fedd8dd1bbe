"""`strandline words`: compare the languages with what the code says."""

import argparse

from strandline.engine import words

HELP = "check the translations, or bring a language's files up to date"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    command.add_argument(
        "--update", metavar="LANGUAGE", help="write what is missing into the files of a language, such as de or fr"
    )


def run(args: argparse.Namespace) -> None:
    """Say what is missing, surplus or wrong; exit code 1 if anything is."""
    from strandline.engine import catalogues

    if args.update:
        for file in catalogues.update(args.update):
            print(file)
        words.languages.cache_clear()
    found = catalogues.faults()
    for line in found:
        print(line)
    print(f"{', '.join(words.languages())}: {'complete' if not found else f'{len(found)} to fix'}.")
    if found:
        raise SystemExit(1)
