// A worker counts until a flag stops it.
// verdict: complete
// unfinished: the worker counts its rounds, so each number of rounds is another state
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;

fn main() {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    let worker = thread::spawn(move || {
        let mut rounds = 0u64;
        while !seen.load(Ordering::Acquire) {
            rounds += 1;
            thread::yield_now();
        }
        rounds
    });
    stop.store(true, Ordering::Release);
    let _ = worker.join().unwrap();
}
