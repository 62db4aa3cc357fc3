// A batch is stolen from a buffer that the owner has replaced: a task is taken twice (RUSTSEC-2021-0093).
// verdict: bug
const MENDED: bool = false;
include!("models/steal_batch.rs");
