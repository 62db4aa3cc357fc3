"""For scripts that compare the outcomes of random programs under simul with those of an oracle, such as all orders of their calls without threads."""
import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys


def run_quietly(command):
    subprocess.run(command, capture_output=True, text=True, check=False)


def search(args, path, program, *options, run=run_quietly):
    """Runs a complete search that goes on after bugs. Returns its JSON result. The environment's SIMUL is the command."""
    result = os.path.join(args.dir, "r.json")
    if os.path.exists(result):
        os.remove(result)
    run([os.environ["SIMUL"], "run", "--quiet", "--keep-going", "--time", "120", "--json", result, "--output", os.path.join(args.dir, "out"),
         *options, *args.options.split(), "--", path, *program])
    with open(result, encoding="utf-8") as f:
        return json.load(f)


def unfinished(result):
    """Returns a set with words if the search is not complete: no oracle expects them."""
    if result["verdict"] not in ("bug", "complete") or result["reason"]:
        return {f"verdict {result['verdict']} {result['reason']}"}
    return set()


def threads(rng, groups, both):
    """Returns random calls for two or three threads: letters of one of the groups, or of two with the probability `both`. At most 60 orders."""
    while True:
        letters = rng.choice(groups) + (rng.choice(groups) if rng.random() < both else "")
        program = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 3))) for _ in range(rng.choice([2, 2, 3]))]
        orders = math.factorial(sum(map(len, program)))
        for calls in program:
            orders //= math.factorial(len(calls))
        if orders <= 60:
            return program


class Orders:
    """Outcomes of programs with orders.h. They are written to a pipe, since simul puts files back."""

    def __init__(self):
        self.dir = sys.argv[sys.argv.index("--dir") + 1]
        self.scratch = os.path.join(self.dir, "native")  # the same for all, since outcomes may have its name

    def lines(self, command, **environment):
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.mkdir(self.scratch)
        r, w = os.pipe()
        with open(os.path.join(self.dir, "log"), "w", encoding="utf-8") as log:
            p = subprocess.Popen(["bash", "-c", f'exec 9>&{w} {w}>&-; exec "$@"', "bash", *command], pass_fds=[w], stdout=log, stderr=log, env={**os.environ, **environment})
        os.close(w)
        with os.fdopen(r) as f:
            text = f.read()
        p.wait()
        return set(text.splitlines())

    def expected(self, program):
        return self.lines([os.path.join(self.dir, "program"), "-9", self.scratch, *program])

    def native(self, path, program):
        """Returns the outcomes of some native runs with random delays."""
        return set().union(*(self.lines([path, "9", self.scratch, *program], ORDERS_DELAYS=str(seed)) for seed in range(1, 6)))

    def found(self, args, path, program):
        """Returns what executions under simul wrote, and simul's result."""
        lines = []
        result = search(args, path, ["9", self.scratch, *program], run=lambda command: lines.append(self.lines(command)))
        return lines[0], result


def compare(source, generate, expected=None, found=None, native=None, both=None, flags="", compiler=("gcc",)):
    """
    The script. Builds `source`, and compares random programs: generate(rng) returns the arguments of one, expected(program) the outcomes that the
    oracle finds, and found(args, path, program) those of simul. native(path, program), if given, returns outcomes that are among them.
    both(args, path, program), in place of the two, returns what is expected and what is found. Prints the programs that differ, and at the end how many there are.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--options", default="--strategy optimal")
    parser.add_argument("--dir", required=True)
    args = parser.parse_args()
    path = os.path.join(args.dir, "program")
    subprocess.run([*compiler, "-g", "-O1", "-pthread", "-w", "-I.", *flags.split(), "-o", path, source], check=True)
    rng = random.Random(args.seed)
    differ, some = 0, 0
    for _ in range(args.programs):
        program = generate(rng)
        want, have = both(args, path, program) if both else (expected(program), found(args, path, program))
        some += bool(want)
        seen = native(path, program) if native else set()
        if have != want or not seen <= have:
            differ += 1
            print(f"{' '.join(program)}: expected {sorted(want, key=str)}, found {sorted(have, key=str)}, seen natively {sorted(seen, key=str)}")
    print(f"{args.programs} programs, {some} of which can fail: {differ} differ")
    sys.exit(1 if differ or not some else 0)
