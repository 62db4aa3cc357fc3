#!/usr/bin/env python3
"""Random programs that free blocks with locks in them, compared with an oracle that tries every interleaving.

An interleaving has a use after free if an operation on a block comes after its free. simul must report one if and only if there is one, and a
deadlock only if there is one. Prints the programs on which simul and the oracle differ, and a line `N programs: ..., M differ`.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import compare, search, unfinished

USES = "blutqgcrs"


def generate(rng):
    """Returns a list of strings, one for each thread."""
    blocks = rng.randint(1, 2)
    threads = [[] for _ in range(rng.randint(2, 3))]
    for ops in threads:
        for _ in range(rng.randint(1, 3)):
            kind, n = rng.choice("lltqgcrspw"), rng.randrange(blocks)
            if kind == "l":
                inner = rng.choice([[], [], ["p0"], ["w0"], [f"g{n}"]])
                ops += [f"l{n}", *inner, f"u{n}"]
            elif kind in "pw":
                ops.append(f"{kind}{rng.randrange(2)}")
            else:
                ops.append(f"{kind}{n}")
    for n in range(blocks):
        if rng.random() < 0.85:
            ops = rng.choice(threads)
            ops.insert(len(ops) if rng.random() < 0.6 else rng.randint(0, len(ops)), f"f{n}")
    return ["".join(ops) for ops in threads]


def expand(thread):
    """Splits operations of two steps."""
    steps = []
    for i in range(0, len(thread), 2):
        op, n = thread[i], int(thread[i + 1])
        if op == "l":
            steps += [("b", n), ("l", n)]  # b: the call begins; the thread may wait in it when the block is freed
        elif op == "t":
            steps += [("t", n), ("T", n)]  # T unlocks if the lock was taken
        elif op == "c":
            steps += [("L", 9), ("c", n), ("U", 9)]  # the global mutex
        elif op == "r":
            steps += [("r", n), ("r", n)]
        elif op == "s":
            steps += [("b", n + 100), ("l", n + 100), ("u", n + 100)]  # the spin lock of block n
        else:
            steps.append((op, n))
    return steps


def oracle(program):
    """Returns the set of outcomes: 'memory', 'deadlock', 'passes'."""
    threads = [expand(t) for t in program]
    outcomes, seen = set(), set()
    start = (tuple(0 for _ in threads), frozenset(), (), (0,) * 10, frozenset())
    stack = [start]
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        at, freed, held, sems, took = state
        owner = dict(held)
        moved = False
        # main joins the others: it ends last, which frees nothing
        for t, steps in enumerate(threads):
            if at[t] == len(steps):
                continue
            op, n = steps[at[t]]
            if op == "l" and ("l", n) in owner:
                continue
            if op in USES + "LT" and op not in "LU" and n % 100 in freed and not (op == "T" and (t, n) not in took):
                outcomes.add("memory")
                moved = True
                continue
            new_freed, new_owner, new_sems, new_took = freed, dict(owner), list(sems), took
            if op in "lL":
                key = (op if op == "L" else "l", n)
                if key in owner:
                    continue
                new_owner[key] = t
            elif op in "uU":
                key = ("L" if op == "U" else "l", n)
                new_owner.pop(key, None)
            elif op == "t":
                if ("l", n) not in owner:
                    new_owner[("l", n)] = t
                    new_took = took | {(t, n)}
            elif op == "T":
                if (t, n) in took:
                    new_owner.pop(("l", n))
                    new_took = took - {(t, n)}
            elif op == "p":
                new_sems[n] += 1
            elif op == "w":
                if not sems[n]:
                    continue
                new_sems[n] -= 1
            elif op == "f":
                new_freed = freed | {n}
            moved = True
            stack.append((at[:t] + (at[t] + 1,) + at[t + 1:], new_freed, tuple(sorted(new_owner.items())), tuple(new_sems), new_took))
        if not moved:
            done = all(at[t] == len(s) for t, s in enumerate(threads))
            outcomes.add("passes" if done else "deadlock")
    return outcomes


def found(args, path, program):
    result = search(args, path, program)
    return unfinished(result) | {b["kind"] if b["confirmed"] else b["message"] for b in result["bugs"]}


compare(os.path.join(os.path.dirname(__file__), "program.c"), generate, lambda p: oracle(p) - {"passes"}, found)
