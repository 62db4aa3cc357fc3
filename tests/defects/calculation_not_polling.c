/* Two threads calculate on their own heap memory and read one value of it repeatedly. simul took this for polling: each of these reads became an
 * event, and every execution was cut.
 * check: complete traces=2 : --jobs 1 -- 700
 * long: complete traces=2 : --jobs 1 -- 5000
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct par { int scale; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static long rounds;
enum { S = 4096 };
static __attribute__((noinline)) void pass(int *t, const struct par *p) { for (int i = 0; i < S; i++) t[i] += p->scale; }
static void *work(void *a) {
  int *t = calloc(S, sizeof *t);
  struct par *p = malloc(sizeof *p);
  p->scale = 3;
  for (long r = 0; r < rounds; r++) pass(t, p);
  free(t); free(p);
  pthread_mutex_lock(&m); done++; pthread_mutex_unlock(&m);
  return a;
}
int main(int c, char **v) {
  rounds = c > 1 ? atol(v[1]) : 1; pthread_t a, b;
  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);
  pthread_join(a, 0); pthread_join(b, 0); assert(done == 2); return 0;
}
