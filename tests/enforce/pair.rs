// Rust's Mutex and Condvar are futex calls; the standard library also reads /proc/self/maps before main.
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
fn main() {
    let pair = Arc::new((Mutex::new(0u32), Condvar::new()));
    let p2 = pair.clone();
    let t = thread::spawn(move || {
        let (m, c) = &*p2;
        let mut g = m.lock().unwrap();
        *g += 1;
        c.notify_one();
    });
    let (m, c) = &*pair;
    let mut g = m.lock().unwrap();
    while *g == 0 {
        g = c.wait(g).unwrap();
    }
    drop(g);
    t.join().unwrap();
    println!("{}", *m.lock().unwrap());
}
