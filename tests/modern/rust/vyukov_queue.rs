// Vyukov's bounded queue: the sequence number of a cell says whether it may be written or read, so neither side needs a lock.
// verdict: complete
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Cell<T> {
    sequence: AtomicUsize,
    value: UnsafeCell<MaybeUninit<T>>,
}

struct Queue<T> {
    cells: [Cell<T>; 2],
    head: AtomicUsize,
    tail: AtomicUsize,
}

unsafe impl<T: Send> Sync for Queue<T> {}

impl<T> Queue<T> {
    fn new() -> Queue<T> {
        let cells = [0, 1].map(|n| Cell { sequence: AtomicUsize::new(n), value: UnsafeCell::new(MaybeUninit::uninit()) });
        Queue { cells, head: AtomicUsize::new(0), tail: AtomicUsize::new(0) }
    }

    fn push(&self, value: T) -> Result<(), T> {
        let mut at = self.tail.load(Ordering::Relaxed);
        loop {
            let cell = &self.cells[at % 2];
            match cell.sequence.load(Ordering::Acquire).wrapping_sub(at) as isize {
                0 => match self.tail.compare_exchange(at, at + 1, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => {
                        unsafe { (*cell.value.get()).write(value) };
                        cell.sequence.store(at + 1, Ordering::Release);
                        return Ok(());
                    }
                    Err(now) => at = now,
                },
                n if n < 0 => return Err(value),
                _ => at = self.tail.load(Ordering::Relaxed),
            }
        }
    }

    fn pop(&self) -> Option<T> {
        let at = self.head.load(Ordering::Relaxed);
        let cell = &self.cells[at % 2];
        if cell.sequence.load(Ordering::Acquire) != at + 1 {
            return None;
        }
        self.head.store(at + 1, Ordering::Relaxed);
        let value = unsafe { (*cell.value.get()).assume_init_read() };
        cell.sequence.store(at + 2, Ordering::Release);
        Some(value)
    }
}

fn main() {
    let queue = Queue::new();
    let seen = thread::scope(|s| {
        s.spawn(|| queue.push("a".to_string()).unwrap());
        s.spawn(|| queue.push("b".to_string()).unwrap());
        queue.pop()
    });
    let rest: Vec<String> = std::iter::from_fn(|| queue.pop()).collect();
    assert_eq!(seen.iter().count() + rest.len(), 2);
    assert_ne!(seen.as_ref(), rest.last());
}
