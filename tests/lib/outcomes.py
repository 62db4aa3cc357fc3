"""For scripts that compare the outcomes of random programs under simul with those of an oracle (tests/fences/calls.py, tests/lifetimes/lifetimes.py)."""
import argparse
import json
import os
import random
import subprocess
import sys


def search(args, path, program, *options):
    """Runs a complete search that goes on after bugs. Returns its JSON result. The environment's SIMUL is the command."""
    result = os.path.join(args.dir, "r.json")
    if os.path.exists(result):
        os.remove(result)
    subprocess.run([os.environ["SIMUL"], "run", "--quiet", "--keep-going", "--time", "120", "--json", result, "--output", os.path.join(args.dir, "out"),
                    *options, *args.options.split(), "--", path, *program], capture_output=True, text=True, check=False)
    with open(result, encoding="utf-8") as f:
        return json.load(f)


def unfinished(result):
    """Returns a set with words if the search is not complete: no oracle expects them."""
    if result["verdict"] not in ("bug", "complete") or result["reason"]:
        return {f"verdict {result['verdict']} {result['reason']}"}
    return set()


def compare(source, generate, expected, found):
    """
    The script. Builds `source`, and compares random programs: generate(rng) returns the arguments of one, expected(program) the outcomes that the
    oracle finds, and found(args, path, program) those of simul. Prints the programs that differ, and at the end how many there are.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--options", default="--strategy optimal")
    parser.add_argument("--dir", required=True)
    args = parser.parse_args()
    path = os.path.join(args.dir, "program")
    subprocess.run(["gcc", "-g", "-O1", "-pthread", "-w", "-o", path, source], check=True)
    rng = random.Random(args.seed)
    differ, some = 0, 0
    for _ in range(args.programs):
        program = generate(rng)
        want, have = expected(program), found(args, path, program)
        some += bool(want)
        if have != want:
            differ += 1
            print(f"{' '.join(program)}: expected {sorted(want, key=str)}, found {sorted(have, key=str)}")
    print(f"{args.programs} programs, {some} of which can fail: {differ} differ")
    sys.exit(1 if differ or not some else 0)
