// Double-checked initialisation: the flag is set before the table is filled.
// verdict: bug
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::Mutex;
use std::{ptr, thread};

static READY: AtomicBool = AtomicBool::new(false);
static TABLE: AtomicPtr<[u32; 4]> = AtomicPtr::new(ptr::null_mut());
static LOCK: Mutex<()> = Mutex::new(());

fn table() -> &'static [u32; 4] {
    if !READY.load(Ordering::Acquire) {
        let _guard = LOCK.lock().unwrap();
        if !READY.swap(true, Ordering::AcqRel) {
            TABLE.store(Box::into_raw(Box::new([2, 3, 5, 7])), Ordering::Release);
        }
    }
    unsafe { TABLE.load(Ordering::Acquire).as_ref() }.expect("the table is there")
}

fn main() {
    let other = thread::spawn(|| table()[3]);
    assert_eq!(table()[0], 2);
    assert_eq!(other.join().unwrap(), 7);
}
