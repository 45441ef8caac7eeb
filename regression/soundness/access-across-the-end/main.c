extern void reach_error(void); typedef unsigned long size_t; void *malloc(size_t); void *memcpy(void*,const void*,size_t); void *memset(void*,int,size_t); void *memmove(void*,const void*,size_t);
#define CHK(c) do { if(!(c)) reach_error(); } while(0)
union U{char c[6]; struct{int x; int y;} b; struct {char p[6]; short z;} d;}; int main(){ union U u; volatile int k=1; u.c[k]=0; u.d.z=3; u.b.y=0; CHK(u.d.z==3); }
