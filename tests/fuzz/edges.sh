#!/bin/bash
# tests/fuzz/edges.sh TARGET FOLDER...: prints the edges of the code and the features (edges and how often each was taken) that a fuzz target's inputs reach,
# as "EDGES FEATURES".
cd "$(dirname "$0")/../.." || exit 1
. tests/fuzz/lib.sh
target=$1
shift
fuzz_target "$target" -runs=0 "$@" 2>&1 | awk '/ cov: [0-9]+ ft: [0-9]+/ {for (i = 1; i < NF; i++) {if ($i == "cov:") c = $(i + 1); if ($i == "ft:") f = $(i + 1)}} END {if (c == "") exit 1; print c, f}'
