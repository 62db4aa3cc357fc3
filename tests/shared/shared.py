#!/usr/bin/env python3
"""Random programs of two or three threads with calls on files, directories, descriptors and state of the process (calls.c): simul finds the
outcomes that there are when the calls are made in every order, without threads."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import compare, unfinished
import json

# Calls that meet on something, and what they meet on.
GROUPS = ["abcouOrR", "abrRlsn", "amdiL", "aDEF", "wkjz", "wpqAS", "qfSpt", "iTtOu", "hMiu", "CBg", "CBgac", "UVc", "UVmM", "xve", "xvy2", "xqy2v", "GH", "Lucm",
          "TiOuq", "nluri"]


def orders(lengths):
    total, ways = 0, 1
    for k in lengths:
        for i in range(1, k + 1):
            total += 1
            ways = ways * total // i
    return ways


def generate(rng):
    while True:
        letters = rng.choice(GROUPS) + (rng.choice(GROUPS) if rng.random() < 0.3 else "")
        program = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 3))) for _ in range(rng.choice([2, 2, 3]))]
        letters = "".join(program)
        if "x" in letters and any(c in letters for c in "coOT"):
            continue  # which number a file gets that is opened after a close in another thread: docs/limits.md
        if orders(map(len, program)) <= 60:
            return program


def lines(command, directory):
    """Runs it with descriptor 9 as a pipe. Returns what was written there."""
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory)
    r, w = os.pipe()
    with open(os.path.join(os.path.dirname(directory), "log"), "w", encoding="utf-8") as log:
        p = subprocess.Popen(["bash", "-c", f'exec 9>&{w} {w}>&-; exec "$@"', "bash", *command], pass_fds=[w], stdout=log, stderr=log)
    os.close(w)
    with os.fdopen(r) as f:
        text = f.read()
    p.wait()
    return set(text.splitlines())


def expected(program):
    directory = os.path.join(work, "native")
    found = lines([os.path.join(work, "program"), "-9", directory, *program], directory)
    found.discard("")
    return found


def found(args, path, program):
    result = os.path.join(args.dir, "r.json")
    if os.path.exists(result):
        os.remove(result)
    directory = os.path.join(args.dir, "native") # the same name, since one outcome has it
    have = lines([os.environ["SIMUL"], "run", "--quiet", "--keep-going", "--time", "120", "--json", result, "--output", os.path.join(args.dir, "out"),
                  *args.options.split(), "--", path, "9", directory, *program], directory)
    with open(result, encoding="utf-8") as f:
        r = json.load(f)
    have |= unfinished(r)
    have |= {b["message"] for b in r["bugs"]}
    return have


work = sys.argv[sys.argv.index("--dir") + 1]
compare(os.path.join(os.path.dirname(__file__), "calls.c"), generate, expected, found)
