/* outer lock a, inner lock b, data of each thread the same */
#include "golden.h"
A c[3];
pthread_mutex_t a[1];
pthread_mutex_t b[1];
T(p0){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&a[0]);
  pthread_mutex_lock(&b[0]);
  r0=LD(c[0]); U(r0);
  ST(c[0],r0+1);
  pthread_mutex_unlock(&b[0]);
  pthread_mutex_unlock(&a[0]);
  END;
}
T(p1){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&a[0]);
  pthread_mutex_lock(&b[0]);
  r0=LD(c[0]); U(r0);
  ST(c[0],r0+1);
  pthread_mutex_unlock(&b[0]);
  pthread_mutex_unlock(&a[0]);
  END;
}
T(p2){ int r_=0,r0=0; (void)r0;
  pthread_mutex_lock(&a[0]);
  pthread_mutex_lock(&b[0]);
  r0=LD(c[0]); U(r0);
  ST(c[0],r0+1);
  pthread_mutex_unlock(&b[0]);
  pthread_mutex_unlock(&a[0]);
  END;
}
int main(void){ pthread_t t[3];
  for(int i=0;i<1;i++) pthread_mutex_init(&a[i],0);
  for(int i=0;i<1;i++) pthread_mutex_init(&b[i],0);
  pthread_create(&t[0],0,p0,0);
  pthread_create(&t[1],0,p1,0);
  pthread_create(&t[2],0,p2,0);
  pthread_join(t[0],0);
  pthread_join(t[1],0);
  pthread_join(t[2],0);
  return 0; }
