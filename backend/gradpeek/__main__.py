"""`python -m gradpeek`."""

from gradpeek.cli import main

main(prog_name="gradpeek")
