"""
How far `simul run --search` scales: a model of the workers, with the rule by which they split work (explore/shared/work_giving.c).

machines_model.py [--trip SECONDS] [--server SECONDS]

The tree is that of N threads that lock R times each: 113,400 executions for 5 x 2. A worker explores its subtree. If another one waits and nothing is
open, it gives away the planned branches of its topmost state that has some. Each step in the common part (taking a branch, giving, ending) holds one lock of
the whole search for HOLD round trips and the server's time, and costs the worker WHOLE round trips. Printed: speed-up, and efficiency.
"""
import argparse
import functools
import heapq
import math
import random

HOLD, WHOLE = 3, 5  # round trips of cli/nightly/machines/commit.c


@functools.lru_cache(None)
def size(state):
    n = math.factorial(sum(state))
    for k in state:
        n //= math.factorial(k)
    return n


def children(state):
    return [state[:i] + (state[i] - 1,) + state[i + 1:] for i in range(len(state)) if state[i]]


class Model:
    def __init__(self, root, workers, execution, trip, server):
        self.e, self.hold, self.whole = execution, HOLD * trip + server, WHOLE * trip + server
        self.free_at, self.events, self.n = 0.0, [], 0
        self.open, self.idle, self.giving = [root], list(range(workers)), False
        self.held = {}  # worker: [state, its first execution, begun]
        self.random = random.Random(1)

    def at(self, t, what, *args):
        self.n += 1
        heapq.heappush(self.events, (t, self.n, what, args))

    def locked(self, t):
        """A step in the common part that begins at t. Returns when it ends."""
        begin = max(t + self.whole - self.hold, self.free_at)
        self.free_at = begin + self.hold
        return self.free_at

    def begin(self, t, w, state, first):
        self.held[w] = [state, first, t]
        self.at(t + (size(state) - first) * self.e, self.end, w, state, t)

    def hand_out(self, t):
        while self.open and self.idle:
            w = self.idle.pop()
            self.begin(self.locked(t), w, self.open.pop(0), 0)
        if self.idle and not self.open and not self.giving and self.held:
            self.giving = True
            self.at(t + self.random.random() * self.e, self.give)

    def give(self, t):
        """The worker that ends an execution next gives, if it can."""
        self.giving = False
        able = [w for w, (state, first, begun) in self.held.items() if t > begun and size(state) - first - (t - begun) / self.e > 2]
        if not self.idle or self.open:
            return
        if not able:
            if self.held:
                self.giving = True
                self.at(t + self.e, self.give)
            return
        w = self.random.choice(able)
        state, first, begun = self.held[w]
        done = first + int((t - begun) / self.e) + 1
        while True:
            below = children(state)
            k = 0
            while done >= size(below[k]):
                done -= size(below[k])
                k += 1
            state = below[k]
            if below[k + 1:]:
                break
            if sum(state) < 2:
                return
        t = self.locked(t)
        self.open += below[k + 1:]
        self.begin(t, w, state, min(done, size(state) - 1))
        self.hand_out(t)

    def end(self, t, w, state, begun):
        if w not in self.held or self.held[w][0] != state or self.held[w][2] != begun:
            return  # it gave a part away meanwhile
        del self.held[w]
        self.idle.append(w)
        self.over = self.locked(t)
        self.hand_out(self.over)

    def run(self):
        t = 0.0
        self.hand_out(0.0)
        while self.events:
            t, _, what, args = heapq.heappop(self.events)
            what(t, *args)
        return self.over


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--trip", type=float, default=0.0005)
    p.add_argument("--server", type=float, default=0.0003)
    o = p.parse_args()
    print("tree, an execution takes".ljust(36) + "".join(("%d workers" % n).rjust(18) for n in (16, 64, 256, 1024)))
    for name, root in (("mutex(5x2), 113,400", (2,) * 5), ("mutex(6x2), 7,484,400", (2,) * 6)):
        for execution in (0.001, 0.01, 0.1):
            line = ("%s, %g ms" % (name, execution * 1000)).ljust(36)
            for n in (16, 64, 256, 1024):
                speed = size(root) * execution / Model(root, n, execution, o.trip, o.server).run()
                line += ("%.1f (%.0f %%)" % (speed, 100 * speed / n)).rjust(18)
            print(line, flush=True)


main()
