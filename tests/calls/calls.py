#!/usr/bin/env python3
"""Random programs with channels (program.c). With channels that are taken as one step they have the same outcomes and the same deadlocks as with a mutex and a condition variable.
Small ones also have them when the channels are explored as code."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import Orders, compare, search, unfinished

KINDS = {"plain": "-O1", "tail": "-O2", "unoptimised": "-O0", "other park": "-O1 -DOTHER_PARK", "own block": "-O1 -DOWN_BLOCK"}
MOST_AS_CODE = 3  # operations on channels in a program that is explored as code, too


def operations(rng):
    """Returns operations of one thread, with the mutex locked and unlocked in pairs."""
    out, n = "", rng.randint(1, 3)
    for _ in range(n):
        out += rng.choice("ssstrrupcdokxyvw")
    if rng.random() < 0.3:
        at = rng.randint(0, len(out))
        out = out[:at] + "m" + out[at:] + "M"
    return out


def is_small(program):
    return sum(c in "strupcdokvw" for c in "".join(program)) <= MOST_AS_CODE


def ends(program):
    """Returns whether the first call that waits for a signal is made when it comes for sure."""
    return all("w" not in t or any(u.startswith("v") for u in program if u is not t) for t in program)


def generate(rng):
    while True:
        program = [operations(rng) for _ in range(rng.choice([2, 2, 3]))]
        letters = "".join(program)
        # a thread drops a sender that it has once; it does not remove messages under the mutex that this locks
        if len(letters) <= 7 and ends(program) and all(t.count("c") <= 1 and t.count("d") <= 1 and not ("m" in t and "k" in t) for t in program):
            return program


def seen(args, path, program, *options):
    lines = []
    result = search(args, path, ["9", orders.scratch, *program], *options, run=lambda command: lines.append(orders.lines(command)))
    dead = {"deadlock"} if any(b["kind"] == "deadlock" for b in result["bugs"]) else set()
    return lines[0] | dead | {b["message"] for b in result["bugs"] if b["kind"] != "deadlock"} | unfinished(result)


def both(args, path, program):
    want = seen(args, path, program)
    have = set(want)
    for kind, other in paths.items():
        as_code = kind == "plain" and is_small(program) and "optimal" in args.options
        for options in [()] + [("--own-locks", "explore")] * as_code:
            outcomes = seen(args, other, program, *options)
            have |= {f"{kind} {options}: {sorted(outcomes ^ want)}"} if outcomes != want else set()
    return want, have


def build(directory, kind, flags):
    path = os.path.join(directory, kind)
    subprocess.run(["gcc", "-g", "-pthread", "-w", "-I.", "-DCHANNEL_KIND=2", *flags.split(), "-o", path, "tests/calls/program.c"], check=True)
    return path


directory = sys.argv[sys.argv.index("--dir") + 1]
paths = {kind: build(directory, kind, flags) for kind, flags in KINDS.items()}
orders = Orders()
compare(os.path.join(os.path.dirname(__file__), "program.c"), generate, both=both, flags="-DCHANNEL_KIND=1")
