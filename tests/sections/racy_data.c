/* data written outside, the sections between are disjoint: must stay a race in both orders */
#include "golden.h"
A x[1];
A c[2];
pthread_mutex_t m[1];
T(p0){ int r_=0; 
  ST(x[0],1);
  pthread_mutex_lock(&m[0]);
  ST(c[0],1);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p1){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  ST(c[1],1);
  pthread_mutex_unlock(&m[0]);
  r0=LD(x[0]); U(r0);
  END;
}
int main(void){ pthread_t t[2];
  for(int i=0;i<1;i++) pthread_mutex_init(&m[i],0);
  pthread_create(&t[0],0,p0,0);
  pthread_create(&t[1],0,p1,0);
  pthread_join(t[0],0);
  pthread_join(t[1],0);
  return 0; }
