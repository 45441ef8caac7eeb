typedef struct { int status; } IRP;
extern int __VERIFIER_nondet_int(void);
static void IofCompleteRequest(IRP *irp, char boost) { irp->status |= boost; }
static int IofCallDriver(void *device, IRP *irp) { irp->status = 1; return __VERIFIER_nondet_int(); }
static int dispatch(void *device, IRP *irp) {
    int status = __VERIFIER_nondet_int();
    if (status < 0) {
        IofCompleteRequest(irp, 0);
        return status;
    }
    return IofCallDriver(device, irp);
}
int main(void) {
    IRP irp;
    irp.status = 0;
    return dispatch(0, &irp);
}
