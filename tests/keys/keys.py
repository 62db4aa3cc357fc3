#!/usr/bin/env python3
"""Random programs in which two threads use, delete and make keys of thread-specific data: simul finds the outcomes that brute force finds.

    keys.py SIMUL DIRECTORY SEED COUNT STRATEGY

The outcome of a program is its exit status. The number of a key is none, as simul does not
search for it. Brute force steps through glibc's reads and compare-and-swaps. Prints "N programs, M outcomes, K differ".
"""
import json
import random
import subprocess
import sys

HEAD = """#include <pthread.h>
#include <unistd.h>
static pthread_key_t k[2];
static int result[2] = { 1, 2 }, ended;
static void destructor(void *p) { (void)p; ended = 1; }
static void note(int t, int r) { result[t] = (result[t] * 7 + r) % 251; }
static int make(void) { pthread_key_t n; return pthread_key_create(&n, NULL); }
"""
CALLS = {
    "set": "note(%(t)d, !!pthread_setspecific(k[%(k)d], &result));",
    "clear": "note(%(t)d, !!pthread_setspecific(k[%(k)d], NULL));",
    "get": "note(%(t)d, !!pthread_getspecific(k[%(k)d]));",
    "delete": "note(%(t)d, !!pthread_key_delete(k[%(k)d]));",
    "make": "note(%(t)d, make());",
}


def random_program(rng):
    names = ["set", "set", "clear", "get", "delete", "delete", "make"]
    program = []
    for _ in range(2):
        calls = [(rng.choice(names), rng.randrange(2)) for _ in range(rng.randint(1, 3))]
        # A thread makes a key last: simul takes a later use of a key with the same number for a use of the new one (docs/limits.md).
        makes = [c for c in calls if c[0] == "make"]
        program.append([c for c in calls if c[0] != "make"] + makes[:1])
    return program


def source(program):
    text = HEAD
    for t, calls in enumerate(program):
        body = "\n".join("\t" + CALLS[name] % {"t": t, "k": key} for name, key in calls)
        text += "static void *f%d(void *x)\n{\n%s\n\treturn x;\n}\n" % (t, body)
    return text + """int main(void)
{
	pthread_t t;
	pthread_key_create(&k[0], destructor);
	pthread_key_create(&k[1], NULL);
	pthread_setspecific(k[0], &k);
	pthread_create(&t, NULL, f0, NULL);
	f1(NULL);
	pthread_join(t, NULL);
	_exit(1 + (result[0] * 5 + result[1] * 3 + ended) % 200);
}
"""


class State:
    def __init__(self):
        self.seq = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        self.destructor = {0: 1}  # by seq of key 0
        self.value = [{}, {0: 1}]  # of each thread: key -> seq
        self.result = [1, 2]
        self.ended = 0


def note(state, t, r):
    state.result[t] = (state.result[t] * 7 + r) % 251


def thread(state, t, calls):
    """A generator: a step ends at each yield."""
    for name, key in calls:
        yield
        used = state.seq[key] & 1
        if name in ("set", "clear"):
            if used:
                state.value[t][key] = state.seq[key] if name == "set" else None
            note(state, t, not used)
        elif name == "get":
            note(state, t, bool(used and state.value[t].get(key) == state.seq[key]))
        elif name == "delete":
            if used:
                state.seq[key] += 1
            note(state, t, not used)
        else:
            for n in range(10):
                if n:
                    yield
                if state.seq[n] & 1:
                    continue
                yield
                if not state.seq[n] & 1:
                    break
            state.seq[n] += 1
            note(state, t, 0)
    if t == 0:
        yield
        if state.value[0].get(0) == 1 and state.seq[0] == 1:
            state.ended = 1


def outcomes(program):
    found = set()
    stack = [[]]
    while stack:
        schedule = stack.pop()
        state = State()
        threads = [thread(state, t, program[t]) for t in range(2)]
        alive = [True, True]
        for t in threads:
            next(t, None)
        todo = list(schedule)
        while any(alive):
            if todo:
                t = todo.pop(0)
            else:
                t = 0 if alive[0] else 1
                if alive[0] and alive[1]:
                    stack.append(schedule + [1])
                schedule = schedule + [t]
            try:
                next(threads[t])
            except StopIteration:
                alive[t] = False
        found.add(1 + (state.result[0] * 5 + state.result[1] * 3 + state.ended) % 200)
    return found


def searched(simul, directory, strategy):
    subprocess.run([simul, "run", "--strategy", strategy, "--keep-going", "--quiet", "--output", directory + "/out", "--json",
                    directory + "/r.json", "--", directory + "/program"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open(directory + "/r.json", encoding="utf-8") as f:
        result = json.load(f)
    found = set()
    for bug in result["bugs"]:
        found.add(int([w for w in bug["message"].replace(":", " ").split() if w.isdigit()][-1]))
    return found


def main():
    simul, directory, seed, count, strategy = sys.argv[1:]
    differ = total = 0
    for n in range(int(seed), int(seed) + int(count)):
        program = random_program(random.Random(n))
        with open(directory + "/program.c", "w", encoding="utf-8") as f:
            f.write(source(program))
        subprocess.run(["gcc", "-g", "-O1", "-pthread", "-o", directory + "/program", directory + "/program.c"], check=True)
        want, got = outcomes(program), searched(simul, directory, strategy)
        total += len(want)
        if want != got:
            differ += 1
            print("program", n, program, "brute force:", sorted(want), strategy + ":", sorted(got))
    print("%s programs, %d outcomes, %d differ" % (count, total, differ))
    return 1 if differ else 0


sys.exit(main())
