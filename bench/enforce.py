"""Ratios of enforced to native runs: see bench/enforce.sh."""
import os
import subprocess
import sys
import tempfile
import time

SIMUL = os.path.abspath(os.environ.get('SIMUL', 'build/simul'))
RUNS = int(os.environ.get('RUNS', '100'))
PROGRAMS = [('table', ['15']), ('atomicity', []), ('waits', []), ('counters', ['2', '100']),
            ('counters', ['2', '2000']), ('mutex', ['2', '5000']), ('condvar', ['1000']), ('atomics', ['2', '5000']), ('idle', ['2', '20']),
            ('private', ['2'])]


# Elapsed time under all constraints over the program alone, as Metzler et al. measured it on four processors.
PAPER = {'table 15': 27.9}


def build(name, folder):
    source = f'bench/enforce/{name}.c'
    if not os.path.exists(source):
        source = f'tests/enforce/{name}.c'
    out = f'{folder}/{name}'
    subprocess.run(['gcc', '-O2', '-g', '-pthread', '-Itests/enforce', '-Ibench/enforce', '-o', out, source], check=True)
    return out


def certify(program, args, executions, out):
    command = [SIMUL, 'certify', '-q', '--no-minimize', '--output', os.path.dirname(out), '-o', out, '--model', 'tso']
    command += ['--executions', str(executions)] + ['--', program] + args
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not os.path.exists(out):
        return None
    with open(out) as f:
        return next(int(line.split()[1]) for line in f if line.startswith('certified'))


def fnv(data):
    h = 0xcbf29ce484222325
    for b in data:
        h = (h ^ b) * 0x100000001b3 % 2**64
    return h


def with_certified(path, n, out):
    """The same certificate with fewer certified events: for measuring only, nothing has verified it."""
    with open(path) as f:
        lines = f.read().splitlines(True)[:-1]
    text = ''.join(f'certified {n}\n' if line.startswith('certified ') else line for line in lines)
    with open(out, 'w') as f:
        f.write(text + f'end {fnv(text.encode()):016x}\n')
    return out


def elapsed(command, may_fail):
    """Seconds that the command took, and those that the program's threads took, if it prints them."""
    start = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    taken = time.perf_counter() - start
    if done.returncode and not may_fail:
        sys.exit(f'{command}: exit status {done.returncode}: {done.stderr.decode()}')
    printed = done.stdout.strip()
    return taken, int(printed) / 1e9 if printed.isdigit() else taken


def low(values):
    return sorted(values)[len(values) // 10]


def measure(name, args, folder):
    program = build(name, folder)
    cert = f'{folder}/{name}.cert'
    if os.path.exists(cert):
        os.remove(cert)
    events = certify(program, args, 1, cert)
    if not events:
        print(f'{name} {" ".join(args)}: no certificate')
        return
    half = with_certified(cert, events // 2, f'{folder}/half.cert')
    none = with_certified(cert, 0, f'{folder}/none.cert')
    kinds = {'native': [program], 'loaded': [SIMUL, 'enforce', none, '--', program], 'half': [SIMUL, 'enforce', half, '--', program],
             'full': [SIMUL, 'enforce', cert, '--', program]}
    whole, inside = {k: [] for k in kinds}, {k: [] for k in kinds}
    for _ in range(RUNS):
        for k, command in kinds.items():
            taken, threads = elapsed(command + args, k != 'full')  # some programs have a bug, which only the whole certificate excludes
            whole[k].append(taken)
            inside[k].append(threads)
    row = ' '.join([name] + args)
    native = low(inside['native'])
    ratios = '  '.join(f'{k} {low(inside[k]) / native:5.2f}' for k in ('loaded', 'half', 'full'))
    start = min(low(whole[k]) - low(inside[k]) for k in ('loaded', 'half', 'full')) - low(whole['native']) + native
    timed = inside['native'] != whole['native']
    print(f'{row:18} {events:6} events  native {native * 1e3:7.2f} ms  {ratios}  '
          + (f'start +{start * 1e3:5.2f} ms' if timed else f'start included, +{(low(whole["loaded"]) - native) * 1e3:5.2f} ms')
          + (f'  (the paper: {PAPER[row]})' if row in PAPER else ''), flush=True)


def main():
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for name, args in PROGRAMS:
            if not wanted or name in wanted:
                measure(name, args, folder)


main()
