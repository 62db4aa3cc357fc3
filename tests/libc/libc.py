#!/usr/bin/env python3
"""Random programs of two or three threads with calls on state that libc keeps (calls.c): simul finds the outcomes that there are when the calls are
made in every order, without threads."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import Orders, compare, threads, unfinished

# Calls that meet on something.
GROUPS = ["abcd", "ghik", "lmnop", "lq", "TUt", "TUtw", "TUvx", "twq", "12345z", "678", "AB", "CD", "EFG", "JK", "PQ", "@%", "qTv"]


def generate(rng):
    while True:
        program = threads(rng, GROUPS, 0.3)
        calls = "".join(program)
        # the variables of the time zone, which other functions than tzset set, too: docs/limits.md
        if "w" not in calls or not any(c in calls for c in "vx"):
            return program


def found(args, path, program):
    lines, result = orders.found(args, path, program)
    return lines | unfinished(result) | {b["message"] for b in result["bugs"]}


orders = Orders()
compare(os.path.join(os.path.dirname(__file__), "calls.c"), generate, orders.expected, found, orders.native, flags="-Wl,--no-as-needed -lm")
