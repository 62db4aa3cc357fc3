#!/usr/bin/env python3
"""Random programs with tbb::concurrent_hash_map (map_program.cpp). With operations that are taken as one step they have the same outcomes as with a mutex that makes each
operation one step. Small ones also have them when the map is explored as code."""
from builds import compare_builds

KINDS = {"O1": "-O1", "O0": "-O0", "O2": "-O2"}


def generate(rng):
    while True:
        program = ["".join(rng.choice("iiiafexIF") for _ in range(rng.randint(1, 2))) for _ in range(rng.choice([2, 2, 3]))]
        if sum(map(len, program)) <= 4:
            return program


def is_small(program):
    """Returns whether the program is explored as code, too. Two insertions have too many traces."""
    letters = "".join(program).lower()
    return len(letters) == 2 and letters.count("i") < 2


compare_builds("map_program.cpp", "MAP_KIND", KINDS, generate, is_small, compiler=["g++", "-std=c++17"], libraries=["-ltbb"])
