#!/usr/bin/env python3
"""Random native programs with signal handlers, against brute force.

Each program has two or three threads that read and write a few variables, send signals to each other and to themselves, and block them
around parts of their code. With --waits some threads wait for a semaphore or read a pipe, until the first thread posts or writes; a handler may
interrupt the wait, and the thread remembers whether it did. Handlers read and write the same variables, may be interrupted by other signals, may send some, and may ask for
an alternate stack. What all
variables and threads hold at the end is a number. The brute force below executes the same program one machine access at a time; a
signal may arrive between any two machine instructions of the thread that it was sent to. simul must find exactly the same numbers. Each
execution writes its number to a descriptor; with --bugs it is the exit status instead, so that each one is a bug, which must be confirmed.

    signals.py --seed 7 --programs 20 [--model sc|tso] [--flags=-O1] [--strategy optimal] [--only N] [--show]

SIMUL is the program under test. Prints a line for each program that differs, with the option that runs it alone (--only). Exit status 1 if any does."""

import argparse
import json
import os
import random
import subprocess
import sys

VARS = 3
CHANNELS = 2
SIGNALS = ("SIGUSR1", "SIGUSR2")  # in the order in which the kernel delivers them


# ---- programs: a list of statements for each thread and each handler

def memory_statement(rng, handler):
    i, j, c = rng.randrange(VARS), rng.randrange(VARS), rng.randrange(1, 4)
    kind = rng.choice(("load", "store", "inc", "inc", "add", "lock", "copy", "if"))
    if kind == "load" and handler:
        kind = "copy"
    return {"load": (kind, i), "store": (kind, i, c), "inc": (kind, i, c), "add": (kind, i, c), "lock": (kind, i, c),
            "copy": (kind, i, j, c), "if": (kind, i, j, c)}[kind]


def generate(rng):
    n = rng.choice((2, 2, 3))
    signals = rng.choice((1, 1, 2))
    threads = [[memory_statement(rng, False) for _ in range(rng.randrange(1, 4 if n == 2 and signals == 1 else 3))] for _ in range(n)]
    handlers = [[memory_statement(rng, True) for _ in range(rng.randrange(1, 3))] for _ in range(signals)]
    masks = [[k for k in range(signals) if k != s and rng.random() < 0.4] for s in range(signals)]
    nodefer = [rng.random() < 0.2 for _ in range(signals)]
    # A thread may only be signalled by those that are created after it, and by the first one.
    for _ in range(rng.choice((1, 1, 2, 2) if n == 2 else (1, 1, 2))):
        by = rng.randrange(n)
        to = rng.choice([k for k in range(n) if k != by and (by == 0 or k < by)])
        threads[by].insert(rng.randrange(len(threads[by]) + 1), ("kill", to, rng.randrange(signals)))
    if rng.random() < 0.25:
        code = rng.choice(threads)
        code.insert(rng.randrange(len(code) + 1), ("raise", rng.randrange(signals)))
    if signals == 2 and rng.random() < 0.2:
        handlers[0].insert(rng.randrange(len(handlers[0]) + 1), ("raise", 1))
    if rng.random() < 0.5:  # a thread masks signals for a part of its code, or to its end
        code = rng.choice(threads)
        at = rng.randrange(len(code) + 1)
        some = rng.sample(range(signals), rng.randrange(1, signals + 1))
        code.insert(at, ("block", some))
        if rng.random() < 0.8:
            code.insert(rng.randrange(at + 1, len(code) + 1), ("unblock", some))
    return {"threads": threads, "handlers": handlers, "masks": masks, "nodefer": nodefer, "alternate": alternate_stacks(threads, handlers)}


def alternate_stacks(threads, handlers):
    """Selects the handlers with an alternate stack. The choice depends only on the program, so it does not change the other programs of a seed."""
    rng = random.Random(repr((threads, handlers)))
    return [rng.random() < 0.4 for _ in handlers]


def add_waits(p):
    """Adds calls that wait for a semaphore (channel 0) or a pipe (1), except to the first thread, which gives as often as the others take. So
    every wait ends."""
    rng = random.Random(repr(p))
    threads = p["threads"]
    p["restart"] = rng.random() < 0.3
    for _ in range(rng.choice((1, 1, 2))):
        k, channel = rng.randrange(1, len(threads)), rng.randrange(2)
        threads[k].insert(rng.randrange(len(threads[k]) + 1), ("take", channel))
        at = rng.randrange(len(threads[0]) + 1)
        threads[0].insert(at, ("give", channel))
        s, kind = rng.randrange(len(p["handlers"])), rng.random()
        if kind < 0.3:
            threads[0].insert(rng.randrange(len(threads[0]) + 1), ("kill", k, s))
        elif kind < 0.8:  # the first thread gives after it may have seen what the handler did
            threads[0][at:at] = [("kill", k, s), ("load", rng.choice([q[-2] for q in p["handlers"][s] if q[0] not in ("raise", "give")] or [0]))]
    if rng.random() < 0.2:
        code = rng.choice(p["handlers"])
        code.insert(rng.randrange(len(code) + 1), ("give", rng.randrange(2)))
    return p


# ---- as C

def statement(s):
    kind = s[0]
    if kind == "load":
        return f"r = (r * 3 + (unsigned)x[{s[1]}]) % 97;"
    if kind == "store":
        return f"x[{s[1]}] = {s[2]};"
    if kind == "inc":
        return f"v = x[{s[1]}]; KEEP(v); x[{s[1]}] = v + {s[2]};"
    if kind == "add":
        return f"__asm__ volatile(\"addl %1, %0\" : \"+m\"(x[{s[1]}]) : \"i\"({s[2]}) : \"cc\");"
    if kind == "lock":
        return f"__asm__ volatile(\"lock addl %1, %0\" : \"+m\"(x[{s[1]}]) : \"i\"({s[2]}) : \"cc\");"
    if kind == "copy":
        return f"v = x[{s[1]}]; KEEP(v); x[{s[2]}] = v + {s[3]};"
    if kind == "if":
        return f"if (x[{s[1]}]) x[{s[2]}] = {s[3]};"
    if kind == "kill":
        return f"pthread_kill(t[{s[1]}], {SIGNALS[s[2]]});"
    if kind == "raise":
        return f"raise({SIGNALS[s[1]]});"
    if kind == "take":
        return "r = (r * 3 + " + ("read(fds[0], &b, 1) != 1" if s[1] else "sem_wait(&sem) != 0").join(("(", ")")) + " * 5 + 1) % 97;"
    if kind == "give":
        return "w = write(fds[1], \"\", 1);" if s[1] else "sem_post(&sem);"
    how = "SIG_BLOCK" if kind == "block" else "SIG_UNBLOCK"
    return "sigemptyset(&set); " + " ".join(f"sigaddset(&set, {SIGNALS[k]});" for k in s[1]) + f" pthread_sigmask({how}, &set, 0);"


HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#define KEEP(v) __asm__ volatile("" : "+r"(v))
static volatile int x[%d];
static unsigned seen[3];
static sem_t sem;
static int fds[2];
static pthread_t t[3];
static char stack[3][1 << 16];
static void alternate(int k)
{
	stack_t s = { .ss_sp = stack[k], .ss_size = sizeof(stack[k]) };
	sigaltstack(&s, 0);
}
""" % VARS

TAIL = """int main(int argc, char **argv)
{
	const struct program *p = &programs[atoi(argv[1])];
	sigset_t all;
	unsigned h = 0;
	if (p->waits && pipe(fds))
		return 0;
	for (int i = 0; i < 2; i++)
		if (p->action[i].sa_handler)
			sigaction(i ? SIGUSR2 : SIGUSR1, &p->action[i], 0);
	t[0] = pthread_self();
	for (int i = 1; i < p->n; i++)
		pthread_create(&t[i], 0, p->thread[i], 0);
	p->thread[0](0);
	for (int i = 1; i < p->n; i++)
		pthread_join(t[i], 0);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, 0);
	for (int i = 0; i < %d; i++)
		h = h * 31 + (unsigned)x[i];
	for (int i = 0; i < p->n; i++)
		h = h * 31 + seen[i];
	unsigned char status = (unsigned char)(1 + h %% 251);
	return argc > 2 && write(9, &status, 1) == 1 ? 0 : status;
}
""" % VARS


def action(p, i, s):
    if s >= len(p["handlers"]):
        return "{ .sa_handler = 0 }"
    bits = sum(1 << (10 - 1 if k == 0 else 12 - 1) for k in p["masks"][s])  # SIGUSR1, SIGUSR2
    flags = " | ".join(["0"] + ["SA_NODEFER"] * p["nodefer"][s] + ["SA_ONSTACK"] * p["alternate"][s] + ["SA_RESTART"] * p.get("restart", False))
    return "{ .sa_handler = h%d_%d, .sa_flags = %s, .sa_mask = {{%dul}} }" % (i, s, flags, bits)


def as_c(programs):
    out = [HEAD]
    for i, p in enumerate(programs):
        start = "\tint v; sigset_t set; unsigned r = 0; char b; long w;\n\t(void)v; (void)set; (void)r; (void)b; (void)w;\n\t"
        for s, code in enumerate(p["handlers"]):
            out.append(f"static void h{i}_{s}(int sig)\n{{\n{start}" + "\n\t".join(statement(q) for q in code) + "\n}")
        for k, code in enumerate(p["threads"]):
            body = "\n\t".join([f"alternate({k});"] * any(p["alternate"]) + [statement(q) for q in code] + [f"seen[{k}] = r;", "return u;"])
            out.append(f"static void *t{i}_{k}(void *u)\n{{\n{start}{body}\n}}")
    out.append("static const struct program { int n, waits; void *(*thread[3])(void *); struct sigaction action[2]; } programs[] = {")
    for i, p in enumerate(programs):
        names = ", ".join(f"t{i}_{k}" for k in range(len(p["threads"])))
        out.append(f"\t{{ {len(p['threads'])}, {int('restart' in p)}, {{ {names} }}, {{ {action(p, i, 0)}, {action(p, i, 1)} }} }},")
    out.append("};")
    out.append(TAIL)
    return "\n".join(out)


# ---- brute force

def instructions(code):
    """(what, arguments): one access of memory each. `half` is the second access of one machine instruction."""
    c = []
    for s in code:
        kind = s[0]
        if kind == "load":
            c += [("read", s[1]), ("seen",)]
        elif kind == "store":
            c.append(("write", s[1], s[2], False))
        elif kind == "inc":
            c += [("read", s[1]), ("write", s[1], s[2], True)]
        elif kind == "add":
            c += [("read", s[1]), ("half", s[1], s[2], True)]
        elif kind == "lock":
            c.append(("atomic", s[1], s[2]))
        elif kind == "copy":
            c += [("read", s[1]), ("write", s[2], s[3], True)]
        elif kind == "if":
            c += [("read", s[1]), ("skip", 1), ("write", s[2], s[3], False)]
        elif kind == "take":
            c += [s, ("waiting", s[1])]
        else:
            c.append(s)
    return tuple(c)


class Machine:
    """A state: (memory, threads, pending). A thread: (frames, r, mask, buffer, forced); None: not created; "over": ended. A frame: (code, pc,
    v, mask before it). Pending: set of (thread, signal). `forced`: a system call is about to return, which delivers what is pending."""

    def __init__(self, p, model):
        self.n = len(p["threads"])
        self.buffered = model == "tso"
        self.restart = p.get("restart", False)
        self.code = [instructions(c) for c in p["threads"]]
        self.code[0] = tuple([("create", k) for k in range(1, self.n)] + list(self.code[0]) + [("join", k) for k in range(1, self.n)] +
                             [("block", list(range(len(SIGNALS))))])
        self.code += [instructions(c) for c in p["handlers"]]
        self.blocks = [frozenset(m) | (frozenset() if nd else frozenset([s])) for s, (m, nd) in enumerate(zip(p["masks"], p["nodefer"]))]

    def first(self):
        return (0,) * (VARS + CHANNELS), (self.thread(0, frozenset()),) + (None,) * (self.n - 1), frozenset()

    @staticmethod
    def thread(code, mask):
        return ((code, 0, 0, None),), 0, mask, (), False

    def over(self, state):
        return all(t == "over" or (isinstance(t, tuple) and k == 0 and not t[0]) for k, t in enumerate(state[1]))

    def deliverable(self, k, t, pending):
        return sorted(s for (to, s) in pending if to == k and s not in t[2])

    def deliver(self, k, t, pending):
        s = self.deliverable(k, t, pending)[0]
        frames, r, mask, buf, _ = t
        return (((self.n + s, 0, 0, mask),) + frames, r, mask | self.blocks[s], buf, False), pending - {(k, s)}

    def interrupted(self, t):
        """A handler ends the wait of the thread: the call fails or begins again after it."""
        frames, r, mask, buf, forced = t
        code, pc, v, before = frames[0]
        return ((code, pc + (-1 if self.restart else 1), v, before),) + frames[1:], r if self.restart else (r * 3 + 6) % 97, mask, buf, forced

    def called(self, k, t, pending):
        """A system call returns."""
        return t[:4] + (bool(self.deliverable(k, t, pending)),)

    def steps(self, state):
        memory, threads, pending = state
        for k, t in enumerate(threads):
            if t is None or t == "over" or not t[0]:
                continue
            frames, r, mask, buf, forced = t

            def to(t2, memory2=memory, pending2=pending, other=None):
                out = list(threads)
                out[k] = t2
                if other:
                    out[other[0]] = other[1]
                return memory2, tuple(out), pending2

            if buf:
                yield to((frames, r, mask, buf[1:], forced), put(memory, *buf[0]))
            code, pc, v, before = frames[0]
            op = self.code[code][pc] if pc < len(self.code[code]) else ("end",)
            over = op[0] == "waiting" and memory[VARS + op[1]]  # the wait ends without the signal
            if not buf and op[0] != "half" and not over and self.deliverable(k, t, pending):
                t2, p2 = self.deliver(k, self.interrupted(t) if op[0] == "waiting" else t, pending)
                yield to(t2, pending2=p2)
            if forced:
                continue
            yield from self.execute(state, k, t, op, to)

    def execute(self, state, k, t, op, to):
        memory, threads, pending = state
        frames, r, mask, buf, _ = t
        code, pc, v, before = frames[0]

        def on(v2=v, r2=r, mask2=mask, buf2=buf, skip=1):
            return ((code, pc + skip, v2, before),) + frames[1:], r2, mask2, buf2, False

        kind = op[0]
        if kind == "read":
            yield to(on(v2=next((value for i, value in reversed(buf) if i == op[1]), memory[op[1]])))
        elif kind in ("write", "half"):
            value = op[2] + (v if op[3] else 0)
            if self.buffered:
                yield to(on(buf2=buf + ((op[1], value),)))
            else:
                yield to(on(), put(memory, op[1], value))
        elif kind == "seen":
            yield to(on(r2=(r * 3 + v) % 97))
        elif kind == "skip":
            yield to(on(skip=1 if v else 1 + op[1]))
        elif kind == "block":
            yield to(self.called(k, on(mask2=mask | set(op[1])), pending))
        elif kind == "unblock":
            yield to(self.called(k, on(mask2=mask - set(op[1])), pending))
        elif kind == "end" and before is not None:  # of a handler
            yield to(self.called(k, (frames[1:], r, before, buf, False), pending))
        elif buf:
            return  # the others wait for an empty buffer
        elif kind == "end":
            # The first thread keeps what it has seen; of the others, too, but nothing can be sent to them any more.
            yield to(((), r, mask, (), False) if k == 0 else ((), r, "over", (), False), pending2=frozenset(q for q in pending if q[0] != k))
        elif kind == "atomic":
            yield to(on(), put(memory, op[1], memory[op[1]] + op[2]))
        elif kind == "kill":
            alive = threads[op[1]][0] if threads[op[1]] else False
            after = pending | {(op[1], op[2])} if alive else pending
            yield to(self.called(k, on(), after), pending2=after)
        elif kind == "raise":
            after = pending | {(k, op[1])}
            yield to(self.called(k, on(), after), pending2=after)
        elif kind in ("take", "waiting"):
            left = memory[VARS + op[1]]
            if left:
                yield to(on(r2=(r * 3 + 1) % 97, skip=2 if kind == "take" else 1), put(memory, VARS + op[1], left - 1))
            elif kind == "take":
                yield to(on())
        elif kind == "give":
            yield to(on(), put(memory, VARS + op[1], memory[VARS + op[1]] + 1))
        elif kind == "create":
            yield to(on(), other=(op[1], self.thread(op[1], mask)))
        elif kind == "join":
            if not threads[op[1]][0]:
                yield to(on())
        else:
            raise ValueError(kind)


def put(memory, i, value):
    return memory[:i] + (value,) + memory[i + 1:]


def status(state):
    h = 0
    for value in list(state[0][:VARS]) + [t[1] for t in state[1]]:
        h = (h * 31 + value) % 2 ** 32
    return 1 + h % 251


def brute_force(p, model, limit=5000):
    """Returns the numbers, or None if there are too many states."""
    m = Machine(p, model)
    first = m.first()
    known, work, found = {first}, [first], set()
    while work:
        s = work.pop()
        if len(known) > limit:
            return None
        if not s[1][0][0]:
            found.add(status(s))
            continue
        for following in m.steps(s):
            if following not in known:
                known.add(following)
                work.append(following)
    return found


# ---- simul

OTHER_WAYS = (("optimal", 5), ("source", 0), ("trust", 0), ("auto", 0))  # (--strategy, --shuffle): the same number of traces


def search(simul, program, index, o, out, strategy, shuffle):
    command = [simul, "run", "--jobs", "1", "--strategy", strategy, "--keep-going", "--no-minimize", "--model", o.model, "--time", "300s",
               *(["--shuffle", str(shuffle)] if shuffle else []), "--output", out, "--json", out + ".json", "--", program, str(index),
               *([] if o.bugs else ["write"])]
    with open(out + ".numbers", "wb"), open(out + ".numbers", "a+b") as numbers:
        done = subprocess.run(["sh", "-c", f"exec \"$@\" 9>&{numbers.fileno()}", "sh", *command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=900, pass_fds=[numbers.fileno()], check=False)
        numbers.seek(0)
        written = numbers.read()
    try:
        with open(out + ".json", encoding="utf-8") as f:
            r = json.load(f)
    except (OSError, ValueError):
        return None, written, done.stdout.decode(errors="replace")
    finally:
        for name in os.listdir(out):
            os.unlink(os.path.join(out, name))
    return r, written, done.stdout.decode(errors="replace")


def findings(r, written):
    """Returns the numbers of the executions that count, and what is wrong."""
    found, wrong = set(written[-r["executions"]:]), []
    for b in r["bugs"]:
        if not b["confirmed"]:
            wrong.append(f"not confirmed: {b['message']}")
        if b["kind"] == "exit" and b["count"]:
            found.add(int(b["message"].split()[-1]))
        elif b["kind"] not in ("race", "exit"):
            wrong.append(f"{b['kind']}: {b['message']}")
    return found, wrong


def one_way(simul, binary, index, want, o, out, strategy, shuffle):
    """Returns (what is wrong, traces) of one search."""
    r, written, text = search(simul, binary, index, o, out, strategy, shuffle)
    if r is None or r["end"] != "over" or r.get("cut") or r["reason"] and (strategy != "trust" or "--strategy trust" not in r["reason"]):
        return [f"not complete: {text.strip().splitlines()[-1] if text.strip() else ''}"], 0
    found, wrong = findings(r, written)
    if found != want:
        wrong.append(f"missing {sorted(want - found)}, too many {sorted(found - want)}, of {len(want)}")
    if strategy == "optimal" and r["executions"] != r["distinct_traces"]:
        wrong.append(f"{r['executions']} executions of {r['distinct_traces']} traces")
    return wrong, r["distinct_traces"]


def compare(simul, binary, index, p, o, out):
    """Returns (what is wrong, traces), or None if no comparison was possible."""
    want = brute_force(p, o.model)
    if want is None:
        return None
    wrong, traces = one_way(simul, binary, index, want, o, out, o.strategy, o.shuffle)
    for strategy, shuffle in OTHER_WAYS if o.counts else ():
        if strategy == "trust" and o.model != "sc":
            continue
        more, n = one_way(simul, binary, index, want, o, out, strategy, shuffle)
        wrong += [f"{strategy}, shuffle {shuffle}: {w}" for w in more]
        if n != traces:
            wrong.append(f"{n} traces with {strategy}, shuffle {shuffle}, and {traces} with {o.strategy}")
    return wrong, traces


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--programs", type=int, default=10)
    a.add_argument("--model", default="sc")
    a.add_argument("--flags", default="-O1")
    a.add_argument("--strategy", default="optimal")
    a.add_argument("--shuffle", type=int, default=0)
    a.add_argument("--dir", default=".")
    a.add_argument("--only", type=int)
    a.add_argument("--waits", action="store_true", help="threads wait for semaphores and pipes, too")
    a.add_argument("--bugs", action="store_true", help="each number is a bug, which must be confirmed")
    a.add_argument("--counts", action="store_true", help="compare the numbers of traces with other strategies and orders of threads, too")
    a.add_argument("--show", action="store_true", help="print the number of traces of each program")
    o = a.parse_args()
    simul = os.environ.get("SIMUL", "build/simul")
    rng = random.Random(o.seed)
    programs = [generate(rng) for _ in range(o.programs)]
    if o.waits:
        programs = [add_waits(p) for p in programs]
    binary = os.path.join(o.dir, f"signals_{o.seed}")
    with open(binary + ".c", "w", encoding="utf-8") as f:
        f.write(as_c(programs))
    subprocess.run(["gcc", "-g", *o.flags.split(), "-pthread", "-o", binary, binary + ".c"], check=True)
    out = binary + ".out"
    os.makedirs(out, exist_ok=True)
    failed = compared = 0
    for i, p in enumerate(programs):
        if o.only is not None and i != o.only:
            continue
        result = compare(simul, binary, i, p, o, out)
        compared += result is not None
        if result and o.show:
            print(f"program {i}: {result[1]} traces")
        if result and result[0]:
            failed += 1
            print(f"program {i} (--seed {o.seed} --programs {o.programs} --model {o.model} --only {i}): {p}")
            for w in result[0]:
                print(f"  {w}")
            sys.stdout.flush()
    print(f"{compared} programs compared with brute force, {failed} differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
