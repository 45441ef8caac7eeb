extern void reach_error(void); typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t,size_t); void *memcpy(void*,const void*,size_t); void *memset(void*,int,size_t); void *memmove(void*,const void*,size_t); void *mempcpy(void*,const void*,size_t);
#define CHK(c) do { if(!(c)) reach_error(); } while(0)
struct S{char a[10]; int b;} s; int main(){ volatile int k=3; s.b=5; s.a[k]=1; char *p=(char*)&s; for(unsigned i=0;i<sizeof s;i++) p[i]=0; CHK(s.b==5); }
