#!/usr/bin/env python3
"""Random programs of two or three threads with accesses of four pages and calls that change what is mapped there (calls.c): simul finds the outcomes
that there are when the operations are made in every order, without threads."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import compare, unfinished

# Operations that meet on something.
GROUPS = ["rwu", "rwm", "rwum", "rwRWUM", "rwpq", "rwoq", "rwpqoQ", "rwdD", "rRwWv", "rRwWx", "RWsM", "rwud", "uUrR", "fgFGtTe", "FGhT", "FGTe", "FGhel", "fgnN", "FGnNT",
          "fgyt", "fFte", "FGNe", "rwvqM", "FGTl"]


def orders(lengths):
    total, ways = 0, 1
    for k in lengths:
        for i in range(1, k + 1):
            total += 1
            ways = ways * total // i
    return ways


def generate(rng):
    while True:
        letters = rng.choice(GROUPS) + (rng.choice(GROUPS) if rng.random() < 0.2 else "")
        program = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 3))) for _ in range(rng.choice([2, 2, 3]))]
        if orders(map(len, program)) <= 60:
            return program


def lines(command):
    """Runs it with descriptor 9 as a pipe. Returns what was written there."""
    r, w = os.pipe()
    with open(os.path.join(work, "log"), "w", encoding="utf-8") as log:
        p = subprocess.Popen(["bash", "-c", f'exec 9>&{w} {w}>&-; exec "$@"', "bash", *command], pass_fds=[w], stdout=log, stderr=log)
    os.close(w)
    with os.fdopen(r) as f:
        text = f.read()
    p.wait()
    return set(text.splitlines())


def expected(program):
    return lines([os.path.join(work, "program"), "-9", *program])


def found(args, path, program):
    result = os.path.join(args.dir, "r.json")
    if os.path.exists(result):
        os.remove(result)
    have = lines([os.environ["SIMUL"], "run", "--quiet", "--keep-going", "--time", "120", "--json", result, "--output", os.path.join(args.dir, "out"),
                  *args.options.split(), "--", path, "9", *program])
    with open(result, encoding="utf-8") as f:
        r = json.load(f)
    if r["verdict"] == "complete" and "mapped" in (r["reason"] or ""): # it names exceptions, since a mapping was removed while the file was in use
        r["reason"] = None
    failures = {b["message"] for b in r["bugs"]}
    if failures and not have: # the first failure hides what comes after
        return expected(program) if failures <= expected(program) else failures
    return have | unfinished(r) | failures


work = sys.argv[sys.argv.index("--dir") + 1]
compare(os.path.join(os.path.dirname(__file__), "calls.c"), generate, expected, found)
