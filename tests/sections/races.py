#!/usr/bin/env python3
"""Random programs with sections of two mutexes and plain accesses. With --sections each data race is one that is also reported without, and the
verdict is the same. Prints how many races are reported only without."""
import argparse
import json
import os
import random
import subprocess

HEAD = """#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile int v[6];
"""


def access(rng, variable):
    return rng.choice([f"v[{variable}]++;", f"v[{variable}] = {rng.randint(1, 2)};", f"r += v[{variable}];", f"r += v[{variable}];"])


def section(rng, thread):
    """Each mutex guards variables 2 and 3 or 4 and 5, mostly; every thread has one of them that is mostly its own."""
    lock = rng.choice([0, 0, 1])
    variable = 2 + 2 * lock + (thread + (rng.random() < 0.3)) % 2
    return [f"pthread_mutex_lock(&m[{lock}]);", access(rng, variable if rng.random() < 0.95 else 0), f"pthread_mutex_unlock(&m[{lock}]);"]


def body(rng, thread):
    lines = ["int r = 0;"]
    for _ in range(rng.randint(2, 4)):
        if rng.random() < 0.6:
            lines += section(rng, thread)
        else:
            condition = rng.choice(["", "", "if (r) ", "if (r == 2) "])
            lines.append(condition + access(rng, rng.choice([0, 0, 0, 1])))
    return lines


def generate(rng):
    threads = rng.choice([2, 2, 3])
    text = HEAD
    for t in range(threads):
        text += f"static void *thread{t}(void *unused)\n{{\n" + "".join(f"\t{x}\n" for x in body(rng, t)) + "\treturn (void *)(size_t)r;\n}\n"
    starts = "".join(f"\tpthread_create(&t[{t}], NULL, thread{t}, NULL);\n" for t in range(threads))
    joins = "".join(f"\tpthread_join(t[{t}], NULL);\n" for t in range(threads))
    return text + f"int main(void)\n{{\n\tpthread_t t[{threads}];\n{starts}{joins}\treturn 0;\n}}\n"


def search(program, directory, options):
    """Returns the verdict, the races as pairs of places, and the number of executions."""
    out = os.path.join(directory, "r.json")
    subprocess.run([os.environ["SIMUL"], "run", "--quiet", "--strategy", "optimal", "--output", os.path.join(directory, "out"), "--json", out,
                    *options, "--", program], env=dict(os.environ, SIMUL_TEST_SHARE_AT_ONCE="1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(out) as f:
        found = json.load(f)
    return found["verdict"], {tuple(sorted((r["first"], r["second"]))) for r in found["races"]}, found["executions"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--programs", type=int, required=True)
    parser.add_argument("--options", default="")
    parser.add_argument("--dir", required=True)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    differ = races = missed = traces = classes = 0
    source, program = (os.path.join(args.dir, name) for name in ("program.c", "program"))
    for _ in range(args.programs):
        with open(source, "w") as f:
            f.write(generate(rng))
        subprocess.run(["gcc", "-O1", "-g", "-pthread", "-w", "-o", program, source], check=True)
        plain = search(program, args.dir, args.options.split())
        steps = search(program, args.dir, ["--sections", *args.options.split()])
        races += len(plain[1])
        missed += len(plain[1] - steps[1])
        traces += plain[2]
        classes += steps[2]
        if plain[0] != steps[0] or steps[1] - plain[1] or steps[2] > plain[2]:
            differ += 1
            os.rename(source, os.path.join(args.dir, f"differs-{differ}.c"))
            print(f"differs-{differ}.c: {plain} without --sections, {steps} with")
    print(f"{traces} traces, {classes} classes, {races} races, {missed} of them only without --sections")
    print(f"{args.programs} programs: {differ} differ")
    return differ > 0


if __name__ == "__main__":
    raise SystemExit(main())
