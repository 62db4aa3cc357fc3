"""Compares programs, built in several ways with objects whose operations are one step, with the same programs on a pthread mutex."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import Orders, compare, search, unfinished


def compare_builds(source, macro, kinds, generate, is_small, compiler=("gcc",), libraries=()):
    """source: a program of this folder. -DMACRO=1 builds the oracle, -DMACRO=2 with the flags of each of `kinds` what is compared with it. Programs of
    the first kind that are small are explored as code, too."""
    here = os.path.dirname(__file__)
    directory = sys.argv[sys.argv.index("--dir") + 1]
    orders = Orders()
    paths = {}
    for kind, flags in kinds.items():
        paths[kind] = os.path.join(directory, kind)
        subprocess.run([*compiler, "-g", "-pthread", "-w", "-I.", f"-D{macro}=2", *flags.split(), "-o", paths[kind], f"tests/calls/{source}", *libraries], check=True)

    def seen(args, path, program, *options):
        lines = []
        result = search(args, path, ["9", orders.scratch, *program], *options, run=lambda command: lines.append(orders.lines(command)))
        dead = {"deadlock"} if any(b["kind"] == "deadlock" for b in result["bugs"]) else set()
        return lines[0] | dead | {b["message"] for b in result["bugs"] if b["kind"] != "deadlock"} | unfinished(result)

    def both(args, path, program):
        want = seen(args, path, program)
        have = set(want)
        for kind, other in paths.items():
            as_code = kind == next(iter(kinds)) and is_small(program) and "optimal" in args.options
            for options in [()] + [("--own-locks", "explore")] * as_code:
                outcomes = seen(args, other, program, *options)
                if kind == "unoptimised":  # a loop in a call that is no single step has no state that comes back
                    outcomes = {o for o in outcomes if not o.startswith("verdict bounded threads that looped")}
                have |= {f"{kind} {options}: {sorted(outcomes ^ want)}"} if outcomes != want else set()
        return want, have

    compare(os.path.join(here, source), generate, both=both, flags=f"-D{macro}=1", compiler=compiler)
