// A thread panics while it holds the lock; the main thread repairs the state behind the poisoned lock.
// verdict: complete
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let state = Arc::new(Mutex::new(vec![1, 2]));
    let shared = Arc::clone(&state);
    let failed = thread::spawn(move || {
        let mut state = shared.lock().unwrap();
        state.push(3);
        panic!("half done");
    });
    assert!(failed.join().is_err());
    let mut state = state.lock().unwrap_or_else(|poisoned| {
        let mut state = poisoned.into_inner();
        state.pop();
        state
    });
    state.push(4);
    assert_eq!(*state, [1, 2, 4]);
}
