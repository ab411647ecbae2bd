"""Starts the bundled language server; any Python can read this file, down to 2.7."""

import sys

if sys.version_info < (3, 10):  # noqa: UP036 - an editor may offer an older one
    sys.exit(
        "GradPeek's language server needs Python 3.10 or later; {} is Python {}.{}".format(
            sys.executable, *sys.version_info[:2]
        )
    )

from gradpeek.language_server.__main__ import main

main()
