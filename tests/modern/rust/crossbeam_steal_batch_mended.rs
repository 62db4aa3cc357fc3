// A batch is stolen only from the buffer that the owner uses: each task is taken once.
// verdict: complete
const MENDED: bool = true;
include!("models/steal_batch.rs");
