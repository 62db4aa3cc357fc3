// Two transfers lock their accounts in opposite orders.
// verdict: bug
use std::sync::{Arc, Mutex};
use std::thread;

struct Account {
    balance: Mutex<i64>,
}

fn transfer(from: &Account, to: &Account, amount: i64) {
    let mut from = from.balance.lock().unwrap();
    let mut to = to.balance.lock().unwrap();
    *from -= amount;
    *to += amount;
}

fn main() {
    let a = Arc::new(Account { balance: Mutex::new(10) });
    let b = Arc::new(Account { balance: Mutex::new(10) });
    let other = {
        let (a, b) = (Arc::clone(&a), Arc::clone(&b));
        thread::spawn(move || transfer(&a, &b, 3))
    };
    transfer(&b, &a, 5);
    other.join().unwrap();
}
