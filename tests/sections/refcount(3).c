/* each thread takes and drops a reference under a lock (result used when 0) */
#include "golden.h"
A rc[1];
pthread_mutex_t m[1];
T(p0){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(rc[0]); U(r0);
  ST(rc[0],r0+1);
  pthread_mutex_unlock(&m[0]);
  pthread_mutex_lock(&m[0]);
  r0=LD(rc[0]); U(r0);
  ST(rc[0],r0+-1);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p1){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(rc[0]); U(r0);
  ST(rc[0],r0+1);
  pthread_mutex_unlock(&m[0]);
  pthread_mutex_lock(&m[0]);
  r0=LD(rc[0]); U(r0);
  ST(rc[0],r0+-1);
  pthread_mutex_unlock(&m[0]);
  END;
}
int main(void){ pthread_t t[2];
  for(int i=0;i<1;i++) pthread_mutex_init(&m[i],0);
  ST(rc[0],1);
  pthread_create(&t[0],0,p0,0);
  pthread_create(&t[1],0,p1,0);
  pthread_join(t[0],0);
  pthread_join(t[1],0);
  return 0; }
