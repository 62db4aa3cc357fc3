// Before main, the standard library maps a signal stack for the main thread. When main returns, it unmaps the stack.
use std::sync::atomic::*;
use std::thread;
static X: AtomicUsize = AtomicUsize::new(0);
fn main() {
    let t: Vec<_> = (0..2).map(|_| thread::spawn(|| for _ in 0..4 { X.fetch_add(1, Ordering::SeqCst); })).collect();
    for t in t { t.join().unwrap(); }
    assert_eq!(X.load(Ordering::SeqCst), 8);
}
