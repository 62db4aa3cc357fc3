// Three threads count in variables of their own, and add them to the total when they end.
use std::cell::Cell;
use std::sync::Mutex;
use std::thread;

static TOTAL: Mutex<u32> = Mutex::new(0);

struct Mine(Cell<u32>);

impl Drop for Mine {
    fn drop(&mut self) {
        *TOTAL.lock().unwrap() += self.0.get();
    }
}

thread_local!(static MINE: Mine = const { Mine(Cell::new(0)) });

fn main() {
    let threads: Vec<_> = (1..=3)
        .map(|steps| thread::spawn(move || (0..steps).for_each(|_| MINE.with(|mine| mine.0.set(mine.0.get() + 1)))))
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{}", *TOTAL.lock().unwrap());
}
