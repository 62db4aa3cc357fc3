// Each thread gets a small number at first use and gives it back when it ends, so that numbers are reused.
// verdict: complete
use std::sync::Mutex;
use std::thread;

static FREE: Mutex<Vec<u32>> = Mutex::new(Vec::new());
static NEXT: Mutex<u32> = Mutex::new(0);

struct Number(u32);

impl Number {
    fn get() -> Number {
        if let Some(n) = FREE.lock().unwrap().pop() {
            return Number(n);
        }
        let mut next = NEXT.lock().unwrap();
        *next += 1;
        Number(*next - 1)
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        FREE.lock().unwrap().push(self.0);
    }
}

thread_local!(static NUMBER: Number = Number::get());

fn number() -> u32 {
    NUMBER.with(|n| n.0)
}

fn main() {
    let mine = number();
    let other = thread::spawn(|| (number(), number()));
    assert_eq!(mine, number());
    let (first, second) = other.join().unwrap();
    assert!(first == second && first != mine);
    assert_eq!(thread::spawn(number).join().unwrap(), first);
}
