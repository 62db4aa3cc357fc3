// The sender tells the receiver of no value in a closed channel, so that only one of them takes it.
// verdict: complete
const MENDED: bool = true;
include!("models/closed_oneshot.rs");
