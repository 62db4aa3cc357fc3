// `while let` keeps the lock of the receiver while the job runs: a job that waits for the next one waits forever.
// verdict: bug
use std::sync::mpsc::{channel, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

fn work(jobs: Arc<Mutex<Receiver<Job>>>) {
    while let Ok(job) = jobs.lock().unwrap().recv() {
        job();
    }
}

fn main() {
    let (tx, rx) = channel::<Job>();
    let rx = Arc::new(Mutex::new(rx));
    let workers = [Arc::clone(&rx), rx].map(|rx| thread::spawn(move || work(rx)));
    let (answer, question) = channel();
    tx.send(Box::new(move || assert_eq!(question.recv(), Ok(42)))).unwrap();
    tx.send(Box::new(move || answer.send(42).unwrap())).unwrap();
    drop(tx);
    for worker in workers {
        worker.join().unwrap();
    }
}
