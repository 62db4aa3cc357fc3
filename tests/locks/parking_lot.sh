#!/bin/bash
# parking_lot.sh RUSTC OPT-LEVEL DIRECTORY: builds parking_lot from the sources of Debian's packages, as libparking_lot.rlib in DIRECTORY.
set -e
registry=/usr/share/cargo/registry
rustc=$1 level=$2 out=$3

crate() { # NAME EDITION OPTIONS...
	local source
	source=$(ls -d "$registry/${1//_/-}"-[0-9]* "$registry/$1"-[0-9]* 2>/dev/null | sort -V | tail -n 1)
	"$rustc" --cap-lints allow --crate-type rlib --crate-name "$1" --edition "$2" -C opt-level="$level" -L "$out" --out-dir "$out" "${@:3}" "$source/src/lib.rs"
}
crate cfg_if 2018
crate smallvec 2018
crate scopeguard 2018
# what its build script finds out
crate libc 2015 --cfg 'feature="std"' --cfg libc_union --cfg libc_const_size_of --cfg libc_align --cfg libc_int128 --cfg libc_core_cvoid --cfg libc_packedN \
	--cfg libc_priv_mod_use --cfg libc_cfg_target_vendor --cfg libc_const_extern_fn
crate lock_api 2018 --cfg has_const_fn_trait_bound --extern scopeguard="$out/libscopeguard.rlib"
crate parking_lot_core 2018 --extern cfg_if="$out/libcfg_if.rlib" --extern smallvec="$out/libsmallvec.rlib" --extern libc="$out/liblibc.rlib"
crate parking_lot 2018 --extern lock_api="$out/liblock_api.rlib" --extern parking_lot_core="$out/libparking_lot_core.rlib"
