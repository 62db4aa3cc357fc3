// Peterson's lock for two threads: each one says that it is interested and lets the other go first.
// verdict: complete
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;

struct Peterson<T> {
    interested: [AtomicBool; 2],
    victim: AtomicUsize,
    value: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for Peterson<T> {}

impl<T> Peterson<T> {
    fn new(value: T) -> Peterson<T> {
        Peterson { interested: [AtomicBool::new(false), AtomicBool::new(false)], victim: AtomicUsize::new(0), value: UnsafeCell::new(value) }
    }

    fn with(&self, me: usize, change: impl FnOnce(&mut T)) {
        self.interested[me].store(true, SeqCst);
        self.victim.store(me, SeqCst);
        while self.interested[1 - me].load(SeqCst) && self.victim.load(SeqCst) == me {
            thread::yield_now();
        }
        change(unsafe { &mut *self.value.get() });
        self.interested[me].store(false, SeqCst);
    }
}

fn main() {
    let words = Peterson::new(Vec::new());
    thread::scope(|s| {
        s.spawn(|| words.with(0, |w| w.push("left")));
        s.spawn(|| words.with(1, |w| w.push("right")));
    });
    words.with(0, |w| w.sort());
    assert_eq!(words.value.into_inner(), ["left", "right"]);
}
