/* each thread tries the lock once; the thread that has it writes its own counter */
#include "golden.h"
A c[3];
pthread_mutex_t m[1];
T(p0){ int r_=0,r0=0,r1=0; (void)r0; (void)r1;
  r0=pthread_mutex_trylock(&m[0])!=0; U(r0);
  if(r0==1) goto E;
  r1=LD(c[0]); U(r1);
  ST(c[0],r1+1);
  pthread_mutex_unlock(&m[0]);
  E:; END;
}
T(p1){ int r_=0,r0=0,r1=0; (void)r0; (void)r1;
  r0=pthread_mutex_trylock(&m[0])!=0; U(r0);
  if(r0==1) goto E;
  r1=LD(c[1]); U(r1);
  ST(c[1],r1+1);
  pthread_mutex_unlock(&m[0]);
  E:; END;
}
T(p2){ int r_=0,r0=0,r1=0; (void)r0; (void)r1;
  r0=pthread_mutex_trylock(&m[0])!=0; U(r0);
  if(r0==1) goto E;
  r1=LD(c[2]); U(r1);
  ST(c[2],r1+1);
  pthread_mutex_unlock(&m[0]);
  E:; END;
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
