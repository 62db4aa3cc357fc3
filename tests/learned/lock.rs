// A lock of the program's own in Rust.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};

struct Spin {
    word: AtomicU32,
    count: UnsafeCell<u32>,
}

unsafe impl Sync for Spin {}

impl Spin {
    #[inline(never)]
    fn lock(&self) {
        while self.word.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::thread::yield_now();
        }
    }

    #[inline(never)]
    fn unlock(&self) {
        self.word.store(0, Ordering::Release);
    }
}

static SPIN: Spin = Spin { word: AtomicU32::new(0), count: UnsafeCell::new(0) };

fn main() {
    let of = |n: usize| std::env::args().nth(n).and_then(|a| a.parse().ok()).unwrap_or(2);
    let (threads, rounds) = (of(1), of(2));
    let all: Vec<_> = (0..threads)
        .map(|_| {
            std::thread::spawn(move || {
                for _ in 0..rounds {
                    SPIN.lock();
                    unsafe { *SPIN.count.get() += 1 };
                    SPIN.unlock();
                }
            })
        })
        .collect();
    for t in all {
        t.join().unwrap();
    }
    assert_eq!(unsafe { *SPIN.count.get() }, (threads * rounds) as u32);
}
