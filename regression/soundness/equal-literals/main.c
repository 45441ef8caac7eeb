extern void reach_error(void); typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t,size_t); void *memcpy(void*,const void*,size_t); void *memset(void*,int,size_t); void *memmove(void*,const void*,size_t); void *mempcpy(void*,const void*,size_t); void *realloc(void*,size_t); char *strcpy(char*,const char*); char *strchr(const char*,int); size_t strlen(const char*); int strcmp(const char*,const char*); int memcmp(const void*,const void*,size_t);
#define CHK(c) do { if(!(c)) reach_error(); } while(0)
int main(){ char *p="abc", *q="abc"; CHK(p[0]=='a'); CHK(q[0]=='a'); }
