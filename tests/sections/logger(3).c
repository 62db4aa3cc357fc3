/* workers increment an atomic each its own, and append to a log under a lock */
#include "golden.h"
A pos[1];
A lg[8];
A w[3];
pthread_mutex_t m[1];
T(p0){ int r_=0,r0=0; (void)r0;
  ST(w[0],1);
  pthread_mutex_lock(&m[0]);
  r0=LD(pos[0]); U(r0);
  ST(lg[r0+0],1);
  ST(pos[0],r0+1);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p1){ int r_=0,r0=0; (void)r0;
  ST(w[1],1);
  pthread_mutex_lock(&m[0]);
  r0=LD(pos[0]); U(r0);
  ST(lg[r0+0],2);
  ST(pos[0],r0+1);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p2){ int r_=0,r0=0; (void)r0;
  ST(w[2],1);
  pthread_mutex_lock(&m[0]);
  r0=LD(pos[0]); U(r0);
  ST(lg[r0+0],3);
  ST(pos[0],r0+1);
  pthread_mutex_unlock(&m[0]);
  END;
}
int main(void){ pthread_t t[3];
  for(int i=0;i<1;i++) pthread_mutex_init(&m[i],0);
  pthread_create(&t[0],0,p0,0);
  pthread_create(&t[1],0,p1,0);
  pthread_create(&t[2],0,p2,0);
  pthread_join(t[0],0);
  pthread_join(t[1],0);
  pthread_join(t[2],0);
  return 0; }
