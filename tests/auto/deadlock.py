# Two threads take two locks in opposite orders. Python looks for a request for its big lock between the calls of a thread, not between two nested
# `with` statements: those of Python 3.11 cannot deadlock.
import threading

a, b = threading.Lock(), threading.Lock()


def take(first, second):
    first.acquire()
    second.acquire()
    second.release()
    first.release()


threads = [threading.Thread(target=take, args=locks) for locks in ((a, b), (b, a))]
for t in threads:
    t.start()
for t in threads:
    t.join()
