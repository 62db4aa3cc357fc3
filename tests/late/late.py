#!/usr/bin/env python3
"""Random native programs with flags that become shared late, against brute force.

Each program has two or three threads. A thread may own a flag in its stack frame, its thread-local storage or on the heap, hands its
address over at some point, and spins on it, alone or together with a global. Others write to the flag when they find the address. Or the owner
spins on a global and looks at a note beside the flag once it is told to, so that synchronisation orders the note. What the threads have seen is the exit status. The brute force below executes the same program, every access a step, under the same memory
model: simul must find exactly its exit statuses, and a livelock exactly where a state is reachable from which the program cannot end. Each of these
findings must be confirmed. The value that a flag has while its thread waits must not matter, neither to them nor (under SC) to the number of traces. (But with -O0, where a dead slot of the stack may hold the value before the loop or not: docs/await.md.)

    late.py --seed 7 --programs 20 [--model sc|tso|pso] [--flags=-O1] [--keep]

SIMUL is the program under test. Prints a line for each program that differs, with the option that runs it alone (--only). Exit status 1 if any does."""

import argparse
import json
import os
import random
import subprocess
import sys

INITS = (0, 5)
PLACES = ("stack", "tls", "heap")
MODULUS = 5  # of what a thread has seen


# ---- programs: for each thread a list of statements, and where its flag lies (None: it has none)

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
                out.append(("told",))
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
        if t > 0 and ("told",) in code[0]:  # a third thread decides what the owner is told
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
        return f"while (!(p = LOAD(where[0]))) ; if (LOAD(x[{s[1]}])) {{ *(volatile int *)(p + 1) = 1; STORE(told, 1); }} else {{ STORE(told, 1); STORE(told, 2); }}"
    if kind == "told":
        return "for (;;) { int v = LOAD(told); if (v == 2) { SEEN(3); break; } if (v == 1 && *(volatile int *)(flag + 1)) { SEEN(4); break; } }"
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
static atomic_int x[2], told;
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
    "tls": "atomic_int *flag = tls; __asm__ volatile (\"\" : \"+r\"(flag));",
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
	return 1 + (int)(seen[0] + 5 * seen[1] + 25 * seen[2]);
}
""")
    return "\n".join(out)


# ---- brute force: threads are lists of small instructions

X, WHERE, FLAG, NOTE, TOLD = 0, 2, 5, 8, 11  # places in memory
PLACES_IN_ALL = 12


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
            c += [("L", X + s[1]), ("Z", no), ("S", NOTE, 1), ("S", TOLD, 1), ("J", no + 2), ("S", TOLD, 1), ("S", TOLD, 2)]
        elif kind == "told":
            top = len(c)
            c += [("L", TOLD), ("NE", 2, top + 4), ("CONST", 3), ("J", top + 9), ("NE", 1, top), ("L", NOTE + t), ("Z", top),
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


def run_local(code, pc, acc, r):
    """To the next access, or the end."""
    while pc < len(code):
        op = code[pc]
        if op[0] == "SEEN":
            r = (r * 3 + acc) % MODULUS
        elif op[0] == "CONST":
            r = (r * 3 + op[1]) % MODULUS
        elif op[0] == "J":
            pc = op[1]
            continue
        elif op[0] == "NE":
            if acc != op[1]:
                pc = op[2]
                continue
        elif op[0] == "Z":
            if acc == 0:
                pc = op[1]
                continue
        else:
            return pc, r
        pc += 1
    return pc, r


def put(mem, place, value):
    return mem[:place] + (value,) + mem[place + 1:]


def steps(codes, model, state):
    mem, threads = state
    for t, (pc, acc, r, buf) in enumerate(threads):
        def then(mem2, pc2, acc2, buf2):
            pc3, r3 = run_local(codes[t], pc2, acc2, r)
            return mem2, threads[:t] + ((pc3, 0, r3, buf2),) + threads[t + 1:]
        for i, (place, value) in enumerate(buf):
            if i == 0 or (model == "pso" and all(b[0] != place for b in buf[:i])):
                yield put(mem, place, value), threads[:t] + ((pc, acc, r, buf[:i] + buf[i + 1:]),) + threads[t + 1:]
        if pc >= len(codes[t]):
            continue
        op = codes[t][pc]
        found = next((v for p, v in reversed(buf) if p == op[1]), mem[op[1]])
        if op[0] == "L":
            yield then(mem, pc + 1, found, buf)
        elif op[0] == "S":
            if model == "sc":
                yield then(put(mem, op[1], op[2]), pc + 1, 0, buf)
            else:
                yield then(mem, pc + 1, 0, buf + ((op[1], op[2]),))
        elif buf:
            continue
        elif op[0] == "A":
            yield then(put(mem, op[1], found + 1), pc + 1, found, buf)
        elif op[0] == "C":
            yield then(put(mem, op[1], op[3]) if found == op[2] else mem, pc + 1, found == op[2], buf)


def brute_force(p, model, limit=400000):
    """(exit statuses, can it get stuck); None when there are too many states."""
    codes = [instructions(p, t) for t in range(len(p["code"]))]
    threads = tuple((*_begin(c), ()) for c in codes)
    first = ((0,) * PLACES_IN_ALL, threads)
    before, work, ends, statuses = {first: []}, [first], [], set()
    while work:
        s = work.pop()
        if len(before) > limit:
            return None
        if all(pc >= len(c) and not buf for c, (pc, _, _, buf) in zip(codes, s[1])):
            ends.append(s)
            statuses.add(1 + sum(r * 5 ** t for t, (_, _, r, _) in enumerate(s[1])))
            continue
        for n in steps(codes, model, s):
            if n not in before:
                before[n] = []
                work.append(n)
            before[n].append(s)
    can_end, work = set(ends), ends
    while work:
        for s in before[work.pop()]:
            if s not in can_end:
                can_end.add(s)
                work.append(s)
    return statuses, len(can_end) < len(before)


def _begin(code):
    pc, r = run_local(code, 0, 0, 0)
    return pc, 0, r


# ---- simul

def search(simul, program, index, model, out):
    command = [simul, "run", "--no-memory-check", "--jobs", "1", "--strategy", "optimal", "--keep-going", "--no-minimize", "--model", model, "--time", "60s",
               "--max-steps", "5000", "--output", out, "--json", out + ".json", "--", program, str(index)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    try:
        with open(out + ".json", encoding="utf-8") as f:
            r = json.load(f)
    except (OSError, ValueError):
        return None, done.stdout.decode(errors="replace")
    finally:
        for name in os.listdir(out):
            os.unlink(os.path.join(out, name))
    return r, done.stdout.decode(errors="replace")


def findings(r):
    statuses, stuck, early, wrong = set(), False, False, []
    for b in r["bugs"]:
        if not b["confirmed"]:
            wrong.append(f"not confirmed: {b['message']}")
        if b["kind"] in ("livelock", "deadlock"):
            stuck |= b["count"] > 0
            early = True
        elif not b["count"]:
            wrong.append(f"seen before the search, and not in it: {b['message']}")
        elif b["kind"] == "exit":
            statuses.add(int(b["message"].split()[-1]))
        else:
            wrong.append(f"{b['kind']}: {b['message']}")
    if early and not stuck:
        wrong.append("a livelock was seen before the search, and not in it")
    return statuses, stuck, wrong


def compare(simul, binaries, index, p, model, out, same_count):
    """What is wrong; None: it could not be compared."""
    want = brute_force(p, model)
    if want is None:
        return None
    wrong, traces = [], []
    for init, binary in zip(INITS, binaries):
        r, text = search(simul, binary, index, model, out)
        if r is None or r["end"] != "over" or r["reason"]:
            wrong.append(f"INIT {init}: not complete: {text.strip().splitlines()[-1] if text.strip() else ''}")
            continue
        if r.get("cut"):
            wrong.append(f"INIT {init}: {r['cut']} executions were cut")
        statuses, stuck, more = findings(r)
        wrong += [f"INIT {init}: {m}" for m in more]
        if statuses != want[0]:
            wrong.append(f"INIT {init}: exit statuses {sorted(statuses)}, brute force {sorted(want[0])}")
        if stuck != want[1]:
            wrong.append(f"INIT {init}: {'a livelock' if stuck else 'no livelock'}, brute force {'none' if not want[1] else 'one'}")
        traces.append(r["distinct_traces"])
    if same_count and len(set(traces)) > 1:
        wrong.append(f"traces {traces}")
    return wrong


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--programs", type=int, default=10)
    a.add_argument("--model", default="sc")
    a.add_argument("--flags", default="-O1")
    a.add_argument("--dir", default=".")
    a.add_argument("--only", type=int)
    a.add_argument("--keep", action="store_true")
    o = a.parse_args()
    simul = os.environ.get("SIMUL", "build/simul")
    rng = random.Random(o.seed)
    programs = [generate(rng) for _ in range(o.programs)]
    base = os.path.join(o.dir, f"late_{o.seed}")
    with open(base + ".c", "w", encoding="utf-8") as f:
        f.write(as_c(programs))
    binaries = [f"{base}_{i}" for i in INITS]
    for i, b in zip(INITS, binaries):
        subprocess.run(["gcc", "-g", *o.flags.split(), "-pthread", f"-DINIT={i}", "-o", b, base + ".c"], check=True)
    out = base + ".out"
    os.makedirs(out, exist_ok=True)
    failed = compared = 0
    for i, p in enumerate(programs):
        if o.only is not None and i != o.only:
            continue
        wrong = compare(simul, binaries, i, p, o.model, out, o.model == "sc" and "-O0" not in o.flags)
        compared += wrong is not None
        if wrong:
            failed += 1
            print(f"program {i} (--seed {o.seed} --programs {o.programs} --model {o.model} --only {i}): {p['flags']} {p['code']}")
            for w in wrong:
                print(f"  {w}")
            sys.stdout.flush()
    print(f"{compared} programs compared with brute force, {failed} differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
