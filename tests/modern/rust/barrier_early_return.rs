// A worker that finds the stop flag set returns before the barrier; another one that looked earlier waits there for ever.
// verdict: bug
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Barrier;
use std::thread;

struct Job {
    stop: AtomicBool,
    loaded: Barrier,
}

impl Job {
    fn work(&self, part: &str) -> Option<usize> {
        if self.stop.load(Ordering::Acquire) {
            return None;
        }
        let loaded = part.len();
        self.loaded.wait();
        Some(loaded)
    }
}

fn main() {
    let job = Job { stop: AtomicBool::new(false), loaded: Barrier::new(2) };
    thread::scope(|s| {
        let parts = ["abc", "defg"].map(|part| {
            let job = &job;
            s.spawn(move || job.work(part))
        });
        job.stop.store(true, Ordering::Release);
        let total: usize = parts.into_iter().filter_map(|p| p.join().unwrap()).sum();
        assert!(total == 0 || total == 7);
    });
}
