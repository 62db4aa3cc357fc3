#!/bin/bash
# tests/sanitize.sh VARIANT FLAGS: builds the controller and the unit tests with a sanitizer (the library
# that runs inside targets without) and runs the unit and command line tests against that build.
cd "$(dirname "$0")/.." || exit 1
variant=$1 flags=$2
make --no-print-directory -s V="$variant" SAN="$flags -fno-omit-frame-pointer" all unit-bin || exit 1
make --no-print-directory -s all tools || exit 1 # broken variants are built from the usual one
export SIMUL=$PWD/build/$variant/simul UNIT_DIR=$PWD/build/$variant/tests
export UBSAN_OPTIONS=print_stacktrace=1
export RANDOM_PERCENT=${RANDOM_PERCENT:-5} UNIT_SECONDS=1200 # percent of the random programs, which take ten times as long here
status=0
for s in unit cli; do
	echo "$variant: $s"
	tests/$s.sh || status=1
done
exit $status
