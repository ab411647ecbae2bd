"""What compiled classes declare and refer to, as `javap` tells it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

CONSTANT = re.compile(
    r"^ *#\d+ = (Class|Fieldref|Methodref|InterfaceMethodref) +\S+ +// (.+)$", re.MULTILINE
)


def javap(classes: Path, *options: str) -> str:
    """Output of `javap` for all classes below a folder.

    Raises:
        subprocess.CalledProcessError: javap refuses one.
    """
    files = sorted(str(path) for path in classes.rglob("*.class"))
    command = ["javap", *options, *files]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    return done.stdout


def declared(classes: Path) -> dict[str, list[str]]:
    """Public and protected members by the declaration of their class, both as Java writes them.

    Of public classes alone: what others hold is nobody's business.
    """
    found: dict[str, list[str]] = {}
    for line in javap(classes, "-protected").splitlines():
        if line.endswith("{"):
            members = found.setdefault(line.removesuffix(" {"), [])
        elif line.startswith("  "):
            members.append(line.strip())
    shown = {header: members for header, members in found.items() if header.startswith("public ")}
    return {header: sorted(members) for header, members in shown.items()}


def referred(classes: Path) -> set[tuple[str, str]]:
    """Classes that are used, and what of each: `name:descriptor`, or nothing for the class itself.

    Arrays and what a class has of its own are left out.
    """
    found = set()
    for kind, text in CONSTANT.findall(javap(classes, "-v", "-p")):
        if kind == "Class":
            owner, member = text.strip('"'), ""
        else:
            owner, _, member = text.partition(".")
        if "/" in owner and not owner.startswith("["):
            found.add((owner.strip('"'), member.replace('"', "")))
    return found
