#!/usr/bin/env python3
"""elves.py N SEED SIMUL WORK PROGRAM LIBRARY: N mutated ELF files, as the program and as a library of PROGRAM.

Sizes, offsets and counts in headers, program headers, section headers, symbols, notes and dynamic entries are huge, negative, or reach beyond the file;
debug information and unwind tables get random bytes. Whatever the file, `run`, `doctor` and `show` end in time without a crash, without gigabytes of
memory, and not with an internal error. The program itself may crash or fail to start: the kernel and the dynamic linker read the same file."""
import os
import random
import resource
import shutil
import struct
import sys

import lib

HEADER = [(16, 2), (18, 2), (24, 8), (32, 8), (40, 8), (48, 4), (52, 2), (54, 2), (56, 2), (58, 2), (60, 2), (62, 2)]
PROGRAM_HEADER, SECTION_HEADER = [(0, 4), (4, 4), (8, 8), (16, 8), (32, 8), (40, 8), (48, 8)], [(0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 4), (44, 4), (48, 8), (56, 8)]
SYMBOL, ENTRY, NOTE = [(0, 4), (4, 1), (6, 2), (8, 8), (16, 8)], [(0, 8), (8, 8)], [(0, 4), (4, 4), (8, 4)]
SYMTAB, DYNAMIC, NOTES, DYNSYM = 2, 6, 7, 11
MEMORY = 2 << 20  # kilobytes that one process may use


def sections(data):
    at, size, n, names = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HHH", data, 58)
    found = []
    for i in range(n):
        name, kind, _, _, offset, length = struct.unpack_from("<IIQQQQ", data, at + i * size)
        found.append([name, kind, offset, length, at + i * size])
    table = found[names][2]
    for s in found:
        end = data.index(b"\0", table + s[0])
        s[0] = data[table + s[0]:end].decode()
    return found


def odd(rnd, width, data, old):
    """A value for a field of `width` bytes."""
    top = 1 << 8 * width
    return rnd.choice([0, 1, 7, top - 1, top >> 1, (top >> 1) - 1, len(data), len(data) - 1, len(data) + 1, old + 1, old - 1, -old, old << 8, old ^ 1 << rnd.randrange(8 * width),
                       1 << 31, 1 << 32, (1 << 32) - 1, 1 << 40, rnd.randrange(top)]) % top


def change(data, rnd, at, fields):
    offset, width = rnd.choice(fields)
    if at + offset + width <= len(data):
        old = int.from_bytes(data[at + offset:at + offset + width], "little")
        data[at + offset:at + offset + width] = odd(rnd, width, data, old).to_bytes(width, "little")


def mutate(original, rnd):
    data, all_sections = bytearray(original), sections(original)
    debug = [s for s in all_sections if s[0].startswith((".debug", ".eh_frame", ".gnu_debug", ".note"))]
    for _ in range(rnd.choice([1, 1, 1, 2, 5])):
        s = rnd.choice(all_sections)
        kind = rnd.randrange(9)
        if kind == 0:
            change(data, rnd, 0, HEADER)
        elif kind == 1:
            change(data, rnd, 64 + 56 * rnd.randrange(original[56]), PROGRAM_HEADER)
        elif kind in (2, 3):
            change(data, rnd, s[4], SECTION_HEADER)
        elif kind == 4:
            tables = [s for s in all_sections if s[1] in (SYMTAB, DYNSYM) and s[3]]
            s = rnd.choice(tables)
            change(data, rnd, s[2] + 24 * rnd.randrange(s[3] // 24), SYMBOL)
        elif kind == 5:
            tables = [s for s in all_sections if s[1] in (DYNAMIC, NOTES) and s[3]]
            s = rnd.choice(tables)
            change(data, rnd, s[2] + (16 * rnd.randrange(s[3] // 16) if s[1] == DYNAMIC else 0), ENTRY if s[1] == DYNAMIC else NOTE)
        elif kind in (6, 7):
            s = rnd.choice(debug)
            for _ in range(rnd.choice([1, 4, 40])):
                if s[3]:
                    data[s[2] + rnd.randrange(min(s[3], 1 << rnd.randrange(1, 20)))] = rnd.choice([0, 1, 0x7f, 0x80, 0xff, rnd.randrange(256)])
        else:
            del data[rnd.randrange(64, len(data)):]
            break
    return bytes(data)


def main():
    count, seed, simul, work, program, library = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:7]
    rnd, judge = random.Random(seed), lib.Judge(work)
    originals = [open(f, "rb").read() for f in (program, library)]
    cwd = os.path.join(work, "cwd")
    env = dict(os.environ)
    for i in range(count):
        place = os.path.join(work, "elf")
        shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(cwd, ignore_errors=True)
        os.makedirs(place)
        os.makedirs(cwd)
        which = i % 2
        files = [os.path.join(place, os.path.basename(f)) for f in (program, library)]
        for k, f in enumerate(files):
            with open(f, "wb") as out:
                out.write(mutate(originals[k], rnd) if k == which else originals[k])
            os.chmod(f, 0o755)
        env["LD_LIBRARY_PATH"] = place
        recording = os.path.join(cwd, os.path.basename(program) + "-1.simul")
        judge.run([simul, "run", "--time", "2s", "--hang-timeout", "1s", "--no-minimize", "--output", cwd, "--", files[0]], 2, (0, 1, 2), files, cwd, env)
        if os.path.exists(recording):
            judge.run([simul, "show", "--all", recording], 2, (0, 2, 4), files, cwd, env)
        judge.run([simul, "doctor", "--all", "--", files[0]], 10, (0, 1, 2), files, cwd, env)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if most > MEMORY:
        judge.failures += 1
        print("FAILED a process took %d KB" % most)
    print("seed %d: %d mutated files, %d runs, %d failures, the slowest %.1f s beyond its limit, %d MB" % (seed, count, judge.runs, judge.failures,
          judge.slowest, most >> 10))
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main())
