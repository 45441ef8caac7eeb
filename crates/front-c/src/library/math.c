/* <math.h>; `string.c` says how this is read. Arithmetic is exact, and so are these where results are rounded to the
   nearest number. WHOLE is the number from which on all are whole. What is not here is approximated. */

//fabs T=double MAGNITUDE=__builtin_fabs
//fabsf T=float MAGNITUDE=__builtin_fabsf
T NAME(T x)
{
    return MAGNITUDE(x);
}

//copysign T=double SIGNED=__builtin_copysign
//copysignf T=float SIGNED=__builtin_copysignf
T NAME(T x, T y)
{
    return SIGNED(x, y);
}

//trunc T=double WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//truncf T=float WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
T NAME(T x)
{
    if (!(MAGNITUDE(x) < WHOLE))
        return x + 0;
    return SIGNED((T)(long long)x, x);
}

//floor T=double WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//floorf T=float WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
T NAME(T x)
{
    if (!(MAGNITUDE(x) < WHOLE))
        return x + 0;
    T whole = (long long)x;
    if (whole > x)
        whole -= 1;
    return SIGNED(whole, x);
}

//ceil T=double WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//ceilf T=float WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
T NAME(T x)
{
    if (!(MAGNITUDE(x) < WHOLE))
        return x + 0;
    T whole = (long long)x;
    if (whole < x)
        whole += 1;
    return SIGNED(whole, x);
}

//round T=double R=double WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//roundf T=float R=float WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
//lround T=double R=long WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//lroundf T=float R=long WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
//llround T=double R=long+long WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//llroundf T=float R=long+long WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
R NAME(T x)
{
    if (!(MAGNITUDE(x) < WHOLE))
        return x + 0;
    T whole = (long long)x;
    if (MAGNITUDE(x - whole) >= (T)0.5)
        whole += SIGNED(1, x);
    return SIGNED(whole, x);
}

//rint,nearbyint T=double R=double WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//rintf,nearbyintf T=float R=float WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
//lrint T=double R=long WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//lrintf T=float R=long WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
//llrint T=double R=long+long WHOLE=4503599627370496.0 MAGNITUDE=__builtin_fabs SIGNED=__builtin_copysign
//llrintf T=float R=long+long WHOLE=8388608.0f MAGNITUDE=__builtin_fabsf SIGNED=__builtin_copysignf
R NAME(T x)
{
    if (!(MAGNITUDE(x) < WHOLE))
        return x + 0;
    // No bits are left behind the point of the sum.
    T shift = SIGNED(WHOLE, x), sum = x + shift;
    return SIGNED(sum - shift, x);
}

//fdim T=double
//fdimf T=float
T NAME(T x, T y)
{
    return x <= y ? 0 : x - y;
}

//__isnan,isnan T=double
//__isnanf,isnanf T=float
int NAME(T x)
{
    return x != x;
}

//__isinf,isinf T=double INFINITE=__builtin_inf
//__isinff,isinff T=float INFINITE=__builtin_inff
int NAME(T x)
{
    return x == INFINITE() ? 1 : x == -INFINITE() ? -1 : 0;
}

//__finite,finite T=double INFINITE=__builtin_inf
//__finitef,finitef T=float INFINITE=__builtin_inff
int NAME(T x)
{
    return x < INFINITE() && x > -INFINITE();
}

//__fpclassify T=double
//__fpclassifyf T=float
int NAME(T x)
{
    return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}
