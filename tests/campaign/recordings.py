#!/usr/bin/env python3
"""recordings.py N SEED SIMUL WORK LIBRARY RECORDING...: N mutated recordings through every subcommand that reads one.

None makes simul crash or hang, none runs another program, loads LIBRARY (which leaves a file), or writes outside of its directory."""
import os
import re
import subprocess
import sys

import lib

# Lines that a stranger would write. CANARY is a directory in which nothing may change.
LINES = [b'path "/bin/sh"', b'path "%(canary)s/none"', b'path ""', b'path "/"', b'path "relative"', b'path "/proc/self/exe"', b'build-id ""', b'build-id "00"',
         b'arg "-c"', b'arg "touch %(canary)s/touched"', b'arg "\\x1b[2J"', b'arg "' + b"x" * 3000 + b'"', b'env "LD_PRELOAD=%(library)s"',
         b'env "LD_AUDIT=%(library)s"', b'env "LD_LIBRARY_PATH=%(canary)s"', b'env "GCONV_PATH=%(canary)s"', b'env "MALLOC_TRACE=%(canary)s/trace"',
         b'env "GLIBC_TUNABLES=glibc.malloc.check=3"', b'env "TMPDIR=%(canary)s"', b'env "SIMUL_SESSION=3"', b'env "NOVALUE"', b'env "=x"',
         b'env "OMP_NUM_THREADS=999999"', b'env-hidden "A=b"', b'cwd "%(canary)s"', b'cwd "/nonexistent"', b'cwd ""', b'stdin "%(canary)s/in"',
         b'stdin "/dev/zero"', b'stdin "/dev/tty"', b'env-size 4294967295 4294967295', b'env-size 1 1', b'env-size 0 0', b'stack-limit 1',
         b'stack-limit 18446744073709551615', b'max-steps 0', b'max-steps 4294967295', b'seed 1', b'spurious 1000', b'patience 1', b'threads kernel',
         b'model pso', b'model tso', b'fail-on-race 1', b'patch 0', b'patch-also "*"', b'origin "00"']


def numbers(line, rnd):
    """Another number somewhere in the line."""
    found = list(re.finditer(rb"\b(0x)?[0-9a-f]+\b", line))
    if not found:
        return line
    m = rnd.choice(found)
    return line[:m.start()] + rnd.choice([b"0", b"1", b"2", b"7", b"100", b"65535", b"4294967295", b"18446744073709551615", b"0xffffffffffffffff"]) + line[m.end():]


def mutate(text, rnd, names):
    """Changes lines. Most of the time it corrects the checksum, so that simul reads the changed lines."""
    lines = text.split(b"\n")[:-2]
    for _ in range(rnd.choice([1, 1, 2, 3, 8])):
        i = rnd.randrange(len(lines))
        kind = rnd.randrange(9)
        if kind <= 2:  # in its place, so that the section is right
            new = rnd.choice(LINES) % names
            same = [k for k, l in enumerate(lines) if l.split(b" ")[0] == new.split(b" ")[0]]
            where = rnd.choice(same) if same else i
            lines[where:where + (kind == 0)] = [new]
        elif kind == 3:
            del lines[i]
        elif kind == 4:
            lines.insert(i, lines[rnd.randrange(len(lines))])
        elif kind == 5:
            j = rnd.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        elif kind == 6:
            lines[i] = lib.mutate_bytes(lines[i] or b"x", rnd)
        else:
            lines[i] = numbers(lines[i], rnd)
        if not lines:
            return b""
    data = b"\n".join(lines) + b"\n"
    if rnd.random() < 0.05:
        return lib.mutate_bytes(text, rnd)
    return data + b"end %016x\n" % lib.fnv(data)


def main():
    n, rnd, rest = lib.arguments()
    simul, work, library, bases = rest[0], rest[1], rest[2], rest[3:]
    canary, cwd = os.path.join(work, "canary"), os.path.join(work, "cwd")
    os.makedirs(canary)
    os.makedirs(cwd)
    with open(os.path.join(canary, "in"), "w") as f:
        f.write("input\n")
    names = {b"canary": canary.encode(), b"library": library.encode()}
    texts = [open(b, "rb").read() for b in bases]
    judge = lib.Judge(work)
    before = lib.snapshot(canary)
    accepted = ran = 0
    file, out = os.path.join(cwd, "m.simul"), os.path.join(cwd, "o.simul")
    for k in range(n):
        with open(file, "wb") as f:
            f.write(mutate(rnd.choice(texts), rnd, names))
        fail_limit = 6.0  # --hang-timeout 0.1s: simul gives up a replay after sixty times that
        shown = judge.run([simul, "show", file], 5, (0, 2), [file], cwd)
        accepted += b"simul: " not in shown[:7]
        for way in (["--json"], ["--html", "-"], ["--dot"], ["--all", "--color", "always"]):
            judge.run([simul, "show"] + way + [file], 5, (0, 2), [file], cwd)
        judge.run([simul, "replay", file], fail_limit, (1, 2, 4), [file], cwd)
        replayed = judge.run([simul, "replay", "--trust", "--verbose", "--hang-timeout", "0.1s", file], fail_limit, (1, 2, 4), [file], cwd)
        ran += b"simul: replayed:" in replayed
        judge.run([simul, "minimize", "--trust", "--hang-timeout", "0.1s", "--time", "1s", "-o", out, file], 1 + fail_limit, (0, 2, 4), [file], cwd)
        if os.path.exists(out):
            judge.run([simul, "show", out], 5, (0,), [file, out], cwd)
            os.unlink(out)
        if lib.snapshot(canary) != before:
            judge.fail("something was written in %s" % canary, ["mutant %d" % k], b"", [file])
            before = lib.snapshot(canary)
        strange = [f for f in os.listdir(cwd) if f != "m.simul"]
        if strange:
            judge.fail("it left %s" % strange, ["mutant %d" % k], b"", [file])
            for f in strange:
                subprocess.run(["rm", "-rf", os.path.join(cwd, f)])
    print("%d recordings, %d readable, %d replayed, %d runs of simul, slowest %.1f s over its limit" % (n, accepted, ran, judge.runs, judge.slowest))
    if n >= 50 and (accepted * 10 < n or ran * 50 < n):
        print("FAILED: the mutations are too wild to say anything")
        judge.failures += 1
    sys.exit(judge.failures != 0)


main()
