#!/usr/bin/env python3
"""Random programs whose threads fork while others write, lock and post, compared with an oracle that tries every interleaving.

A child ends with a status that depends on what it sees: the variables, locks and semaphores of the moment of the fork. simul must report exactly
the exit statuses other than 0, and the deadlocks, that the oracle finds.

Steps: sN write variable N; cN copy variable N to the other one; lN, uN lock and unlock mutex N; x0, x1 lock the rwlock for reading, writing; y0 unlock
it; pN, wN post and wait for semaphore N. Forks: RN the child reads variable N, M0 both by memcpy; TN it tries mutex N; W0 it tries the rwlock for
reading; GN it reads the value of semaphore N; E0 it only ends.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import compare, search, unfinished

FORKS = "RMTWGE"


def generate(rng):
    """Returns a list of strings, one for each thread."""
    threads = [[] for _ in range(rng.choice([2, 2, 2, 3]))]
    for ops in threads:
        for _ in range(rng.randint(1, 2)):
            kind, n = rng.choice("sssclxpw"), rng.randrange(2)
            if kind == "l":
                ops += [f"l{n}", *rng.choice([[], [f"s{rng.randrange(2)}"]]), f"u{n}"]
            elif kind == "x":
                ops += [f"x{n}", *rng.choice([[], [f"s{rng.randrange(2)}"]]), "y0"]
            else:
                ops.append(f"{kind}{n}")
    for _ in range(rng.choice([1, 1, 2])):
        kind = rng.choice("RRRMTTWGE")
        ops = threads[0] if rng.random() < 0.7 else rng.choice(threads)
        ops.insert(rng.randint(0, len(ops)), kind + (str(rng.randrange(2)) if kind in "RTG" else "0"))
    return ["".join(ops) for ops in threads]


def look(op, n, var, owners, readers, sems):
    """Returns what the child sees."""
    if op == "R":
        return var[n]
    if op == "M":
        return var[0] | var[1] << 2
    if op == "T":
        return int(n in owners)
    if op == "W":
        return int("w" in owners)
    return min(sems[n], 15) if op == "G" else 0


def oracle(program):
    """Returns the set of exit statuses, and 'deadlock'."""
    threads = [[(t[i], int(t[i + 1])) for i in range(0, len(t), 2)] for t in program]
    first = [sum(op in FORKS for steps in threads[:t] for op, _ in steps) for t in range(len(threads))]
    number = {(t, i): first[t] + sum(op in FORKS for op, _ in steps[:i]) for t, steps in enumerate(threads) for i in range(len(steps))}
    outcomes, seen = set(), set()
    stack = [((0,) * len(threads), (0, 0), frozenset(), (0, 0), (0, 0), 0)]
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        at, var, owners, sems, status, readers = state
        moved = False
        for t, steps in enumerate(threads):
            if at[t] == len(steps):
                continue
            op, n = steps[at[t]]
            new_var, new_owners, new_sems, new_status, new_readers = list(var), owners, list(sems), list(status), readers
            if op == "s":
                new_var[n] = t + 1
            elif op == "c":
                loaded = [o for o in owners if isinstance(o, tuple) and o[0] == t]
                if not loaded: # two steps: the load, and at the next turn of the thread the store
                    moved = True
                    stack.append((at, var, owners | {(t, var[n])}, sems, status, readers))
                    continue
                new_owners = owners - {loaded[0]}
                new_var[1 - n] = loaded[0][1]
            elif op == "l":
                if n in owners:
                    continue
                new_owners = owners | {n}
            elif op == "u":
                new_owners = owners - {n}
            elif op == "x":
                if "w" in owners or (n and readers):
                    continue
                new_owners = owners | {"w"} if n else owners
                new_readers = readers + (not n)
            elif op == "y":
                new_owners = owners - {"w"}
                new_readers = readers - ("w" not in owners)
            elif op == "p":
                new_sems[n] += 1
            elif op == "w":
                if not sems[n]:
                    continue
                new_sems[n] -= 1
            else:
                new_status[number[t, at[t]]] = look(op, n, var, owners, readers, sems)
            moved = True
            stack.append((at[:t] + (at[t] + 1,) + at[t + 1:], tuple(new_var), new_owners, tuple(new_sems), tuple(new_status), new_readers))
        if not moved:
            done = all(at[t] == len(s) for t, s in enumerate(threads))
            outcomes.add(status[0] | status[1] << 4 if done else "deadlock")
    return outcomes


def found(args, path, program):
    result = search(args, path, program)
    outcomes = unfinished(result)
    for bug in result["bugs"]:
        words = bug["message"].split()
        outcomes.add(int(words[-1]) if bug["kind"] == "exit" and bug["confirmed"] else bug["kind"] if bug["confirmed"] else bug["message"])
    return outcomes


compare(os.path.join(os.path.dirname(__file__), "program.c"), generate, lambda p: oracle(p) - {0}, found)
