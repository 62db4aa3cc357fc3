// Two results are announced with one unpark each, but a thread keeps one token only: the second park waits forever.
// verdict: bug
use std::thread;

fn main() {
    let waiter = thread::current();
    let workers = [(); 2].map(|_| {
        let waiter = waiter.clone();
        thread::spawn(move || waiter.unpark())
    });
    thread::park();
    thread::park();
    for worker in workers {
        worker.join().unwrap();
    }
}
