"""Ratios of enforced to native runs: see bench/enforce.sh. Prints one line for each row of the table, its columns separated by tabs. Arguments: a folder,
and what to measure (all): files of programs; relax: how fast a shorter certificate reaches a running program; start: short programs.

Every time is the one that the program prints, from before its first thread to after the last, so it does not include the start; the rows
of start say what that takes. Enforced and native runs alternate. A figure is the tenth percentile of RUNS of each, since the machine may be
busy with something else.

A certificate of the first execution orders everything up to its last race. The other certificates are the same with fewer certified events, as a
longer search leaves them; no search has verified these, so they serve for measuring only."""
import os
import re
import resource
import subprocess
import sys
import time

SIMUL = os.path.abspath(os.environ.get('SIMUL', 'build/simul'))
RUNS = int(os.environ.get('RUNS', '40'))
FIRST = ['chrt', '-r', '1'] if os.environ.get('FIRST') else []
END = time.monotonic() + float(os.environ.get('SECONDS_LEFT', '1e9'))

# The benchmarks of the paper: file, arguments of the program as short as there, arguments of one that takes 10 ms and more, and the
# constraints of the rows with the overhead of each in percent. The paper measured on four processors.
PAPER = [
    ('bigshot', 'bigshot', '1 0', '100 100000', [(1, 5), (0, 3)]),
    ('dekker', 'dekker', '2 0', '60 170000', [(2, 4), (1, 3), (0, 2)]),
    ('fibonacci', 'fibonacci', '1 0 90', '40 250000 37', [(98, 13), (44, 9), (24, 12), (0, 6)]),
    ('lamport', 'lamport', '5 0', '40 250000',
     [(16, 12), (15, 12), (10, 13), (7, 13), (6, 13), (4, 12), (2, 12), (1, 13), (0, 3)]),
    ('peterson', 'peterson', '8 0', '40 250000', [(28, 8), (24, 9), (22, 6), (1, 7), (0, -2)]),
    ('shared pointer', 'sharedptr', '4 0', '100 100000', [(3, 22), (2, 21), (1, 20), (0, 4)]),
    ('indexer(15)', 'indexer', '1 0', '40 40000', [(12, 2692), (8, 2716), (4, 2416), (3, 1904), (2, 61), (1, 11), (0, -13)]),
    ('last zero(16)', 'lastzero', '1 0', '40 40000', [(15, 4288), (8, 2075), (5, 102), (1, 8), (0, -5)]),
    ('indexer(15)-opt', 'indexer', '1 0', None, [(12, 2841), (9, 48), (6, 36), (0, 14)]),
    ('last zero(16)-opt', 'lastzero', '1 0', None, [(15, 94), (8, 38), (5, 30), (1, 28), (0, 14)]),
]
RECORDED = {'fibonacci'}  # its threads never wait: a random execution alternates between them


def build(name, folder):
    out = f'{folder}/{name}'
    subprocess.run(['gcc', '-O2', '-g', '-pthread', '-Itests/enforce', '-Ibench/enforce', '-o', out, f'bench/enforce/{name}.c'], check=True)
    return out


def quiet(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600).stdout


class Certificate:
    """The certificate of a program's first execution, and shorter ones."""

    def __init__(self, program, args, folder, recorded):
        self.path, self.command, self.folder = f'{folder}/cert', [program] + args, folder
        options = ['-q', '--no-minimize', '--output', folder, '--executions', '1']
        for path in (self.path, f'{folder}/recording'):
            if os.path.exists(path):
                os.remove(path)
        if recorded:
            quiet([SIMUL, 'run'] + options + ['--strategy', 'random', '--seed', '1', '--passing', f'{folder}/recording', '--'] + self.command)
            options += ['--from', f'{folder}/recording']
        said = quiet([SIMUL, 'certify'] + options + ['-o', self.path, '--'] + self.command)
        if not os.path.exists(self.path):
            sys.exit(f'{self.command}: no certificate: {said}')
        with open(self.path) as f:
            self.lines = f.read().splitlines(True)[:-1]
        self.first = self.lines.index('[events]\n') + 1
        self.certified = next(int(line.split()[1]) for line in self.lines if line.startswith('certified '))
        self.constraints = self.count(self.path)

    @staticmethod
    def count(path):
        """The number of constraints, as simul counts them: waits inside the prefix, and waits for it of the events after it."""
        return int(re.search(r'certified, (\d+) constraint|unconstrained', quiet([SIMUL, 'show', path]))[1] or 0)

    def shorter(self, wanted):
        """By number of constraints, as far as there are such: commands that enforce a prefix with so many."""
        found = {}
        for n in range(self.certified, -1, -1):
            constraints = self.count(self.write('try', n)[2])
            if constraints in wanted and constraints not in found:
                found[constraints] = self.write(f'short.{constraints}', n)
            if len(found) == len(wanted):
                break
        return found

    def write(self, name, certified, lines=None):
        h, out = 0xcbf29ce484222325, f'{self.folder}/{name}'
        text = ''.join(f'certified {certified}\n' if line.startswith('certified ') else line for line in lines or self.lines)
        for b in text.encode():
            h = (h ^ b) * 0x100000001b3 % 2**64
        with open(out, 'w') as f:
            f.write(text + f'end {h:016x}\n')
        return self.enforced(out)

    def enforced(self, path):
        return [SIMUL, 'enforce', path, '--'] + self.command

    def total_order(self):
        """Each event waits for the one before it."""
        lines, events = self.lines[:self.first], self.lines[self.first:]
        for i, line in enumerate(events):
            own, before = line.split()[1], events[i - 1].split()[1] if i else ''
            line = re.sub(r' after [\d ]+$', '', line.rstrip('\n'))
            lines.append(line + (f' after {i}\n' if i and own != before else '\n'))
        return self.write('total', self.certified, lines)


def run(command):
    """Seconds of the whole run, processor time of it, and both of the part of the program that has threads."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(FIRST + command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    taken, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f'{command}: exit status {done.returncode}: {done.stderr}')
    elapsed, cpu = map(int, done.stdout.split())
    return taken, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, elapsed / 1e9, cpu / 1e9


def measure(kinds, seconds):
    """The tenth percentile of each of the four figures, by kind. seconds: how long the runs may take in all, but each kind runs once."""
    got, end = {k: [] for k in kinds}, min(END, time.monotonic() + seconds)
    for i in range(RUNS):
        if i and time.monotonic() > end:
            break
        for k, command in kinds.items():
            got[k].append(run(command))
    return {k: [sorted(v)[len(v) // 10] for v in zip(*runs)] for k, runs in got.items()}


def row(name, value='-', unit='-', ratio='-', of='-', note='-'):
    def text(x):
        return f'{x:.4g}' if isinstance(x, float) else x
    print(name, text(value), unit, text(ratio), of, note, sep='\t', flush=True)


def short_rows(name, program, args, rows, folder):
    c = Certificate(program, args.split(), folder, os.path.basename(program) in RECORDED)
    kinds = c.shorter([n for n, _ in rows])
    got = measure({'native': c.command, **kinds}, 4)
    for n, percent in rows:
        label, paper = f'{name}, {n} constraint{"" if n == 1 else "s"}', f'the paper x {1 + percent / 100:.2f}'
        if n in got:
            row(label, got[n][2] * 1e6, 'us', got[n][2] / got['native'][2], 'native', f'processor time x {got[n][3] / got["native"][3]:.2f}; {paper}')
        else:
            row(label, 'left out', note=f'no prefix has {n}: the execution has {c.constraints}; {paper}')


def long_rows(label, program, args, folder):
    c = Certificate(program, args.split(), folder, os.path.basename(program) in RECORDED)
    half = c.write('half', c.certified // 2)
    kinds = {('no', 0): c.write('none', 0), ('half', c.count(half[2])): half, ('all', c.constraints): c.enforced(c.path)}
    got = measure({'native': c.command, **kinds}, 8)
    native = got.pop('native')
    for (what, n), figures in got.items():
        start = (figures[0] - figures[2] - native[0] + native[2]) * 1e3
        row(f'{label}, {what} constraints', figures[2] * 1e3, 'ms', figures[2] / native[2], 'native',
            f'{n} constraints; processor time x {figures[3] / native[3]:.2f}; with the start x {figures[0] / native[0]:.2f} (+{start:.1f} ms)')


def other_rows(folder):
    counters, private = build('counters', folder), build('private', folder)
    for name, args in (('stripes', ['2', '2000']), ('stripes', ['4', '1000']), ('counters', ['2', '2000'])):
        c = Certificate(build(name, folder), args, folder, True)
        got = measure({'native': c.command, 'full': c.enforced(c.path), 'total': c.total_order()}, 4)
        label = f'{name} {" ".join(args)}'
        for kind, what, than in (('full', f'{c.constraints} constraints', 'native'), ('total', 'total order of the same events', 'full')):
            row(f'{label}, {what}', got[kind][2] * 1e3, 'ms', got[kind][2] / got[than][2], 'the certificate' if than == 'full' else than,
                f'processor time x {got[kind][3] / got[than][3]:.2f}')
    c = Certificate(counters, ['8', '2000'], folder, False)
    got = measure({'native': c.command, 'full': c.enforced(c.path)}, 4)
    for i, what in ((3, 'without the start'), (1, 'with the start')):
        row(f'processor time of counters 8 2000, {what}', got['full'][i] * 1e3, 'ms', got['full'][i] / got['native'][i], 'native',
            f'{c.constraints} constraints')
    c = {n: Certificate(private, [str(n)], folder, False) for n in (1, 2)}
    kinds = {f'{n} native': c[n].command for n in c}
    kinds.update({f'{n} enforced': c[n].write(f'private.{n}', c[n].certified) for n in c})
    got = measure(kinds, 6)
    for kind in ('native', 'enforced'):
        row(f'private work, two threads, {kind}', got[f'2 {kind}'][2] * 1e3, 'ms', 2 * got[f'1 {kind}'][2] / got[f'2 {kind}'][2],
            'the speed of one thread', f'processor time x {got[f"2 {kind}"][3] / got["2 native"][3]:.2f} of native')


RELAX_RUNS, RELAX_COMPUTES, RELAX_AFTER = 25, 800000000, 0.4


def relax_row(folder):
    """How long a shorter certificate takes to reach a running program: from the rename of its file to the time at which the waiting thread
    has its lock. RELAX_AFTER seconds after the start the thread waits; the certificate would hold it back until T0 has computed."""
    c = Certificate(build('relaxed', folder), [str(RELAX_COMPUTES)], folder, False)
    late, runs, live, newer = [], 0, f'{folder}/live', f'{folder}/newer'
    while runs < RELAX_RUNS and (not runs or time.monotonic() < END):
        runs += 1
        os.replace(c.write('full', c.certified)[2], live)
        p = subprocess.Popen(FIRST + [SIMUL, 'enforce', '--follow', live, '--'] + c.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        time.sleep(RELAX_AFTER)
        os.replace(c.write('newer', 0)[2], newer)
        renamed = time.monotonic_ns()
        os.replace(newer, live)
        other, own = map(int, p.communicate()[0].split())
        if renamed < other < own:
            late.append((other - renamed) / 1e6)
    late.sort()
    if len(late) <= runs // 2:
        sys.exit(f'relaxed: in {runs - len(late)} of {runs} runs the thread did not wait for the shorter certificate')
    row('a shorter certificate reaches a waiting thread', late[len(late) // 2], 'ms',
        note=f'median of {len(late)} runs; least {late[0]:.2f}, nine of ten {late[len(late) * 9 // 10]:.2f}, most {late[-1]:.2f} ms')


def start_rows(folder):
    for name, args in (('counters', '2 10'), ('fibonacci', '1 0 5')):
        c = Certificate(build(name, folder), args.split(), folder, name in RECORDED)
        got = measure({'native': c.command, 'enforced': c.enforced(c.path)}, 8)
        row(f'processor time of {name} {args}, with the start', got['enforced'][1] * 1e3, 'ms', got['enforced'][1] / got['native'][1], 'native',
            f'{got["native"][1] * 1e3:.2f} ms natively; {c.constraints} constraints')


def main():
    folder, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    for name, file, short, long, rows in PAPER:
        if wanted and file not in wanted:
            continue
        program = build(file, folder)
        short_rows(name, program, short, rows, folder)
        if long:
            long_rows(f'{name}, long', program, long, folder)
    for name, args in (('mutex', '2 5000'), ('condvar', '1000'), ('atomics', '2 5000'), ('idle', '2 20')):
        if not wanted or name in wanted:
            long_rows(f'{name} {args}', build(name, folder), args, folder)
    if not wanted or 'relax' in wanted:
        relax_row(folder)
    if not wanted or 'start' in wanted:
        start_rows(folder)
    if not wanted:
        other_rows(folder)


main()
