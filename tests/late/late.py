#!/usr/bin/env python3
"""Random native programs with flags that become shared late, against brute force.

Each program has two or three threads. A thread may own a flag in its stack frame, its thread-local storage or on the heap, hands its
address over at some point, and spins on it, alone or together with a global. Others write to the flag when they find the address. Or the owner
spins on a global and looks at a note beside the flag once the global says so, so that synchronisation orders the note. What the threads have seen is the program's status. The brute force (brute.c) executes the same program, every access a step, under
the same memory model: simul must find exactly its statuses, and a livelock exactly where a state is reachable from which the program cannot end.

A part of the programs end with their status, which is a bug for each status; each of these must be confirmed, as must all livelocks. The others, since
that takes long, write it to a file past simul: what counts is what the executions of the search have written, without those that came before it.
The value that a flag has while its thread waits must not matter, neither to them nor (under SC) to the number of traces. (But with -O0, where a
dead slot of the stack may hold the value before the loop or not: docs/await.md.)

    late.py --seed 7 --programs 20 [--model sc,tso,pso] [--flags=-O1] [--only N]

SIMUL is the program under test, BRUTE the brute force. Prints a line for each program that differs, with the options that run it alone. Exit status 1
if any does."""

import argparse
import json
import os
import random
import subprocess
import sys

INITS = (0, 5)
PLACES = ("stack", "tls", "heap")
FAILING = 20  # one of this many programs ends with its own status
BOTH = 4  # one of this many programs is tried with both values of INIT, the others with one


# ---- programs: for each thread a list of statements and the place of its flag (None: no flag)

def generate(rng):
    n = rng.choice((2, 3))
    owners = [rng.random() < (1.0 if t == 0 else 0.3) for t in range(n)]
    flags = [rng.choice(PLACES) if o else None for o in owners]
    code = []
    for t in range(n):
        out = []
        if flags[t]:
            if rng.random() < 0.3:
                out.append(("load", rng.randrange(2)))
            out.append(("publish",))
            if rng.random() < 0.3:
                out.append(("own",))
            kind = rng.random()
            if kind < 0.25:
                out.append(("spin", True, None))
            elif kind < 0.7:
                out.append(("spin", True, rng.randrange(2)))
            elif kind < 0.85 and t == 0:
                out.append(("notice",))
            else:
                out.append(("cas",))
            if rng.random() < 0.4:
                out.append(("own",))
        others = [k for k in range(n) if k != t and flags[k]]
        for _ in range(rng.randrange(1, 4) if not flags[t] else rng.randrange(0, 2)):
            what = rng.random()
            if others and what < 0.55:
                k = rng.choice(others)
                out.append((rng.choice(("set", "set", "add_flag", "wait_set")), k))
            elif what < 0.7:
                out.append(("store", rng.randrange(2)))
            elif what < 0.8:
                out.append(("add", rng.randrange(2)))
            elif what < 0.9:
                out.append(("load", rng.randrange(2)))
            else:
                out.append(("spin", False, rng.randrange(2)))
        if t > 0 and ("notice",) in code[0]:  # a third thread decides what the owner reads
            out.insert(0, ("tell", 1) if t == 1 else ("store", 1))
        if t == n - 1 and rng.random() < 0.7:
            out += [("store", 0), ("store", 1)]
        code.append(out)
    return {"flags": flags, "code": code}


# ---- as C

def statement(s, k):
    kind = s[0]
    if kind == "publish":
        return f"atomic_store_explicit(&where[{k}], flag, memory_order_release);"
    if kind == "own":
        return "SEEN(LOAD(*flag) - INIT);"
    if kind == "load":
        return f"SEEN(LOAD(x[{s[1]}]));"
    if kind == "store":
        return f"STORE(x[{s[1]}], 1);"
    if kind == "add":
        return f"SEEN(atomic_fetch_add(&x[{s[1]}], 1));"
    if kind == "set":
        return f"if ((p = LOAD(where[{s[1]}]))) STORE(*p, INIT + 1);"
    if kind == "add_flag":
        return f"if ((p = LOAD(where[{s[1]}]))) atomic_fetch_add(p, 1);"
    if kind == "wait_set":
        return f"while (!(p = LOAD(where[{s[1]}]))) ; STORE(*p, INIT + 1);"
    if kind == "tell":
        return f"while (!(p = LOAD(where[0]))) ; if (LOAD(x[{s[1]}])) {{ *(volatile int *)(p + 1) = 1; STORE(notice, 1); }} else {{ STORE(notice, 1); STORE(notice, 2); }}"
    if kind == "notice":
        return "for (;;) { int v = LOAD(notice); if (v == 2) { SEEN(3); break; } if (v == 1 && *(volatile int *)(flag + 1)) { SEEN(4); break; } }"
    if kind == "cas":
        return "for (int e = INIT + 1; !atomic_compare_exchange_strong(flag, &e, INIT + 2); e = INIT + 1) ;"
    if kind == "spin":
        own = "if (LOAD(*flag) != INIT) { SEEN(1); break; }" if s[1] else ""
        other = f"if (LOAD(x[{s[2]}])) {{ SEEN(2); break; }}" if s[2] is not None else ""
        return f"for (;;) {{ {own} {other} }}"
    raise ValueError(kind)


HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(a) atomic_load_explicit(&(a), memory_order_acquire)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_release)
#define SEEN(v) (r = (r * 3 + (unsigned)(v)) % 5)
static atomic_int x[2], notice;
static _Atomic(atomic_int *) where[3];
static unsigned seen[3];
static _Thread_local atomic_int tls[2];
/* The flag lies deep in the stack, where nothing else is when the thread has returned from here. */
static __attribute__((noinline)) void deep(void (*body)(void))
{
	volatile char gap[16384];
	gap[0] = 0;
	body();
	gap[1] = 0;
}
"""

PLACE_C = {
    "stack": "atomic_int own[2]; atomic_int *flag = own;",
    "tls": "atomic_int *flag = tls;",
    "heap": "atomic_int *flag = malloc(64);",
}


def as_c(programs):
    out = [HEAD]
    for i, p in enumerate(programs):
        for t, code in enumerate(p["code"]):
            place = p["flags"][t]
            lines = ["unsigned r = 0; atomic_int *p; (void)p;"]
            if place:
                lines += [PLACE_C[place], "STORE(*flag, INIT); *(volatile int *)(flag + 1) = 0;"]
            lines += [statement(s, t) for s in code]
            lines.append(f"seen[{t}] = r;")
            out.append(f"static __attribute__((noinline)) void b{i}_{t}(void)\n{{\n\t" + "\n\t".join(lines) + "\n}")
            out.append(f"static void *t{i}_{t}(void *u) {{ deep(b{i}_{t}); return u; }}")
    table = ", ".join("{ " + ", ".join(f"t{i}_{t}" for t in range(len(p["code"]))) + " }" for i, p in enumerate(programs))
    out.append(f"static void *(*const table[][3])(void *) = {{ {table} }};")
    out.append("""int main(int argc, char **argv)
{
	pthread_t t[3];
	void *(*const *f)(void *) = table[atoi(argv[1])];
	int n = f[2] ? 3 : 2;
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], 0, f[i], 0);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], 0);
	unsigned char status = 1 + (unsigned char)(seen[0] + 5 * seen[1] + 25 * seen[2]);
	if (argc < 3)
		return status;
	/* Past libc: this is nothing that simul puts back. */
	long r;
	__asm__ volatile("syscall" : "=a"(r) : "0"(1L), "D"((long)atoi(argv[2])), "S"(&status), "d"(1L) : "rcx", "r11", "memory");
	return r != 1;
}
""")
    return "\n".join(out)


# ---- input for brute.c: threads are lists of small instructions

X, WHERE, FLAG, NOTE, NOTICE = 0, 2, 5, 8, 11  # places in memory


def instructions(p, t):
    c = []
    if p["flags"][t]:
        c += [("S", FLAG + t, 0), ("S", NOTE + t, 0)]
    for s in p["code"][t]:
        kind = s[0]
        if kind == "publish":
            c.append(("S", WHERE + t, 1))
        elif kind == "own":
            c += [("L", FLAG + t), ("SEEN",)]
        elif kind == "load":
            c += [("L", X + s[1]), ("SEEN",)]
        elif kind == "store":
            c.append(("S", X + s[1], 1))
        elif kind == "add":
            c += [("A", X + s[1]), ("SEEN",)]
        elif kind == "set":
            c += [("L", WHERE + s[1]), ("Z", len(c) + 3), ("S", FLAG + s[1], 1)]
        elif kind == "add_flag":
            c += [("L", WHERE + s[1]), ("Z", len(c) + 3), ("A", FLAG + s[1])]
        elif kind == "wait_set":
            c += [("L", WHERE + s[1]), ("Z", len(c)), ("S", FLAG + s[1], 1)]
        elif kind == "tell":
            c += [("L", WHERE), ("Z", len(c))]
            no = len(c) + 5
            c += [("L", X + s[1]), ("Z", no), ("S", NOTE, 1), ("S", NOTICE, 1), ("J", no + 2), ("S", NOTICE, 1), ("S", NOTICE, 2)]
        elif kind == "notice":
            top = len(c)
            c += [("L", NOTICE), ("NE", 2, top + 4), ("CONST", 3), ("J", top + 9), ("NE", 1, top), ("L", NOTE + t), ("Z", top),
                  ("CONST", 4), ("J", top + 9)]
        elif kind == "cas":
            c += [("C", FLAG + t, 1, 2), ("Z", len(c))]
        elif kind == "spin":
            top = len(c)
            rounds = []
            if s[1]:
                rounds.append((FLAG + t, 1))
            if s[2] is not None:
                rounds.append((X + s[2], 2))
            end = top + 4 * len(rounds) + 1
            for place, why in rounds:
                c += [("L", place), ("Z", len(c) + 4), ("CONST", why), ("J", end)]
            c.append(("J", top))
        else:
            raise ValueError(kind)
    return c


def brute_force(brute, programs, models):
    """For each program and model (exit statuses, can it get stuck), or None when there are too many states."""
    text = []
    for p in programs:
        text.append(f"program {len(p['code'])}")
        for t in range(len(p["code"])):
            code = instructions(p, t)
            text.append(f"thread {len(code)}")
            text += [" ".join(map(str, i)) for i in code]
    done = subprocess.run([brute, *models], input="\n".join(text) + "\n", stdout=subprocess.PIPE, check=True, encoding="utf-8")
    lines = iter(done.stdout.splitlines())

    def result(line):
        words = line.split()
        return None if words == ["many"] else (set(map(int, words[1:])), words[0] == "1")
    return [{m: result(next(lines)) for m in models} for _ in programs]


# ---- simul

class Target:
    """The settings of a search: the two binaries of a batch, and the place of the results."""

    def __init__(self, simul, binaries, out):
        self.simul, self.binaries, self.out = simul, binaries, out
        self.written = os.path.join(out, "written")
        self.fd = os.open(self.written, os.O_RDWR | os.O_CREAT | os.O_APPEND)

    def search(self, init, index, model, quietly):
        """Returns the JSON or None, the end of simul's output, and the output of the executions, in order."""
        os.ftruncate(self.fd, 0)
        report = os.path.join(self.out, "json")
        command = [self.simul, "run", "--no-memory-check", "--jobs", "1", "--strategy", "optimal", "--keep-going", "--no-minimize", "--model", model,
                   "--time", "120s", "--max-steps", "5000", "--output", self.out, "--json", report, "--", self.binaries[init], str(index)]
        done = subprocess.run(command + [str(self.fd)] * quietly, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, pass_fds=[self.fd])
        said = done.stdout.decode(errors="replace").strip().splitlines()[-1:]
        try:
            with open(report, encoding="utf-8") as f:
                r = json.load(f)
        except (OSError, ValueError):
            r = None
        for name in os.listdir(self.out):
            if name != "written":
                os.unlink(os.path.join(self.out, name))
        return r, "".join(said), list(os.pread(self.fd, 1 << 20, 0))


def findings(r, written):
    """(exit statuses, was there a livelock, what is wrong). written: the output of the executions if they did not fail on purpose; else None."""
    statuses, stuck, early, wrong = set(), 0, False, []
    for b in r["bugs"]:
        if not b["confirmed"]:
            wrong.append(f"not confirmed: {b['message']}")
        if b["kind"] in ("livelock", "deadlock"):
            stuck += b["count"]
            early = True
        elif not b["count"]:
            wrong.append(f"seen before the search, and not in it: {b['message']}")
        elif b["kind"] == "exit" and written is None:
            statuses.add(int(b["message"].split()[-1]))
        else:
            wrong.append(f"{b['kind']}: {b['message']}")
    if early and not stuck:
        wrong.append("a livelock was seen before the search, and not in it")
    if written is not None:
        ended = r["executions"] - stuck  # the executions before them were warm-up
        if ended > len(written):
            wrong.append(f"{ended} executions ended, {len(written)} have written how")
        statuses = set(written[len(written) - ended:])
    return statuses, stuck > 0, wrong


def compare(target, index, model, inits, want, quietly):
    """Returns what is wrong."""
    wrong, traces = [], []
    for init in inits:
        r, said, written = target.search(init, index, model, quietly)
        if r is None or r["end"] != "over" or r["reason"]:
            wrong.append(f"INIT {init}: not complete: {said}")
            continue
        if r.get("cut"):
            wrong.append(f"INIT {init}: {r['cut']} executions were cut")
        statuses, stuck, more = findings(r, written if quietly else None)
        wrong += [f"INIT {init}: {m}" for m in more]
        if statuses != want[0]:
            wrong.append(f"INIT {init}: exit statuses {sorted(statuses)}, brute force {sorted(want[0])}")
        if stuck != want[1]:
            wrong.append(f"INIT {init}: {'a livelock' if stuck else 'no livelock'}, brute force {'none' if not want[1] else 'one'}")
        traces.append(r["distinct_traces"])
    if len(set(traces)) > 1:
        wrong.append(f"traces {traces}")
    return wrong


def build(programs, base, flags):
    """The binary for each value of INIT."""
    with open(base + ".c", "w", encoding="utf-8") as f:
        f.write(as_c(programs))
    binaries = {i: f"{base}_{i}" for i in INITS}
    for i, b in binaries.items():
        subprocess.run(["gcc", *flags.split(), "-pthread", f"-DINIT={i}", "-o", b, base + ".c"], check=True)
    return binaries


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--programs", type=int, default=10)
    a.add_argument("--model", default="sc,tso,pso")
    a.add_argument("--flags", default="-O1")
    a.add_argument("--dir", default=".")
    a.add_argument("--only", type=int)
    o = a.parse_args()
    models = o.model.split(",")
    rng = random.Random(o.seed)
    programs = [generate(rng) for _ in range(o.programs)]
    base = os.path.join(o.dir, f"late_{o.seed}")
    os.makedirs(base + ".out", exist_ok=True)
    target = Target(os.environ.get("SIMUL", "build/simul"), build(programs, base, o.flags), base + ".out")
    want = brute_force(os.environ["BRUTE"], programs, models)
    failed, compared = 0, dict.fromkeys(models, 0)
    for i, p in enumerate(programs):
        if o.only is not None and i != o.only:
            continue
        for m in models:
            if want[i][m] is None:
                continue
            both = m == "sc" and "-O0" not in o.flags and (i % BOTH == 0 or o.only is not None)
            inits = INITS if both else INITS[i % 2:][:1]
            wrong = compare(target, i, m, inits, want[i][m], i % FAILING != 0)
            compared[m] += 1
            if wrong:
                failed += 1
                print(f"program {i} (--seed {o.seed} --programs {o.programs} --flags={o.flags} --model {m} --only {i}): {p['flags']} {p['code']}")
                for w in wrong:
                    print(f"  {w}")
                sys.stdout.flush()
    print(", ".join(f"{m}: {n} programs compared with brute force" for m, n in compared.items()) + f", {failed} differ")
    return 1 if failed or not all(compared.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
