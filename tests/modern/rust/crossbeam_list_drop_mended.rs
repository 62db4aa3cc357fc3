// The receiver of an unbounded channel takes the pointer to the first block away before it frees it.
// verdict: complete
const MENDED: bool = true;
include!("models/list_channel.rs");
