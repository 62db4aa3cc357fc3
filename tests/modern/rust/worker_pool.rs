// A pool of two workers that share a receiver; the pool ends when the sender is dropped.
// verdict: complete
// unfinished: with the channels of rustc 1.63, where what detached threads share with their handles is dropped in any order
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

struct Pool {
    jobs: Option<Sender<Job>>,
    workers: Vec<JoinHandle<()>>,
}

fn work(jobs: Arc<Mutex<Receiver<Job>>>) {
    loop {
        let job = jobs.lock().unwrap().recv();
        match job {
            Ok(job) => job(),
            Err(_) => break,
        }
    }
}

impl Pool {
    fn new(size: usize) -> Pool {
        let (tx, rx) = channel();
        let rx = Arc::new(Mutex::new(rx));
        let workers = (0..size)
            .map(|_| {
                let rx = Arc::clone(&rx);
                thread::spawn(move || work(rx))
            })
            .collect();
        Pool { jobs: Some(tx), workers }
    }

    fn run(&self, job: impl FnOnce() + Send + 'static) {
        self.jobs.as_ref().unwrap().send(Box::new(job)).unwrap();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        drop(self.jobs.take());
        for worker in self.workers.drain(..) {
            worker.join().unwrap();
        }
    }
}

static DONE: AtomicU32 = AtomicU32::new(0);

fn main() {
    let pool = Pool::new(2);
    for n in [1, 2] {
        pool.run(move || {
            DONE.fetch_add(n, Ordering::Relaxed);
        });
    }
    drop(pool);
    assert_eq!(DONE.load(Ordering::Relaxed), 3);
}
