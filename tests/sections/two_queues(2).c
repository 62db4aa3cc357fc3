/* two queues under one lock: 2 threads put into queue 0, 2 into queue 1 */
#include "golden.h"
A n[2];
A q[8];
pthread_mutex_t m[1];
T(p0){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(n[0]); U(r0);
  ST(q[r0+0],1);
  ST(n[0],r0+1);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p1){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(n[1]); U(r0);
  ST(q[r0+4],2);
  ST(n[1],r0+1);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p2){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(n[0]); U(r0);
  ST(q[r0+0],3);
  ST(n[0],r0+1);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p3){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(n[1]); U(r0);
  ST(q[r0+4],4);
  ST(n[1],r0+1);
  pthread_mutex_unlock(&m[0]);
  END;
}
int main(void){ pthread_t t[4];
  for(int i=0;i<1;i++) pthread_mutex_init(&m[i],0);
  pthread_create(&t[0],0,p0,0);
  pthread_create(&t[1],0,p1,0);
  pthread_create(&t[2],0,p2,0);
  pthread_create(&t[3],0,p3,0);
  pthread_join(t[0],0);
  pthread_join(t[1],0);
  pthread_join(t[2],0);
  pthread_join(t[3],0);
  return 0; }
