// Two consumers wait on a condition variable for what the first thread puts into a queue.
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

fn main() {
    let shared = Arc::new((Mutex::new(VecDeque::new()), Condvar::new()));
    let consumers: Vec<_> = (0..2)
        .map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (queue, filled) = &*shared;
                let mut queue = queue.lock().unwrap();
                loop {
                    if let Some(item) = queue.pop_front() {
                        return item;
                    }
                    queue = filled.wait(queue).unwrap();
                }
            })
        })
        .collect();
    for item in [3, 4] {
        shared.0.lock().unwrap().push_back(item);
        shared.1.notify_one();
    }
    println!("{}", consumers.into_iter().map(|c| c.join().unwrap()).sum::<i32>());
}
