// Two threads fill their half of an array, meet at a barrier, and read the other half.
// verdict: complete
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Barrier;
use std::thread;

fn main() {
    let barrier = Barrier::new(2);
    let cells = [AtomicU32::new(0), AtomicU32::new(0)];
    let work = |me: usize| {
        cells[me].store(me as u32 + 1, Ordering::Relaxed);
        let leader = barrier.wait().is_leader();
        assert_eq!(cells[1 - me].load(Ordering::Relaxed), 2 - me as u32);
        leader
    };
    let leaders = thread::scope(|s| {
        let other = s.spawn(|| work(1));
        work(0) as u32 + other.join().unwrap() as u32
    });
    assert_eq!(leaders, 1);
}
