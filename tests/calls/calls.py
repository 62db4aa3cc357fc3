#!/usr/bin/env python3
"""Random programs with channels (program.c). With channels that are taken as one step they have the same outcomes and the same deadlocks as with a mutex and a condition variable.
Small ones also have them when the channels are explored as code."""
from builds import compare_builds

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


compare_builds("program.c", "CHANNEL_KIND", KINDS, generate, is_small)
