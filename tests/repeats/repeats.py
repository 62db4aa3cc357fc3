#!/usr/bin/env python3
"""Random programs with loops that give up after some turns (program.c): with repeated reads left out, the outcomes are those of a search in which each read is an
event (--own-locks explore), and with one loop the number of turns does not change the number of traces."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import Orders, compare, search, unfinished

LEFT_OUT = "spzkm"  # loops whose repeated reads are left out
KEPT = "uqt"
EXHAUSTIVE = "exhaustive" in " ".join(sys.argv)


def thread(rng, loops):
    return "".join(rng.choice(loops if rng.random() < 0.45 else "012abci" + "r") for _ in range(rng.randint(1, 3)))


def generate(rng):
    loops = LEFT_OUT if rng.random() < 0.6 else LEFT_OUT + KEPT
    while True:
        program = [thread(rng, loops) for _ in range(rng.choice([2, 2, 2, 3]))]
        letters = "".join(program)
        if sum(c in LEFT_OUT + KEPT for c in letters) in (1, 2) and len(letters) <= (4 if EXHAUSTIVE else 6) and not (EXHAUSTIVE and "m" in letters):
            return [str(3 if EXHAUSTIVE else rng.randint(3, 5)), *program]


def seen(args, path, program, *options):
    lines = []
    result = search(args, path, ["9", orders.scratch, *program], *options, run=lambda command: lines.append(orders.lines(command)))
    return lines[0] | {b["message"] for b in result["bugs"]} | unfinished(result), result["distinct_traces"]


def found(args, path, program):
    have, traces = seen(args, path, program)
    loops = [c for c in "".join(program[1:]) if c in LEFT_OUT + KEPT]
    if len(loops) == 1 and loops[0] in LEFT_OUT and args.options == "--strategy optimal":
        more, n = seen(args, path, ["20", *program[1:]])
        have |= {f"{n} traces with 20 turns, not {traces}"} if n != traces else set()
    return have


def expected(args, path, program):
    return seen(args, path, program, "--own-locks", "explore")[0]


orders = Orders()
compare(os.path.join(os.path.dirname(__file__), "program.c"), generate, both=lambda args, path, program: (expected(args, path, program), found(args, path, program)))
