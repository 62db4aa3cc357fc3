#!/usr/bin/env python3
"""Random programs of two or three threads with calls on files, directories, descriptors and state of the process (calls.c): simul finds the
outcomes that there are when the calls are made in every order, without threads."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import Orders, compare, threads, unfinished

# Calls that meet on something, and what they meet on.
GROUPS = ["abcouOrR", "abrRlsn", "amdiL", "aDEF", "wkjz", "wkIJz", "PPXYZ7", "PXYZ", "P!Y/7", "PX!/|<", "|<>", "#$", "wpqAS", "qfSpt", "iTtOu", "hMiu", "CBg", "CBgac", "UVc", "UVmM", "xve", "xvy2", "xqy2v", "GH", "Lucm",
          "348", "3469", "3456", "3489", "35x2", "346N", "10K", "10x2",
          "TiOuq", "nluri", "CBW", "UVQ", ":^", "=_", ",.", "{}", ":^=_,."]


exhaustive = any("exhaustive" in argument for argument in sys.argv)


def generate(rng):
    while True:
        program = threads(rng, GROUPS, 0.3)
        letters = "".join(program)
        if any(c in letters for c in "59N") and len(letters) > (4 if exhaustive else 5):
            continue  # each call is two steps (expected)
        if exhaustive and any(c in letters for c in "PXYZ7") and len(letters) > 5:
            continue
        # Which numbers files get that are opened after a close in another thread, or by two threads at once: docs/limits.md
        opens = sum(any(c in calls for c in "coOTey") for calls in program)
        if not any(c in letters for c in "x59") or (opens < 2 and not any(c in letters for c in "coOT")):
            return program


def found(args, path, program):
    lines, result = orders.found(args, path, program)
    return lines | unfinished(result) | {b["message"] for b in result["bugs"]}


STEPS = {"3": "(3", "4": ")4", "6": ")6", "8": ")8", "5": "5%", "9": "9%", "N": "N%"}


def expected(program):
    if any(c in "59N" for c in "".join(program)):
        program = ["".join(STEPS.get(c, c) for c in calls) for calls in program]
    return orders.expected(program)


# The kernel resolves a path, and then sets the working directory: docs/limits.md
def native(path, program):
    return set() if any(c in "CB" for c in "".join(program)) else orders.native(path, program)


orders = Orders()
compare(os.path.join(os.path.dirname(__file__), "calls.c"), generate, expected, found, native)
