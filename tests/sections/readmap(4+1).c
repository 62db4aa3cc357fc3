/* 4 readers and 1 writer(s) of a map under a mutex */
#include "golden.h"
A k[1];
pthread_mutex_t m[1];
T(p0){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(k[0]); U(r0);
  ST(k[0],r0+1);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p1){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(k[0]); U(r0);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p2){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(k[0]); U(r0);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p3){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(k[0]); U(r0);
  pthread_mutex_unlock(&m[0]);
  END;
}
T(p4){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&m[0]);
  r0=LD(k[0]); U(r0);
  pthread_mutex_unlock(&m[0]);
  END;
}
int main(void){ pthread_t t[5];
  for(int i=0;i<1;i++) pthread_mutex_init(&m[i],0);
  pthread_create(&t[0],0,p0,0);
  pthread_create(&t[1],0,p1,0);
  pthread_create(&t[2],0,p2,0);
  pthread_create(&t[3],0,p3,0);
  pthread_create(&t[4],0,p4,0);
  pthread_join(t[0],0);
  pthread_join(t[1],0);
  pthread_join(t[2],0);
  pthread_join(t[3],0);
  pthread_join(t[4],0);
  return 0; }
