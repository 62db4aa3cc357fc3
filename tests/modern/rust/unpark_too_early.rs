// The worker unparks the waiter before it sets the flag: the waiter wakes, sees no flag, and parks again for ever.
// verdict: bug
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::Arc;
use std::thread;

#[derive(Default)]
struct Download {
    bytes: AtomicU32,
    finished: AtomicBool,
}

fn main() {
    let download = Arc::new(Download::default());
    let theirs = Arc::clone(&download);
    let waiter = thread::current();
    let worker = thread::spawn(move || {
        theirs.bytes.store(512, Ordering::Relaxed);
        waiter.unpark();
        theirs.finished.store(true, Ordering::Release);
    });
    while !download.finished.load(Ordering::Acquire) {
        thread::park();
    }
    assert_eq!(download.bytes.load(Ordering::Relaxed), 512);
    worker.join().unwrap();
}
