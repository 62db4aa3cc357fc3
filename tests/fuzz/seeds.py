#!/usr/bin/env python3
"""seeds.py SIMUL DIR: records seeds for the fuzz targets in DIR/recording, DIR/certificate and DIR/json.

Programs of the tests are compiled and run: recordings of each kind of failure, of executions that passed, under each memory model;
certificates; what `simul stress` keeps of a test. Paths and what differs between two runs are replaced, and the checksum is made right."""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, "tests/campaign")
import lib  # noqa: E402

TOP = os.getcwd()
MOST = 8192  # bytes of a seed
HOME = b"/home/user"


def programs():
    """Yields NAME, SOURCE, FLAGS of the compiler, OPTIONS of simul run, ARGUMENTS."""
    for source in sorted(glob.glob("demos/*/prog.c")):
        name = source.split("/")[1]
        yield name, source, [], [], []
        yield name + "_tso", source, [], ["--model", "tso"], []
    for source in sorted(glob.glob("tests/litmus/*/*.c")):
        name = os.path.basename(source)[:-2]
        weak = name.startswith("weak_")
        yield name, source, [], ["--model", "pso"] if weak else [], []
        if name in ("weak_sb", "weak_mp", "weak_sb3", "weak_spin"):
            yield name + "_tsan", source, ["-Wno-tsan", "-fsanitize=thread"], ["--model", "tso"], []
    for source in sorted(glob.glob("tests/explain/*.c") + glob.glob("tests/header/*.c")):
        name = source.split("/")[1] + "_" + os.path.basename(source)[:-2]
        if "rust" not in name:
            yield name, source, ["-DALL"], [], []
            yield name + "_race", source, [], ["--fail-on-race"], []
    for name in ("counters", "deadlock", "escapes", "files", "harmless_race", "livelock", "message", "store_buffer", "three_bugs"):
        yield "cli_" + name, "tests/cli/prog/%s.c" % name, [], [], []
    for source in sorted(glob.glob("tests/defects/*.c")):
        text = open(source, encoding="utf-8").read().split("*/")[0]
        check = re.search(r"^ \* check: *bug[^:]*: *(.*)$", text, re.M)
        if not check or "build:" in text or "@" in check[1] or re.match(r"[A-Z_]+=", check[1]):
            continue
        options, _, arguments = (" " + check[1] + " ").partition(" -- ")
        yield "defects_" + os.path.basename(source)[:-2], source, [], options.split(), arguments.split()
    for model, part in (("tso", "sb"), ("pso", "sb"), ("tso", "half")):
        yield "robust_%s_%s" % (model, part), "tests/cli/prog/robust.c", [], ["--model", model, "--robustness"], [part]
    yield "hang", "tests/cli/prog/hang.c", [], ["--hang-timeout", "300ms"], []
    lock = "demos/lock_order/prog.c"
    yield "lock_order_exec", lock, [], ["--isolation", "exec", "--threads", "kernel", "--own-locks", "explore"], []
    yield "lock_order_pct", lock, [], ["--strategy", "pct", "--executions", "200", "--no-minimize"], []
    yield "lock_order_patience", lock, [], ["--patience", "1s", "--spurious", "1", "--exit", "any"], []
    yield "lock_order_bounded", lock, [], ["--strategy", "bpor", "--preemptions", "1", "--barrier-serial", "first"], []
    yield "lock_order_patched", lock, [], ["--lock", "transfer*", "--patch", "libm*"], []
    yield "lock_order_no_symbols", lock, ["-g0", "-s"], ["--no-memory-check"], []


def cleaned(data, replaced):
    """The file without what depends on the machine, with the right checksum."""
    for old, new in replaced:
        data = data.replace(old, new)
    data = re.sub(rb'^(origin|build-id) ".*"$', lambda m: m[1] + b' "' + b"0123456789abcdef" * 2 + b'"', data, flags=re.M)
    data = re.sub(rb"^start-time \d+$", b"start-time 1700000000000000000", data, flags=re.M)
    body = data[:data.rindex(b"end ")]
    return body + b"end %016x\n" % lib.fnv(body)


def put(out, kind, name, data):
    if len(data) <= MOST:
        with open(os.path.join(out, kind, name), "wb") as f:
            f.write(data)


def record(simul, out, name, source, flags, options, arguments):
    """Makes the seeds of one program. Returns what went wrong, or None."""
    where = os.path.join(out, "run", name)
    os.makedirs(where)
    program = os.path.join(where, "test")
    made = subprocess.run(["gcc", "-g", "-O1", "-D_GNU_SOURCE", "-pthread", "-Iinclude", "-ffile-prefix-map=%s=%s" % (TOP, "/home/user/simul"),
                           "-o", program, source] + flags, capture_output=True, text=True)
    if made.returncode:
        return "%s: cannot be compiled: %s" % (name, made.stderr[-300:])
    replaced = [(where.encode(), HOME), (TOP.encode(), HOME + b"/simul")]
    limit = ["--quiet", "--time", "5s"]
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": where, "XDG_STATE_HOME": where + "/state"}

    def run(command, *more):
        try:
            return subprocess.run([simul, command] + limit + list(more) + options + ["--", program] + arguments, cwd=where, capture_output=True, timeout=60,
                                  stdin=subprocess.DEVNULL, env=environment)
        except subprocess.TimeoutExpired:
            return None

    run("run", "--output", "out", "--json", "r.json")
    found = sorted(glob.glob(os.path.join(where, "out", "*.simul")))[:2]
    for i, path in enumerate(found):
        put(out, "recording", "%s%s.simul" % (name, "_%d" % i if i else ""), cleaned(open(path, "rb").read(), replaced))
    if found and os.path.exists(os.path.join(where, "r.json")):
        text = open(os.path.join(where, "r.json"), "rb").read()
        for old, new in replaced:
            text = text.replace(old, new)
        kept = {"name": "fuzz", "status": "bug", "run": json.loads(text)}
        put(out, "json", name + ".json", json.dumps(kept, sort_keys=True).encode())
    if not any(o in options for o in ("--resume", "--strategy", "--isolation")):
        run("run", "--strategy", "random", "--executions", "1", "--output", "out2", "--passing", "passing")
        passing = os.path.join(where, "passing")
        if os.path.exists(passing):
            put(out, "recording", name + "_passes.simul", cleaned(open(passing, "rb").read(), replaced))
        run("certify", "--output", "out3", "-o", "certificate")
        certificate = os.path.join(where, "certificate")
        if os.path.exists(certificate):
            put(out, "certificate", name + ".cert", cleaned(open(certificate, "rb").read(), replaced))
    return None


def main():
    simul, out = sys.argv[1:]
    simul, out = os.path.abspath(simul), os.path.abspath(out)
    for kind in ("recording", "certificate", "json", "run"):
        os.makedirs(os.path.join(out, kind), exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor((os.cpu_count() or 1) + 1) as pool:
        problems = [p for p in pool.map(lambda p: record(simul, out, *p), list(programs())) if p]
    for problem in problems:
        print(problem, file=sys.stderr)
    for kind in ("recording", "certificate", "json"):
        print("%d seeds of kind %s" % (len(os.listdir(os.path.join(out, kind))), kind))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
