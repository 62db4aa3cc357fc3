// Each thread draws numbers from an atomic counter: all of them differ.
// verdict: complete
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

static NEXT: AtomicU32 = AtomicU32::new(1);

fn draw() -> u32 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

fn main() {
    let other = thread::spawn(|| [draw(), draw()]);
    let mut all = vec![draw()];
    all.extend(other.join().unwrap());
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3]);
}
