#!/usr/bin/env python3
"""oracle.py SIMUL PROGRAM MODELS SEED: random models (random.cpp) whose threads kill and reset each other and throw exceptions have as many orders
with --strategy exhaustive, and the same outcomes, as with this interpreter, which knows nothing of SystemC's kernel.

The language is that of models.py, without methods and channels. Each thread begins with a step that only waits for the next delta cycle, because
SystemC treats threads that have not started in its own way."""
import json
import os
import random
import subprocess
import sys

simul, program, models, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
MOST = 600  # orders of a model; one with more is left out
rng = random.Random(seed)
directory = os.environ["dir"] if "dir" in os.environ else "."


class Model:
    """One execution. `choices` has the first numbers of the threads that run; later ones are 0."""

    def __init__(self, model, choices):
        self.steps = [[s for s in p[1:].split(".") if s] for p in model.split("/")]
        n = len(self.steps)
        self.choices, self.taken = choices, []  # taken: (number, of how many)
        self.seen, self.v = [i + 1 for i in range(n)], [0] * 8
        self.controls, self.at = [0] * n, [0] * n
        self.life = [0] * n  # changes when an exception leaves what the thread did
        self.ended, self.wait = [False] * n, [None] * n
        self.ready, self.delayed = list(range(n)), set()
        self.delta = 0

    def see(self, i, x):
        self.seen[i] = (self.seen[i] * 31 + x) % 2**32

    def make_ready(self, i):
        self.wait[i] = None
        self.ready.append(i)

    def notify(self, e):
        self.delayed.discard(e)
        for i in range(len(self.steps)):
            static = e == 0 and self.wait[i] == "static"
            if self.wait[i] == e or static:
                self.make_ready(i)

    def leave(self, i):
        """The thread i is taken from where it waits or is; afterwards an exception is thrown there."""
        if i in self.ready:
            self.ready.remove(i)
        self.wait[i] = None
        self.life[i] += 1

    def ends_by_exception(self, i):
        self.see(i, 99)
        self.v[3] = self.seen[i] % 256

    def control(self, i, o, k):
        k %= len(self.steps)
        self.controls[i] += 1
        if self.controls[i] > 3 or self.ended[k]:
            return
        self.leave(k)
        if o == "K":
            self.ends_by_exception(k)
            self.ended[k] = True
        elif o == "R":
            self.ends_by_exception(k)
            self.at[k] = 0
            self.run(k)
        else:
            self.see(k, 66)
            self.v[4] = self.seen[k] % 256
            self.at[k] += 1
            self.run(k)

    def perform(self, i, o, k):
        if o == "r":
            self.see(i, self.v[k])
        elif o == "w":
            self.v[k] = self.seen[i] % 256
        elif o == "n":
            self.notify(k)
        elif o == "d":
            self.delayed.add(k)
        elif o == "c":
            self.delayed.discard(k)
        else:
            self.control(i, o, k)

    def run(self, i):
        """Thread i runs step at[i] and waits at its end, or ends."""
        life = self.life[i]
        if self.at[i] == len(self.steps[i]):
            self.ended[i] = True
            return
        step = self.steps[i][self.at[i]]
        for p in range(0, len(step) - 2, 2):
            self.perform(i, step[p], int(step[p + 1]))
            if self.life[i] != life:
                return
        self.see(i, self.delta)
        k = int(step[-1])
        self.wait[i] = {"W": k, "Z": "delta", "Y": "static"}[step[-2]]

    def resume(self, i):
        if self.delta or self.at[i] or self.started[i]:
            self.see(i, self.delta)
            self.at[i] += 1
        self.started[i] = True
        self.run(i)

    def outcome(self):
        self.started = [False] * len(self.steps)
        while self.ready:
            while self.ready:
                n, of = len(self.taken), len(self.ready)
                number = self.choices[n] if n < len(self.choices) else 0
                self.taken.append((number, of))
                self.resume(self.ready.pop(number))
            self.delta += 1
            events, self.delayed = self.delayed, set()
            for i in range(len(self.steps)):
                if self.wait[i] == "delta":
                    self.make_ready(i)
            for e in events:
                self.notify(e)
        return " ".join(map(str, self.seen + self.v + [0, 0, 0, 1, 0])) + " \n"


def all_orders(model):
    """Returns the number of orders, up to MOST, and the outcomes."""
    choices, n, outcomes = [], 0, set()
    while n < MOST:
        m = Model(model, choices)
        outcomes.add(m.outcome())
        n += 1
        taken = m.taken
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        if not taken:
            break
        choices = [t[0] for t in taken]
        choices[-1] += 1
    return n, outcomes


def thread():
    steps = ["Z0"]
    for _ in range(rng.randint(1, 2)):
        ops = "".join(rng.choice("rrwwnndcKRE") + str(rng.randrange(3)) for _ in range(rng.randint(0, 3)))
        steps.append(ops + rng.choice("WWZY") + str(rng.randrange(3)))
    return "T" + "".join(s + "." for s in steps)


done = orders = bad = 0
while done < models:
    model = "/".join(thread() for _ in range(rng.randint(2, 3)))
    n, wanted = all_orders(model)
    if n == MOST or not set(model) & set("KRE"):
        continue
    report, outcomes = os.path.join(directory, "oracle.json"), os.path.join(directory, "oracle.outcomes")
    open(outcomes, "w").close()
    subprocess.run(["sh", "-c", 'exec "$@" 9>>"$0"', outcomes, simul, "run", "--keep-going", "--quiet", "--output", directory, "--json", report,
        "--strategy", "exhaustive", "--", program, model], capture_output=True)
    with open(report) as f, open(outcomes) as g:
        result, found = json.load(f), set(g)
    done, orders = done + 1, orders + n
    if result["verdict"] != "complete" or result["executions"] != n or found != wanted:
        bad += 1
        print(f"{model}: {result['verdict']}, {result['executions']} orders, not {n}; {len(found)} outcomes, not {len(wanted)}")
        print("".join(sorted(found)[:2]) + "wanted\n" + "".join(sorted(wanted)[:2]))
        if bad > 5:
            break
print("models %d, orders %d, wrong %d" % (done, orders, bad))
sys.exit(bad != 0)
