// Scoped threads add up the halves of a slice.
// verdict: complete
use std::thread;

fn sum(numbers: &[u32]) -> u32 {
    let (left, right) = numbers.split_at(numbers.len() / 2);
    thread::scope(|s| {
        let left = s.spawn(move || left.iter().sum::<u32>());
        let right = s.spawn(move || right.iter().sum::<u32>());
        left.join().unwrap() + right.join().unwrap()
    })
}

fn main() {
    assert_eq!(sum(&[1, 2, 3, 4, 5, 6, 7]), 28);
}
