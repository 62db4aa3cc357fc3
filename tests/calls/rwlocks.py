#!/usr/bin/env python3
"""Random programs with reader-writer locks (rwlock_program.c). With operations that are one event each they have the same outcomes and the same deadlocks as with a mutex that
makes each operation one step. Small ones also have them when the locks are explored as code."""
from builds import compare_builds

KINDS = {"functions": "-O0", "inline": "-O1 -DINLINE", "inline, O2": "-O2 -DINLINE", "functions, O2": "-O2"}
MOST_AS_CODE = 3  # locks that are taken in a program that is explored as code, too


def section(rng, inside):
    lock = rng.choice([c for c in "rrwsv" if not ({c, {"r": "w", "w": "r", "s": "v", "v": "s"}[c]} & set(inside)) or (c in "rs" and c in inside)])
    body = "".join(rng.choice("xgx" if lock in "wv" else "gg") for _ in range(rng.randint(0, 1)))
    if len(inside) < 1 and rng.random() < 0.3:
        body += section(rng, inside + lock)
    return lock + body + lock.upper()


def thread(rng):
    out = ""
    for _ in range(rng.randint(1, 2)):
        out += section(rng, "") if rng.random() < 0.7 else rng.choice("tux")
    return out


def generate(rng):
    while True:
        program = [thread(rng) for _ in range(rng.choice([2, 2, 3]))]
        if sum(c in "rswvtu" for c in "".join(program)) <= 6 - len(program):
            return program


def is_small(program):
    """Returns whether the program is explored as code, too. A try fails as long as a thread that gives the lock back has not yet cleared the flags of waiting threads.
    That is an outcome that is assumed not to matter."""
    letters = "".join(program)
    return sum(c in "rswv" for c in letters) <= MOST_AS_CODE and not set("tu") & set(letters)


compare_builds("rwlock_program.c", "RWLOCK_KIND", KINDS, generate, is_small)
