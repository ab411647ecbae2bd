"""`python -m gradpeek.language_server --stdio`: what editors start."""

from __future__ import annotations

import argparse

from gradpeek.language_server.serve import serve


def main() -> None:
    """Serve on stdio, or with --tcp PORT on loopback."""
    parser = argparse.ArgumentParser(prog="gradpeek serve", description=__doc__)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="speak on stdin and stdout (default)")
    way.add_argument("--tcp", type=int, metavar="PORT", help="listen on 127.0.0.1:PORT")
    serve(parser.parse_args().tcp)


if __name__ == "__main__":
    main()
