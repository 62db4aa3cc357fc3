#!/usr/bin/env python3
"""Random programs with critical sections, each with a pthread mutex, with locks of its own and with locks of libraries that are installed (program.c): taken as
locks, they have the same outcomes, the same deadlocks and the same number of traces."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import Orders, compare, search, unfinished

KINDS = {"futex": "-DLOCK_KIND=2 -DSPINS=1", "park": "-DLOCK_KIND=2 -DSPINS=40", "spin": "-DLOCK_KIND=3", "wrapped": "-DLOCK_KIND=2 -DWRAPPED"}
LIBRARIES = {"gmutex": ("-DLOCK_KIND=4", "libglib-2.0.so.0"), "omp": ("-DLOCK_KIND=5", "libgomp.so.1")}


# tests/locks.sh builds it where the crate is installed. Its try_lock reads the word first, so the number of traces differs
PARKING_LOT = os.environ.get("PARKING_LOT")
# the same for Abseil: options of the linker
ABSL = os.environ.get("ABSL")


def section(rng, inside):
    lock = rng.choice([c for c in "ab" if c not in inside])
    body = "".join(rng.choice("xyxr") for _ in range(rng.randint(0, 2)))
    if not inside and rng.random() < 0.35:
        body += section(rng, inside + lock)
    return lock + body + lock.upper()


def thread(rng):
    out = ""
    for _ in range(rng.randint(1, 2)):
        out += section(rng, "")
        if rng.random() < 0.4:
            out += rng.choice("xyrttt")
    return out


def generate(rng):
    while True:
        program = [thread(rng) for _ in range(rng.choice([2, 2, 2, 3]))]
        if sum(map(len, program)) <= 16 and sum(c in "abt" for c in "".join(program)) <= 5:
            return program


def is_installed(library):
    return os.path.exists(subprocess.run(["gcc", "-print-file-name=" + library], capture_output=True, text=True, check=True).stdout.strip())


def build(directory, kind, flags, *library):
    path = os.path.join(directory, kind)
    subprocess.run(["gcc", "-g", "-O1", "-pthread", "-w", "-I.", *flags.split(), "-o", path, "tests/locks/program.c", *(name if "/" in name or name.startswith("-") else "-l:" + name for name in library)], check=True)
    return path


def unfinished_but_for(library, result):
    """Like unfinished. That the other code of the library is not seen is expected."""
    if result["reason"] and library and result["reason"].startswith(f"the memory accesses of {library}, which are not seen"):
        result = {**result, "reason": None}
    return unfinished(result)


def seen(args, path, program, *options, library=None):
    lines = []
    result = search(args, path, ["9", orders.scratch, *program], *options, run=lambda command: lines.append(orders.lines(command)))
    dead = {"deadlock"} if any(b["kind"] == "deadlock" for b in result["bugs"]) else set()
    other = {b["message"] for b in result["bugs"] if b["kind"] != "deadlock"}
    return lines[0] | dead | other | unfinished_but_for(library, result), result["distinct_traces"]


def found(args, path, program):
    """Returns the outcomes with own locks; where they differ from those with a pthread mutex, or their number of traces does, words are among them."""
    want, traces = with_mutex[tuple(program)]
    have = set(want)
    for kind in paths:
        outcomes, n = seen(args, paths[kind], program, *(("--lock", "take") if kind in KINDS else ()), library=LIBRARIES.get(kind, (None, None))[1])
        have |= {f"{kind}: {sorted(outcomes ^ want)}"} if outcomes != want else set()
        same = kind not in ("parking_lot", "absl") or "t" not in "".join(program)
        have |= {f"{kind}: {n} traces, not {traces}"} if counted(args) and same and n != traces else set()
    return have


def expected(args, path, program):
    with_mutex[tuple(program)] = seen(args, path, program)
    return with_mutex[tuple(program)][0]


def counted(args):
    return "exhaustive" not in args.options and "auto" not in args.options


directory = sys.argv[sys.argv.index("--dir") + 1]
paths = {kind: build(directory, kind, flags) for kind, flags in KINDS.items()}
paths |= {kind: build(directory, kind, *how) for kind, how in LIBRARIES.items() if is_installed(how[1])}
if PARKING_LOT:
    # without functions that nothing calls, like bump_slow: with it there is no lock
    paths["parking_lot"] = build(directory, "parking_lot", "-DLOCK_KIND=6 -Wl,--gc-sections", PARKING_LOT)
if ABSL:
    paths["absl"] = build(directory, "absl", "-DLOCK_KIND=7", *ABSL.split())
with_mutex = {}
orders = Orders()
both = lambda args, path, program: (expected(args, path, program), found(args, path, program))
compare(os.path.join(os.path.dirname(__file__), "program.c"), generate, both=both, flags="-DLOCK_KIND=1")
