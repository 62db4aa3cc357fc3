"""What the campaigns with mutated files share: mutations, checksums, running simul and judging how it ended."""
import os
import random
import signal
import subprocess
import sys
import time

HARM = [b"\x1b[2J", b"\xe2\x80\xae", b"\x9b", b"\xff", b"\0", b"\\x00", b'"', b"\\", b"../", b"/", b"%s%n", b"-1", b"0", b"1", b"255", b"65536",
        b"4294967295", b"4294967296", b"18446744073709551615", b"9" * 30, b"T0.1", b"T0.65536", b"nan", b" ", b"\n", b"\t", b"A" * 5000]


def fnv(data):
    h = 0xcbf29ce484222325
    for b in data:
        h = ((h ^ b) * 0x100000001b3) % 2 ** 64
    return h


def snapshot(directory):
    """Lists everything below a directory: names, sizes, modification times."""
    found = {}
    for where, dirs, files in os.walk(directory):
        for name in dirs + files:
            st = os.lstat(os.path.join(where, name))
            found[os.path.join(where, name)] = (st.st_mode, st.st_size, st.st_mtime_ns if name in files else 0)
    return found


class Judge:
    """Runs simul. Notes every violation of what must always hold."""

    def __init__(self, work):
        self.work, self.failures, self.runs, self.slowest = work, 0, 0, 0.0
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
        self.slack = 2 + 6 * max(1.0, load)  # seconds

    def fail(self, what, args, out, files):
        self.failures += 1
        kept = os.path.join(self.work, "failed-%d" % self.failures)
        os.makedirs(kept, exist_ok=True)
        for f in files:
            if os.path.isfile(f):
                subprocess.run(["cp", "-a", f, kept])
        print("FAILED %s: %s\n  files: %s\n  %s" % (what, " ".join(args), kept, out[-1500:].decode(errors="replace").replace("\n", "\n  ")), flush=True)

    def run(self, args, limit, statuses, files, cwd, env=None):
        """limit: seconds that simul may take, plus slack for a loaded machine. Returns its output."""
        start = time.monotonic()
        p = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd, env=env, start_new_session=True)
        try:
            out, _ = p.communicate(timeout=limit + self.slack + 30)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            out, _ = p.communicate()
        took = time.monotonic() - start
        self.runs += 1
        self.slowest = max(self.slowest, took - limit)
        if took > limit + self.slack:
            self.fail("it took %.1f s" % took, args, out, files)
        elif p.returncode not in statuses:
            self.fail("it ended with %d" % p.returncode, args, out, files)
        elif b"AddressSanitizer" in out or b"runtime error" in out:
            self.fail("a sanitizer complains", args, out, files)
        return out


def mutate_bytes(data, rnd):
    data = bytearray(data)
    for _ in range(rnd.choice([1, 1, 1, 2, 5, 20])):
        at = rnd.randrange(len(data) + 1)
        kind = rnd.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rnd.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = rnd.randrange(256)
        elif kind == 2:
            data[at:at] = rnd.choice(HARM)
        elif kind == 3:
            del data[at:at + rnd.choice([1, 4, 50, 1000])]
        elif kind == 4:
            data[at:at] = data[at:at + rnd.choice([1, 8, 100, 3000])]
        elif rnd.random() < 0.2:
            del data[at:]
    return bytes(data)


def arguments():
    """N SEED [FILE...] of the command line."""
    return int(sys.argv[1]), random.Random(int(sys.argv[2])), sys.argv[3:]
