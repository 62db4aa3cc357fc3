// A maximum kept with load and store: the larger value can be overwritten by the smaller.
// verdict: bug
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static MAXIMUM: AtomicU32 = AtomicU32::new(0);

fn offer(value: u32) {
    if value > MAXIMUM.load(Ordering::Relaxed) {
        MAXIMUM.store(value, Ordering::Relaxed);
    }
}

fn main() {
    let threads = [3, 8].map(|n| thread::spawn(move || offer(n)));
    for t in threads {
        t.join().unwrap();
    }
    assert_eq!(MAXIMUM.load(Ordering::Relaxed), 8);
}
