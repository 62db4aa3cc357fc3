#!/bin/bash
# A patched program that is single-stepped must pass through the states of the native program (tests/patch/step.c).
. "$(dirname "$0")/lib.sh"
suite patch_step
STEP=${STEP:-$TOOLS/libpatchstep.so}

# stepped PATCH SLOW STACK
stepped() {
	within 60 env -i STEP_LOG="$dir/native" STEP_PATCH="$1" STEP_SLOW="$2" STEP_STACK="$3" setarch -R "$dir/stepped"
}

# build CC FLAGS...
build() {
	local how
	"$@" -g -w -o "$dir/stepped" tests/patch/stepped.c "$STEP" -Wl,-rpath,"${STEP%/*}" || return 1
	stepped 0 0 0 || return 1
	for how in "0 0" "3 1"; do
		stepped 1 $how || { echo "SLOW and STACK: $how"; return 1; }
	done
}

setarch -R true 2>/dev/null || { echo "patch_step: not tested, since address randomisation cannot be disabled here"; echo "0 passed, 0 failed"; exit 0; }
[ -f "$STEP" ] || { run_case "libpatchstep.so was built (make tools)" false; finish; }
run_case "gcc -O0" build gcc -O0
run_case "gcc -O2 -no-pie" build gcc -O2 -no-pie
if [ "${SUITE_MODE:-full}" = full ]; then
	run_case "gcc -O3 cet" build gcc -O3 -march=native -fcf-protection=full
	run_case "gcc -Os" build gcc -Os
	run_case "clang -O1" build clang -O1 -fPIE -pie
	run_case "clang -O2" build clang -O2 -no-pie
fi
finish
