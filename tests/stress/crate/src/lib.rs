use std::sync::Mutex;

pub fn transfer(from: &Mutex<i64>, to: &Mutex<i64>, amount: i64) {
    let mut source = from.lock().unwrap();
    let mut target = to.lock().unwrap();
    *source -= amount;
    *target += amount;
}

#[cfg(test)]
mod tests {
    #[test]
    fn arithmetic() {
        assert_eq!(1 + 1, 2);
    }

    #[test]
    #[ignore]
    fn slow() {}
}
