// In a closed channel the sender does not set the bit that a value was sent, so that only the sender takes it.
// verdict: complete
const MENDED: bool = true;
include!("models/closed_oneshot.rs");
