// The sender takes its value back from a closed channel while the receiver takes it: both get the same string (RUSTSEC-2021-0124).
// verdict: bug
const MENDED: bool = false;
include!("models/closed_oneshot.rs");
