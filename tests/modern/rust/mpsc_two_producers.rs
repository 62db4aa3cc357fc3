// Two producers send into one channel; the receiver ends when both have gone.
// verdict: complete
// unfinished: with the channels of rustc 1.63, where what detached threads share with their handles is dropped in any order
use std::sync::mpsc;
use std::thread;

fn main() {
    let (tx, rx) = mpsc::channel();
    for n in [1, 2] {
        let tx = tx.clone();
        thread::spawn(move || tx.send(n).unwrap());
    }
    drop(tx);
    assert_eq!(rx.iter().sum::<i32>(), 3);
}
