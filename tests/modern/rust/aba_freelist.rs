// A free list of slots, linked by indices without a version: ABA gives one slot to two owners.
// verdict: bug
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const NONE: usize = usize::MAX;

struct FreeList {
    head: AtomicUsize,
    next: [AtomicUsize; 3],
    owners: [AtomicUsize; 3],
}

impl FreeList {
    fn take(&self) -> Option<usize> {
        loop {
            let head = self.head.load(Ordering::Acquire);
            if head == NONE {
                return None;
            }
            let next = self.next[head].load(Ordering::Relaxed);
            if self.head.compare_exchange(head, next, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                assert_eq!(self.owners[head].fetch_add(1, Ordering::Relaxed), 0, "slot {} has two owners", head);
                return Some(head);
            }
        }
    }

    fn give(&self, slot: usize) {
        self.owners[slot].fetch_sub(1, Ordering::Relaxed);
        loop {
            let head = self.head.load(Ordering::Relaxed);
            self.next[slot].store(head, Ordering::Relaxed);
            if self.head.compare_exchange(head, slot, Ordering::Release, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }
}

static SLOTS: FreeList = FreeList {
    head: AtomicUsize::new(0),
    next: [AtomicUsize::new(1), AtomicUsize::new(2), AtomicUsize::new(NONE)],
    owners: [AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0)],
};

fn main() {
    let other = thread::spawn(|| {
        let first = SLOTS.take();
        let _kept = SLOTS.take();
        if let Some(slot) = first {
            SLOTS.give(slot);
        }
    });
    let _first = SLOTS.take();
    let _second = SLOTS.take();
    other.join().unwrap();
}
