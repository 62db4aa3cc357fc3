// Three stages over two channels: numbers are doubled and collected.
// verdict: complete
use std::sync::mpsc::channel;
use std::thread;

fn main() {
    let (numbers, to_double) = channel::<u32>();
    let (doubled, results) = channel();
    let stage = thread::spawn(move || {
        for n in to_double {
            doubled.send(2 * n).unwrap();
        }
    });
    for n in [3, 4] {
        numbers.send(n).unwrap();
    }
    drop(numbers);
    assert_eq!(results.iter().collect::<Vec<_>>(), [6, 8]);
    stage.join().unwrap();
}
