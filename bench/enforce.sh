#!/bin/bash
# What enforcing a certificate costs: elapsed time of whole runs, over the program alone, interleaved in one go; the tenth percentile of RUNS (100)
# of each. "loaded" has the library in the process and an unconstrained certificate; "full" and "half" order all events of the first execution up to its last race, and half of
# those waits. Programs are those of tests/enforce/ and bench/enforce/.
cd "$(dirname "$0")/.." || exit 1
RUNS=${RUNS:-100} exec python3 bench/enforce.py "$@"
