// The balance is checked and lowered in two atomic steps: it can become negative.
// verdict: bug
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;

struct Account {
    balance: AtomicI32,
}

impl Account {
    fn withdraw(&self, amount: i32) -> bool {
        if self.balance.load(Ordering::SeqCst) < amount {
            return false;
        }
        self.balance.fetch_sub(amount, Ordering::SeqCst);
        true
    }
}

fn main() {
    let account = Account { balance: AtomicI32::new(10) };
    thread::scope(|s| {
        s.spawn(|| account.withdraw(7));
        s.spawn(|| account.withdraw(7));
    });
    assert!(account.balance.into_inner() >= 0, "overdrawn");
}
