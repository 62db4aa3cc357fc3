/* a-b and b-a, data disjoint: a deadlock must be found */
#include "golden.h"
A c[2];
pthread_mutex_t a[1];
pthread_mutex_t b[1];
T(p0){ int r_=0; 
  pthread_mutex_lock(&a[0]);
  pthread_mutex_lock(&b[0]);
  ST(c[0],1);
  pthread_mutex_unlock(&b[0]);
  pthread_mutex_unlock(&a[0]);
  END;
}
T(p1){ int r_=0; 
  pthread_mutex_lock(&b[0]);
  pthread_mutex_lock(&a[0]);
  ST(c[1],1);
  pthread_mutex_unlock(&a[0]);
  pthread_mutex_unlock(&b[0]);
  END;
}
int main(void){ pthread_t t[2];
  for(int i=0;i<1;i++) pthread_mutex_init(&a[i],0);
  for(int i=0;i<1;i++) pthread_mutex_init(&b[i],0);
  pthread_create(&t[0],0,p0,0);
  pthread_create(&t[1],0,p1,0);
  pthread_join(t[0],0);
  pthread_join(t[1],0);
  return 0; }
