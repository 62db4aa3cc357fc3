// Message passing through atomics. With --cfg relaxed the flag is stored too weakly.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

struct Mail {
    text: UnsafeCell<u32>,
    ready: AtomicBool,
}

unsafe impl Sync for Mail {}

static MAIL: Mail = Mail { text: UnsafeCell::new(0), ready: AtomicBool::new(false) };

fn main() {
    let order = if cfg!(relaxed) { Ordering::Relaxed } else { Ordering::Release };
    let sender = std::thread::spawn(move || {
        unsafe { *MAIL.text.get() = 7 };
        MAIL.ready.store(true, order);
    });
    if MAIL.ready.load(Ordering::Acquire) {
        assert_eq!(unsafe { *MAIL.text.get() }, 7);
    }
    sender.join().unwrap();
}
