// Two threads add to a counter behind Arc<Mutex<_>>.
// verdict: complete
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let counter = Arc::new(Mutex::new(0));
    let handles: Vec<_> = (1..=2)
        .map(|n| {
            let counter = Arc::clone(&counter);
            thread::spawn(move || *counter.lock().unwrap() += n)
        })
        .collect();
    for handle in handles {
        handle.join().unwrap();
    }
    assert_eq!(*counter.lock().unwrap(), 3);
}
