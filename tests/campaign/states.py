#!/usr/bin/env python3
"""states.py N SEED SIMUL WORK PROGRAM STATE...: N mutated directories of --resume (copies of STATE...), and what `simul run --resume` makes of them.

None makes simul crash, hang, or write outside of the directory; and since PROGRAM has a bug, none gives the verdict "complete". Who can write the
file with a right checksum owns the search: so what the explorer keeps is changed with a wrong checksum only."""
import os
import shutil
import struct
import sys

import lib

IDENTITY, TOTALS, LAYOUT, MEMORY, FINDING, MAPS, WORKERS = 1, 2, 3, 4, 5, 6, 7
MASK = 2 ** 64 - 1


def checksum(data):
    s = 0
    for (word,) in struct.iter_unpack("<Q", data):
        s = ((s ^ word) * 0x9e3779b97f4a7c15) & MASK
        s ^= s >> 32
    return s


def sections(data):
    at, found = 24, []
    while True:
        kind, size = struct.unpack_from("<QQ", data, at)
        if kind == 0:
            return found
        found.append([kind, data[at + 16:at + 16 + size]])
        at += 16 + size + (-size & 7)


def join(head, parts):
    out = head
    for kind, body in parts:
        out += struct.pack("<QQ", kind, len(body)) + body + b"\0" * (-len(body) & 7)
    return out + struct.pack("<QQ", 0, checksum(out))


def mutate(data, rnd):
    if rnd.random() < 0.3:
        return lib.mutate_bytes(data, rnd)  # the checksum is wrong
    parts = sections(data)
    for _ in range(rnd.choice([1, 1, 2, 4])):
        i = rnd.randrange(len(parts))
        kind = rnd.randrange(5)
        if kind == 0:
            parts.insert(i, list(parts[rnd.randrange(len(parts))]))
        elif kind == 1 and parts[i][0] != MEMORY:
            del parts[i]
        elif kind == 2 and parts[i][0] != MEMORY:
            parts[i][0] = rnd.choice([0x77, MAPS, IDENTITY, WORKERS, LAYOUT, TOTALS])
        elif parts[i][0] == MEMORY:
            worker, off = struct.unpack_from("<QQ", parts[i][1])
            if rnd.random() < 0.5:  # outside of the search data
                parts[i][1] = struct.pack("<QQ", rnd.choice([1, 7, MASK]), off) + parts[i][1][16:]
            else:
                parts[i][1] = struct.pack("<QQ", worker, rnd.choice([MASK, 2 ** 63, 2 ** 40, MASK - 8])) + parts[i][1][16:]
        else:
            parts[i][1] = lib.mutate_bytes(parts[i][1], rnd)
    return join(data[:24], parts)


def main():
    n, rnd, rest = lib.arguments()
    simul, work, program, bases = rest[0], rest[1], rest[2], rest[3:]
    canary, cwd = os.path.join(work, "canary"), os.path.join(work, "cwd")
    os.makedirs(canary)
    os.makedirs(cwd, exist_ok=True)
    with open(os.path.join(canary, "precious"), "w") as f:
        f.write("precious\n")
    before = lib.snapshot(canary)
    judge = lib.Judge(work)
    refused = went_on = 0
    for k in range(n):
        state = os.path.join(work, "state")
        shutil.rmtree(state, ignore_errors=True)
        shutil.copytree(rnd.choice(bases), state, symlinks=True)
        name = os.path.join(state, rnd.choice(["simul-state"] * 8 + ["simul-lock"]))
        kind = rnd.randrange(12)
        if kind == 0:
            os.unlink(name)
            os.symlink(os.path.join(canary, "precious"), name)
        elif kind == 1:
            os.unlink(name)
            rnd.choice([os.mkdir, os.mkfifo])(name)
        elif kind == 2:
            os.symlink(os.path.join(canary, "precious"), os.path.join(state, "simul-state.new"))
        elif name.endswith("lock"):
            with open(name, "wb") as f:
                f.write(lib.mutate_bytes(b"-123\n", rnd))
        else:
            data = mutate(open(name, "rb").read(), rnd)
            with open(name, "wb") as f:
                f.write(data)
        out = judge.run([simul, "run", "--strategy", "optimal", "--memory", "16M", "--max-steps", "1000", "--time", "2s", "--resume", state, "--output", cwd,
                         "--no-minimize", "--", program], 2, (0, 1, 2, 3), [os.path.join(state, "simul-state")], cwd)
        refused += b"simul: --resume" in out[:15] and b"continuing the search" not in out and b"already finished" not in out
        went_on += b"continuing the search" in out or b"already finished" in out
        if b"simul: complete" in out:
            judge.fail("complete, although the bug is there", ["state %d" % k], out, [os.path.join(state, "simul-state")])
        if lib.snapshot(canary) != before:
            judge.fail("something was written in %s" % canary, ["state %d" % k], out, [])
            before = lib.snapshot(canary)
        for f in os.listdir(cwd):
            if not f.endswith(".simul"):
                judge.fail("it left %s" % f, ["state %d" % k], out, [])
            os.unlink(os.path.join(cwd, f))
    print("%d states, %d refused, %d gone on, slowest %.1f s over its limit" % (n, refused, went_on, judge.slowest))
    if n >= 100 and (refused * 10 < n or went_on * 20 < n): # of fewer states the numbers are chance
        print("FAILED: the mutations say nothing")
        judge.failures += 1
    sys.exit(judge.failures != 0)


main()
