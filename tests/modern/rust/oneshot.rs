// A slot for one value: the receiver waits on a condition variable until it is filled.
// verdict: complete
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

struct Slot<T> {
    value: Mutex<Option<T>>,
    filled: Condvar,
}

impl<T> Slot<T> {
    fn put(&self, value: T) {
        *self.value.lock().unwrap() = Some(value);
        self.filled.notify_one();
    }

    fn take(&self) -> T {
        let mut value = self.value.lock().unwrap();
        loop {
            match value.take() {
                Some(found) => return found,
                None => value = self.filled.wait(value).unwrap(),
            }
        }
    }
}

fn main() {
    let slot = Arc::new(Slot { value: Mutex::new(None), filled: Condvar::new() });
    let sender = Arc::clone(&slot);
    thread::spawn(move || sender.put("answer".to_string()));
    assert_eq!(slot.take(), "answer");
}
