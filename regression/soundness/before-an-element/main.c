extern void reach_error(void); typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t,size_t); void *memcpy(void*,const void*,size_t); void *memset(void*,int,size_t); void *memmove(void*,const void*,size_t); void *mempcpy(void*,const void*,size_t);
#define CHK(c) do { if(!(c)) reach_error(); } while(0)
int a[10]; int main(){ volatile int k=5; int i=k; int *p=&a[i]; p[-1]=7; CHK(a[4]!=7); }
