"""Random FairThreads programs: simul finds the outcomes of brute force, with one order for all instants and with any order.

The model here is independent of libfthread: it interprets the instructions of the threads itself, for every order of the threads (one
order), or for every choice among the threads that can continue (any order). The C program writes its outcome as a line to descriptor 9, whose file simul
does not restore between executions.
"""
import argparse
import itertools
import os
import random
import subprocess
import sys

EVENTS = 3
CELLS = 2


def instants(r):
    """Several instants in which the order of some threads matters."""
    code = [[] for _ in range(r.randint(2, 4))]
    for _ in range(r.randint(2, 3)):
        for body in code:
            k = r.choice(["set", "set", "set", "add", "generate", "await_n", ""])
            body += [(k, r.randrange(CELLS), 1)] if k in ("set", "add", "await_n") else [(k, 1)] if k else []
            body.append(("cooperate",))
    return code


def program(r):
    """Returns the instructions of each thread."""
    if r.random() < 0.4:
        return instants(r)
    threads = r.randint(2, 4)
    kinds = ["set", "set", "add", "generate", "generate", "await", "await", "await_n", "cooperate", "join", "select", "value", "get"]
    if r.random() < 0.3:
        kinds += ["stop", "suspend", "resume", "broadcast"]
    code = []
    for t in range(threads):
        body = []
        for _ in range(r.randint(2, 5)):
            k = r.choice(kinds)
            others = [o for o in range(threads) if o != t]
            if k in ("join", "stop", "suspend", "resume"):
                body.append((k, r.choice(others)))
            elif k in ("set", "add", "await_n", "value", "get"):
                body.append((k, r.randrange(CELLS if k in ("set", "add") else EVENTS), r.randint(1, 2)))
            elif k == "cooperate":
                body.append((k,))
            elif k == "select":
                body.append((k, 0, 1))
            else:
                body.append((k, r.randrange(EVENTS)))
        code.append(body)
    return code


OK, NEXT, TIMEOUT = 0, 4, 5
NEVER = 10 ** 9


class State:
    def __init__(self, code):
        n = len(code)
        self.code, self.n = code, n
        self.now = 1
        self.pc = [0] * n
        self.log = [[] for _ in range(n)]
        self.cell = [0] * CELLS
        self.present = set()
        self.values = {}
        self.wait = [("start", 0)] * n  # (what, until, ...)
        self.over = [False] * n
        self.stopped = [False] * n
        self.suspended = [False] * n
        self.orders = []

    def copy(self):
        s = State.__new__(State)
        s.__dict__.update(self.__dict__)
        for k in ("pc", "cell", "wait", "over", "stopped", "suspended", "orders"):
            setattr(s, k, list(getattr(self, k)))
        s.log = [list(x) for x in self.log]
        s.present = set(self.present)
        s.values = {k: list(v) for k, v in self.values.items()}
        return s

    def ready(self, w):
        """Returns the result with which a thread that waits for w continues; None: it does not."""
        what, until = w[0], w[1]
        if self.now >= until:
            return {"await_n": TIMEOUT, "get": NEXT}.get(what, OK)
        if what in ("await", "await_n") and w[2] in self.present:
            return OK
        if what == "select" and (0 in self.present or 1 in self.present):
            return OK
        if what == "join" and self.over[w[2]]:
            return OK
        if what == "get" and len(self.values.get(w[2], [])) >= w[3]:
            return OK
        return None

    def can(self, t):
        if self.over[t]:
            return False
        if self.stopped[t]:
            return True
        return not self.suspended[t] and self.ready(self.wait[t]) is not None

    def block(self, t):
        """Runs thread t until it waits or ends."""
        if self.stopped[t]:
            self.over[t] = True
            return
        result = self.ready(self.wait[t])
        self.resume(t, result)
        while self.pc[t] < len(self.code[t]):
            op = self.code[t][self.pc[t]]
            self.pc[t] += 1
            k = op[0]
            if k == "set":
                self.cell[op[1]] = self.cell[op[1]] * 3 % 97 + op[2] + t
            elif k == "add":
                self.cell[op[1]] += op[2]
            elif k == "generate":
                self.present.add(op[1])
            elif k == "value":
                self.present.add(op[1])
                self.values.setdefault(op[1], []).append(op[2] + 10 * t)
            elif k in ("stop", "suspend", "resume", "broadcast"):
                self.orders.append(op)
            else:
                until = {"cooperate": self.now + 1, "await_n": self.now + (op[2] if len(op) > 2 else 0), "get": self.now + 1}.get(k, NEVER)
                self.wait[t] = (k, until) + op[1:]
                result = self.ready(self.wait[t]) if k != "cooperate" else None
                if result is None:
                    return
                self.resume(t, result)
        self.over[t] = True

    def resume(self, t, result):
        w = self.wait[t]
        if w[0] == "start":
            return
        mark = result
        if w[0] == "select":
            mark = 10 + (0 in self.present) + 2 * (1 in self.present)
        if w[0] == "get" and result == OK:
            mark = 100 + self.values[w[2]][w[3] - 1]
        self.log[t].append(mark)

    def next_instant(self):
        """Returns whether there is one."""
        waits = any(not self.over[t] and not self.suspended[t] and self.wait[t][1] < NEVER for t in range(self.n))
        if not waits and not self.orders:
            return False
        self.now += 1
        self.present, self.values = set(), {}
        for k, x in self.orders:
            if k == "stop":
                self.stopped[x] = True
            elif k == "suspend":
                self.suspended[x] = True
            elif k == "resume":
                self.suspended[x] = False
            else:
                self.present.add(x)
        self.orders = []
        return True

    def outcome(self):
        return "%s %s %s" % (self.cell, ["".join("%d," % x for x in l) for l in self.log], [int(x) for x in self.over])


def brute_fixed(code):
    seen = set()
    for order in itertools.permutations(range(len(code))):
        s = State(code)
        more = True
        while more:
            ran = True
            while ran:
                ran = False
                for t in order:
                    if s.can(t):
                        s.block(t)
                        ran = True
            more = s.next_instant()
        seen.add(s.outcome())
    return seen


def brute_any(code, most):
    seen, leaves, stack = set(), 0, [State(code)]
    while stack:
        s = stack.pop()
        ready = [t for t in range(s.n) if s.can(t)]
        if not ready:
            if s.next_instant():
                stack.append(s)
            else:
                seen.add(s.outcome())
                leaves += 1
                if leaves > most:
                    return None
            continue
        for t in ready:
            c = s.copy()
            c.block(t)
            stack.append(c)
    return seen


def source(code):
    out = ["#include <stdio.h>", "#include <stdlib.h>", "#include <unistd.h>", "#include <fthread.h>",
           "static ft_thread_t thread[%d];" % len(code), "static ft_event_t event[%d];" % EVENTS, "static int cell[%d];" % CELLS,
           "static struct { int n, mark[16], over, pad[46]; } ran[%d];" % len(code)]
    out.append("static void mark(int t, int x) { ran[t].mark[ran[t].n++] = x; }")
    for t, body in enumerate(code):
        out.append("static void over%d(void *arg) { ran[%d].over = 1; }" % (t, t))
        out.append("static void run%d(void *arg) { int mask[2]; void *v; (void)mask; (void)v;" % t)
        for op in body:
            k = op[0]
            if k == "set":
                out.append("cell[%d] = cell[%d] * 3 %% 97 + %d;" % (op[1], op[1], op[2] + t))
            elif k == "add":
                out.append("cell[%d] += %d;" % (op[1], op[2]))
            elif k == "generate":
                out.append("ft_thread_generate(event[%d]);" % op[1])
            elif k == "value":
                out.append("ft_thread_generate_value(event[%d], (void *)%dl);" % (op[1], op[2] + 10 * t))
            elif k == "broadcast":
                out.append("ft_scheduler_broadcast(event[%d]);" % op[1])
            elif k in ("stop", "suspend", "resume"):
                out.append("ft_scheduler_%s(thread[%d]);" % (k, op[1]))
            elif k == "await":
                out.append("mark(%d, ft_thread_await(event[%d]));" % (t, op[1]))
            elif k == "await_n":
                out.append("mark(%d, ft_thread_await_n(event[%d], %d));" % (t, op[1], op[2]))
            elif k == "cooperate":
                out.append("mark(%d, ft_thread_cooperate());" % t)
            elif k == "join":
                out.append("mark(%d, ft_thread_join(thread[%d]));" % (t, op[1]))
            elif k == "select":
                out.append("ft_thread_select(2, event, mask); mark(%d, 10 + mask[0] + 2 * mask[1]);" % t)
            else:
                out.append("{ int r = ft_thread_get_value(event[%d], %d, &v); mark(%d, r ? r : 100 + (int)(long)v); }" % (op[1], op[2] - 1, t))
        out.append("over%d(NULL); }" % t)
    out.append("""static void report(void) {
	char text[600] = "["; int n = 1;
	for (int i = 0; i < CELLS; i++) n += sprintf(text + n, i ? ", %d" : "%d", cell[i]);
	n += sprintf(text + n, "] [");
	for (int t = 0; t < THREADS; t++) {
		n += sprintf(text + n, t ? ", '" : "'");
		for (int i = 0; i < ran[t].n; i++) n += sprintf(text + n, "%d,", ran[t].mark[i]);
		n += sprintf(text + n, "'");
	}
	n += sprintf(text + n, "] [");
	for (int t = 0; t < THREADS; t++) n += sprintf(text + n, t ? ", %d" : "%d", ran[t].over);
	n += sprintf(text + n, "]\\n");
	if (write(9, text, n) != n) abort();
}""".replace("CELLS", str(CELLS)).replace("THREADS", str(len(code))))
    out.append("int main(void) { ft_scheduler_t s = ft_scheduler_create(); atexit(report);")
    out.append("for (int i = 0; i < %d; i++) event[i] = ft_event_create(s);" % EVENTS)
    for t in range(len(code)):
        out.append("thread[%d] = ft_thread_create(s, run%d, over%d, NULL);" % (t, t, t))
    out.append("ft_scheduler_start(s); ft_exit(); }")
    return "\n".join(out) + "\n"


def compare(i, code, args, policy):
    want = brute_fixed(code) if policy == "fixed" else brute_any(code, 400)
    if want is None:
        return 0, 0
    base = os.path.join(args.dir, "fair%d" % i)
    with open(base + ".c", "w") as f:
        f.write(source(code))
    lib = os.path.dirname(os.path.abspath(os.environ["SIMUL"]))
    subprocess.run(["gcc", "-g", "-O1", "-w", "-Iinclude", "-o", base, base + ".c", "-L" + lib, "-lfthread", "-Wl,-rpath," + lib, "-pthread"], check=True)
    outcomes = base + ".outcomes"
    env = dict(os.environ, FTHREAD_ORDER=policy)
    command = [os.environ["SIMUL"], "run", "--quiet", "--keep-going", "--output", args.dir, "--json", base + ".json"] + args.options + ["--", base]
    shell = ["sh", "-c", 'exec "$@" 9>>"$0"', outcomes]
    p = subprocess.run(shell + command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200, check=False)
    with open(outcomes) as f:
        have = set(f.read().splitlines())
    native = subprocess.run(shell + [base], env=env, timeout=20, check=False)
    with open(outcomes) as f:
        have |= set(f.read().splitlines())  # what happens natively must be possible, too
    if p.returncode != 0 or b"simul: complete" not in p.stdout or have != want or native.returncode != 0:
        print("program %d, %s, seed %d: %s" % (i, policy, args.seed, base + ".c"))
        for x in sorted(want - have):
            print("  missing: " + x)
        for x in sorted(have - want):
            print("  impossible: " + x)
        print(p.stdout.decode(errors="replace")[-600:])
        return 1, 1
    for end in (".c", ".outcomes", ".json", ""):
        os.remove(base + end)
    return 1, 0


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--programs", type=int, default=20)
    a.add_argument("--only", type=int)
    a.add_argument("--dir", required=True)
    a.add_argument("options", nargs="*")
    args = a.parse_args()
    ran = differ = 0
    for i in range(args.programs):
        code = program(random.Random(args.seed * 100000 + i))
        if args.only is not None and args.only != i:
            continue
        for policy in ("fixed", "any"):
            r, d = compare(i, code, args, policy)
            ran, differ = ran + r, differ + d
    print("%d compared, %d differ" % (ran, differ))
    return differ != 0


sys.exit(main())
