#!/usr/bin/env python3
"""models.py [--controls] SIMUL PROGRAM MODELS SEED [OPTION...]: random models (random.cpp) with --strategy steps have the outcomes that they have with
--strategy exhaustive, and one of them without simul. --controls: processes also kill and reset each other, and throw exceptions.

A model is a list of processes, divided by '/'. A process is M (method) or T (thread) and its steps. A step is a list of operations, each a letter and a
digit, and ends in a '.'; its last operation says what the process waits for."""
import json
import os
import random
import subprocess
import sys

controls = sys.argv[1] == "--controls"
if controls:
    del sys.argv[1]
simul, program, models, seed, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]
MOST = 600  # orders of a model; one with more is left out
rng = random.Random(seed)
directory = os.environ["dir"] if "dir" in os.environ else "."


def operation():
    if controls and rng.random() < 0.35:
        return rng.choice("KRE") + str(rng.randrange(4))
    o = rng.choice("rrrwwwnnndddtucqSsBbFflLpPQkCC" if rng.random() < 0.5 else "rrwwnnndtucq")
    return o + str(rng.randrange(3) if o in "rwndtucqQ" else rng.randrange(2))


def process():
    kind = rng.choice("MTT")
    waits = "WWWOAXZNDV" + ("Y" if kind == "T" else "S")
    steps = []
    for _ in range(rng.randint(1, 2)):
        w = rng.choice(waits)
        steps.append("".join(operation() for _ in range(rng.randint(0, 3))) + w + str(rng.randrange(3)))
    return kind + "".join(s + "." for s in steps)


def run(model, *more):
    report, outcomes = os.path.join(directory, "random.json"), os.path.join(directory, "random.outcomes")
    open(outcomes, "w").close()
    subprocess.run(["sh", "-c", 'exec "$@" 9>>"$0"', outcomes, simul, "run", "--keep-going", "--quiet", "--output", directory, "--json", report, *more,
        "--", program, model], capture_output=True)
    with open(report) as f, open(outcomes) as g:
        return json.load(f), set(g)


def native(model):
    """Returns the outcome without simul."""
    return subprocess.run(["sh", "-c", 'exec "$0" "$1" 9>&1 >/dev/null', program, model], capture_output=True, text=True).stdout


totals = [0, 0, 0, 0, 0]  # models, orders, executions, blocked, outcomes
bad = 0
while totals[0] < models:
    model = "/".join(process() for _ in range(rng.randint(2, 4)))
    all_orders, wanted = run(model, "--strategy", "exhaustive", "--executions", str(MOST))
    if all_orders["verdict"] != "complete" or all_orders["executions"] >= MOST or all_orders["executions"] < 2:
        continue
    reduced, found = run(model, "--strategy", "steps", *options)
    totals = [a + b for a, b in zip(totals, [1, all_orders["executions"], reduced["executions"], reduced["blocked"], len(wanted)])]
    if native(model) not in wanted:
        bad += 1
        print(f"{model}: the outcome without simul is none of {len(wanted)}")
    if not wanted or reduced["verdict"] != "complete" or found != wanted or not len(wanted) <= reduced["executions"] <= all_orders["executions"]:
        bad += 1
        print(f"{model}: {reduced['verdict']}, {len(found)} outcomes, not {len(wanted)}; {reduced['executions']} executions of {all_orders['executions']}")
        if bad > 20:
            break
print("models %d, orders %d, executions %d, blocked %d, outcomes %d, wrong %d" % (*totals, bad))
sys.exit(bad != 0)
