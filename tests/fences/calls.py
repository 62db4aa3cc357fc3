#!/usr/bin/env python3
"""Random programs with library calls between stores and loads (calls.c), under TSO: simul finds the outcomes that brute force finds.

Brute force tries all interleavings of the threads and of their store buffers. A call waits for an empty buffer where the one of the installed libc
executes a locked instruction (tests/lib/libc_fences.c finds out). Outcome 0 is left out, because simul reports only failing executions.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import compare, search, unfinished

BITS = "xytwkRW"  # operations that add a bit to the outcome
NO_FENCE = "sbgoredic"
CALLS = "sbtpwgoredmkRWlicvf"


def generate(rng):
    def thread(first, other):
        ops = [first.upper()]
        calls = [rng.choice(CALLS if rng.random() < 0.7 else "tkRWs") for _ in range(rng.randint(1, 2))]
        ops += calls + [other]
        if rng.random() < 0.4:
            ops.insert(rng.randint(0, len(ops)), rng.choice("XYxytpkRWm"))
        return "".join(ops)
    while True:
        program = [thread("x", "y"), thread("y", "x"), str(rng.choice([0, 0, 1]))]
        if sum(op in BITS for t in program[:2] for op in t) <= 7:
            return program


def outcomes(program, sem):
    """Returns the exit statuses that are possible."""
    steps = []
    for t in program:
        ops = []
        for op in t:
            if op in "kRWml":
                ops += [op, op.lower() + "!" if op in "kml" else op + "!"]  # the second one unlocks
            else:
                ops.append(op)
        steps.append(ops)
    found, seen = set(), set()
    # places, memory, buffers, semaphore, owner of the mutex, readers, writer, bits, what a try has taken
    start = ((0, 0), (("x", 0), ("y", 0)), ((), ()), sem, None, (), None, ((), ()), (None, None))
    stack = [start]

    def put(pair, i, value):
        return (value, pair[1]) if i == 0 else (pair[0], value)

    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        at, memory, buffers, sem_value, owner, readers, writer, bits, took = state
        mem = dict(memory)
        for i in range(2):
            if buffers[i]:
                new = dict(mem)
                new[buffers[i][0]] = 1
                stack.append((at, tuple(sorted(new.items())), put(buffers, i, buffers[i][1:]), sem_value, owner, readers, writer, bits, took))
        if all(at[i] == len(steps[i]) for i in range(2)) and not buffers[0] and not buffers[1]:
            value = 0
            for n, b in enumerate(bits[0] + bits[1]):
                value |= b << n
            found.add(value)
        for i in range(2):
            if at[i] == len(steps[i]):
                continue
            op = steps[i][at[i]]
            empty = not buffers[i]

            def go(memory=memory, buffers=buffers, sem_value=sem_value, owner=owner, readers=readers, writer=writer, bits=bits, took=took):
                stack.append((put(at, i, at[i] + 1), memory, buffers, sem_value, owner, readers, writer, bits, took))

            def bit(value):
                return put(bits, i, bits[i] + (value,))

            if op in "XY":
                go(buffers=put(buffers, i, buffers[i] + (op.lower(),)))
            elif op in "xy":
                go(bits=bit(1 if op in buffers[i] else mem[op]))
            elif op in NO_FENCE:
                go()
            elif op == "f":
                if empty:
                    go()
            elif op == "v":
                if empty and not buffers[1 - i]:
                    go()
            elif op == "p":
                if empty:
                    go(sem_value=sem_value + 1)
            elif op == "t":
                if sem_value == 0:
                    go(bits=bit(1))
                elif empty:
                    go(sem_value=sem_value - 1, bits=bit(0))
            elif op == "w":
                if empty and sem_value == 0:
                    go(bits=bit(1))
                elif empty:
                    go(sem_value=sem_value - 1, bits=bit(0))
            elif op == "m":
                if empty and owner is None:
                    go(owner=i)
            elif op == "k":
                if owner is not None:
                    go(bits=bit(1))
                elif empty:
                    go(owner=i, bits=bit(0), took=put(took, i, "k"))
            elif op == "m!":
                if empty:
                    go(owner=None)
            elif op == "k!":
                if took[i] != "k":
                    go()
                elif empty:
                    go(owner=None, took=put(took, i, None))
            elif op == "l":
                if empty and writer is None:
                    go(readers=tuple(sorted(readers + (i,))))
            elif op == "R":
                if writer is not None:
                    go(bits=bit(1))
                elif empty:
                    go(readers=tuple(sorted(readers + (i,))), bits=bit(0), took=put(took, i, "R"))
            elif op == "W":
                if writer is not None or readers:
                    go(bits=bit(1))
                elif empty:
                    go(writer=i, bits=bit(0), took=put(took, i, "W"))
            elif op == "l!" or (op == "R!" and took[i] == "R"):
                if empty:
                    left = list(readers)
                    left.remove(i)
                    go(readers=tuple(left), took=put(took, i, None))
            elif op == "W!" and took[i] == "W":
                if empty:
                    go(writer=None, took=put(took, i, None))
            else:
                go()
    return found


def found(args, path, program):
    result = search(args, path, program, "--model", "tso")
    statuses = unfinished(result)
    for b in result["bugs"]:
        m = re.search(r"exited with status (\d+)", b["message"])
        statuses.add(int(m.group(1)) if m and b["confirmed"] else b["message"])
    return statuses


compare(os.path.join(os.path.dirname(__file__), "calls.c"), generate, lambda p: outcomes(p[:2], int(p[2])) - {0}, found)
