// The receiver of an unbounded channel frees the first block and leaves the pointer for drop, which frees it again (RUSTSEC-2025-0024).
// verdict: bug
const MENDED: bool = false;
include!("models/list_channel.rs");
