extern void reach_error(void); typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t,size_t); void *memcpy(void*,const void*,size_t); void *memset(void*,int,size_t); void *memmove(void*,const void*,size_t); void *mempcpy(void*,const void*,size_t);
#define CHK(c) do { if(!(c)) reach_error(); } while(0)
struct N{struct N*next; int v;}; int main(){ struct N m={0,7}, n; n.next=&n; n.v=3; memcpy(n.next,&m,sizeof m); CHK(n.v!=7); }
