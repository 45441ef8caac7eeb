//! The typed tree, construct by construct.

use tamis_front_c::tree::{
    AssignOp, Callee, Expr, ExprKind, FloatType, ObjectId, PlaceKind, StmtKind, Storage, Type, Unit,
};
use tamis_front_c::{DataModel, Options, parse};

fn tree(text: &str) -> Unit {
    let mut unit = None;
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        let options = Options { data_model, ..Options::default() };
        let parsed = parse("t.i", text, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
        if let Err(e) = parsed.check() {
            panic!("{e}\n{text}");
        }
        unit = Some(parsed);
    }
    unit.expect("two data models")
}

/// Why parts of a text are not taken.
fn reasons(unit: &Unit) -> Vec<String> {
    let exprs = unit.exprs().filter_map(|e| match &unit[e].kind {
        ExprKind::Unsupported(what) => Some(what.clone()),
        _ => None,
    });
    let stmts = unit.stmts().filter_map(|s| match &unit[s].kind {
        StmtKind::Unsupported(what) => Some(what.clone()),
        _ => None,
    });
    let objects = unit
        .objects()
        .flat_map(|o| [unit[o].refused, unit[o].declaration_refused])
        .flatten()
        .map(str::to_owned);
    let functions = unit.functions().filter_map(|f| unit[f].refused).map(str::to_owned);
    let file = unit.refused().map(|(_, what)| what.to_owned());
    exprs.chain(stmts).chain(objects).chain(functions).chain(file).collect()
}

fn taken(text: &str) -> Unit {
    let unit = tree(text);
    assert_eq!(reasons(&unit), [""; 0], "{text}");
    unit
}

/// The expression that `f` returns.
fn returned(unit: &Unit) -> &Expr {
    let value = unit.stmts().find_map(|s| match unit[s].kind {
        StmtKind::Return(value) => value,
        _ => None,
    });
    &unit[value.expect("something is returned")]
}

fn object(unit: &Unit, name: &str) -> ObjectId {
    unit.objects().find(|&o| unit[o].name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn has(unit: &Unit, wanted: impl Fn(&ExprKind) -> bool) -> bool {
    unit.exprs().any(|e| wanted(&unit[e].kind))
}

#[test]
fn all_of_this_is_taken() {
    for text in [
        "struct s { int a, b[3]; struct { int c; }; union { int d; char e[4]; }; } x, *p; int f(int i) { x.c = p->e[i]; x = *p; return (&x)->b[i] + p[i].d; }",
        "struct s { int a : 3; unsigned b : 20; long long c : 40; _Bool d : 1; } x; long long f(void) { x.a++; x.b += 5; x.c <<= 3; x.d = x.c; return x.c << 8; }",
        "int f(int *p, int *q, int i) { p += i; p -= 2; ++p; q--; return *p++ + p[-1] + i[p] + (p - q) + (p < q) + !p + (p && q) + *(q + i) + *(i + q); }",
        "int g(int); int f(int i) { int (*h)(int) = g, (*k)(int) = &g; return h(1) + (*k)(2) + (***k)(3) + (i ? h : k)(4) + ((int (*)(int))(void *)h)(5); }",
        "float f(float a, double b, long double c, int i) { a += b; i *= a; c = i / c; return -a + (int)b + (unsigned long)c + (a < b) + !c; }",
        "double f(void) { return 1.5 + 1e-40f + 0x1p3 + 2.L + 1.f; }",
        "struct p { int x, y; }; struct p f(struct p a) { struct p b = {1}, c = b, d[2] = {a, [1] = {2, 3}}; b = (struct p){.y = 4}; return a.x ? b : (c, d[1]); }",
        "struct p { int x, y[2]; }; struct p g(void); int f(void) { return g().x + g().y[1]; }",
        "int f(int n, int m) { int a[n], b[n][m], (*p)[m] = b; a[1] = sizeof a; p++; --p; p += 2; return b[1][2] + p[1][1] + (*p)[0] + sizeof(int[n]) + sizeof b[0] + (p - b); }",
        "int f(int n, int a[n], int b[][n], int c[static 4], int d[*]); int f(int n, int a[n + 1], int b[][n], int c[], int d[]) { typedef int row[n]; row r; r[0] = b[1][2]; return sizeof(row); }",
        "int f(int i) { static void *t[] = {&&a, &&b}; goto *t[i]; a: return 1; b: return 2; }",
        "int f(int i) { switch (i) { case 1 ... 5: return 1; case 'a': default: return 0; } }",
        "int f(const char *s, ...) { __builtin_va_list l, m; __builtin_va_start(l, s); __builtin_va_copy(m, l); int i = __builtin_va_arg(l, int) + __builtin_va_arg(m, double); __builtin_va_end(l); return i; }",
        "void *f(int n) { char *p = __builtin_alloca(n); return p + 1; }",
        "int f(unsigned x, long y) { return __builtin_clz(x) + __builtin_ctzl(y) + __builtin_popcountll(y) + __builtin_parity(x) + __builtin_ffs(x) + __builtin_clrsb(x) + __builtin_bswap32(x); }",
        "int f(int a, long b) { int r; unsigned char c; return __builtin_add_overflow(a, b, &r) + __builtin_mul_overflow(a, b, &c) + __builtin_sub_overflow_p(a, b, (short)0) + r; }",
        "int f(double x, float y) { return __builtin_isnan(x) + __builtin_isinf_sign(y) + __builtin_isfinite(x) + __builtin_isnormal(x) + __builtin_signbit(y) + __builtin_isunordered(x, y) + __builtin_fpclassify(1, 2, 3, 4, 5, x) + (__builtin_fabs(x) < __builtin_copysign(x, y)); }",
        "int x; char *p; int f(int v) { int e = 1; __sync_synchronize(); __atomic_store_n(&x, v, 5); __sync_lock_release(&x); return __sync_fetch_and_add(&x, v) + __sync_val_compare_and_swap(&x, 1, 2) + __atomic_load_n(&x, 0) + __atomic_exchange_n(&x, 1, 5) + __atomic_compare_exchange_n(&x, &e, 3, 0, 5, 5) + __sync_bool_compare_and_swap(&x, 1, v) + __atomic_nand_fetch(&x, v, 5) + *__sync_fetch_and_add(&p, 2) + __atomic_test_and_set(&x, 5); }",
        "_Atomic int x; int f(void) { x++; x += 2; return x = 3; }",
        "int f(int i) { __asm__ volatile(\"addl %1, %0\" : \"+r\"(i) : \"ri\"(5), \"m\"(i) : \"cc\", \"memory\"); __asm__(\"\"); return i; }",
        "int f(int i) { __asm__ goto(\"jmp %l0\" : : : : out); return 1; out: return 0; }",
        "volatile int v; int f(volatile int *p) { v = *p; return v; }",
        "int f(a, b) char a; float b; { return a + b; }",
        "int f(int i) { return ({ int j = i; j++; j; }) + (i ?: 3) + ({ l: i; }); }",
        "int f(int i) { int *p = (int[]){i, 2}; return *p + (int){i} + ((struct { int x; }){5}).x; }",
        "typeof(1L) x; __typeof__(x) f(void) { __auto_type y = x; return _Generic(y, long: y, default: 0); }",
        "struct t { int n; char rest[]; } x = {1, \"abc\"}; struct z { int n; int none[0]; } y; int f(int i) { return x.rest[i] + y.none[i]; }",
        "union __attribute__((transparent_union)) u { int *i; float *f; }; void g(union u); void f(int *p) { g(p); }",
        "int f(void *p) { return __builtin_expect(p != 0, 1) + __builtin_constant_p(p) + __builtin_object_size(p, 0) + __builtin_object_size(p, 2); }",
        "void f(char *p, const char *q) { __builtin_memcpy(p, q, 3); __builtin_prefetch(p); if (__builtin_strlen(q)) __builtin_unreachable(); __builtin_trap(); }",
        "char *f(void) { return __func__ + sizeof \"abc\"[1]; }",
        "void f(void *p) { (void)*p; (void)p; *(volatile int *)p; }",
        "enum e { A = -1, B } x; enum big { C = 1ull << 40 } y; long long f(void) { return x + y + B + C; }",
        "int f(int x) { __label__ l; goto l; l: return x; }",
        "extern void end; long f(void) { return (long)&end; }",
        "int f(int c, int *p, long v) { return *(c ? p : v); }",
        "struct p { int x, y; } g; struct p f(struct p a) { g = ({ struct p q = a; q; }); g; a.x; return ({ g; }); }",
        "union u { int i; float f; }; union u f(int i) { union u a = (union u)i; return (union u)(float)a.i; }",
        "int f(void) { struct { int a : 3; } s = {1}; s.a; (void)s.a; (void)s; return (s.a, s.a = 2) + (s.a++, s.a); }",
        "int x, y; int *f(int i) { return i ? &x : (&y, &x); }",
        "typedef struct { int a[2]; } s; s g(void); int *f(s *p) { g(); (void)g(); p[0] = p[1] = g(); return p->a; }",
        "__float128 f(__float128 x) { return x; }",
        "int g(int *); int f(void) { int a[2][3] = {{1}}; return g(a[1]) + g(*a) + (*a)[1] + **a + sizeof a[0]; }",
        "struct s { struct s *next; int (*run)(struct s *); }; int f(struct s *s) { return s->next->run(s->next); }",
    ] {
        taken(text);
    }
    let options = Options::default();
    let half = "_Float16 f(_Float16 x) { return x * 2; }";
    assert_eq!(parse("t.i", half, &options).expect("64-bit machines have it").check(), Ok(()));
    let text = "__int128 f(__int128 x, unsigned __int128 y) { return x * y + (x >> 100); }";
    assert_eq!(parse("t.i", text, &options).expect("64-bit machines have it").check(), Ok(()));
}

#[test]
fn what_is_not_taken_has_a_name() {
    for (text, what) in [
        ("_Complex double f(_Complex double x) { return x * x; }", "complex number"),
        ("extern int x __attribute__((weak)); int f(void) { return x; }", "weak variable"),
        ("int f(void **b) { return __builtin_setjmp(b); }", "function that returns twice"),
        ("int setjmp(void *); int f(void *b) { return setjmp(b); }", "function that returns twice"),
        ("void *f(void) { return __builtin_frame_address(0); }", "__builtin_frame_address"),
        ("void *f(void) { return __builtin_return_address(0); }", "__builtin_return_address"),
        (
            "void g(int *); void f(void) { for (int x __attribute__((cleanup(g))) = 1; x; x--) ; }",
            "cleanup attribute",
        ),
        (
            "int f(int n) { struct { int a[n]; int b; } s; s.b = 1; return s.b; }",
            "struct with a variable-length member",
        ),
        ("__asm__(\"nop\"); int f(void) { return 0; }", "assembly at file scope"),
        (
            "void __attribute__((constructor)) f(int n) {}",
            "constructor or destructor function with parameters",
        ),
        ("int g(void); int f(void) __attribute__((alias(\"g\")));", "aliased function"),
        ("_BitInt(40) x; int f(void) { return x; }", "_BitInt"),
    ] {
        let unit = tree(text);
        assert!(reasons(&unit).iter().any(|r| r == what), "{:?}\n{text}", reasons(&unit));
    }
}

#[test]
fn arrays_decay_and_are_indexed_in_place() {
    let unit = taken("int a[4]; int *f(void) { return a; }");
    let ExprKind::AddressOf(place) = returned(&unit).kind else { panic!("{:?}", returned(&unit)) };
    assert_eq!(unit[place].kind, PlaceKind::Object(object(&unit, "a")));
    for text in ["a[i]", "*(a + i)", "i[a]", "*&a[i]", "(&a[0])[i]"] {
        let unit = taken(&format!("int a[4]; int f(int i) {{ return {text}; }}"));
        let ExprKind::Load(place) = returned(&unit).kind else { panic!("{:?}", returned(&unit)) };
        if text != "(&a[0])[i]" {
            assert!(matches!(unit[place].kind, PlaceKind::Index { .. }), "{text}");
        }
    }
}

#[test]
fn pointer_arithmetic_is_scaled() {
    let unit = taken("struct s { int x[3]; } *p; struct s *f(void) { return p - 2; }");
    assert!(has(&unit, |e| matches!(e, ExprKind::PointerAdd { subtract: true, scale: 12, .. })));
    let unit = taken("void *p; void f(void) { p++; p += 3; }");
    assert!(has(&unit, |e| matches!(e, ExprKind::Step { by: 1, .. })));
    assert!(has(&unit, |e| matches!(
        e,
        ExprKind::Assign { op: Some(AssignOp::Pointer { subtract: false, scale: 1 }), .. }
    )));
    let unit = taken("short *p, *q; long f(void) { return p - q; }");
    assert!(has(&unit, |e| matches!(e, ExprKind::PointerDiff { scale: 2, .. })));
}

#[test]
fn calls_are_by_name_or_by_address() {
    let unit = taken("int g(int); int f(void) { return (*&g)(3); }");
    let ExprKind::Call { callee: Callee::Function(g), .. } = returned(&unit).kind else { panic!() };
    assert_eq!(unit[g].name, "g");
    let unit = taken("int f(int (*h)(char)) { return h(3); }");
    let ExprKind::Call { callee: Callee::Pointer(_, signature), args } = &returned(&unit).kind else {
        panic!()
    };
    assert_eq!(unit[*signature].params.as_deref(), Some(&[unit[args[0]].ty][..]));
    let unit = taken("void f(char *p) { __builtin_memset(p, 0, 3); }");
    assert!(unit.functions().any(|f| unit[f].name == "memset"));
}

/// gcc computes with a bit-field that is wider than `int` in a type of its width.
#[test]
fn wide_bit_fields_have_a_type_of_their_own() {
    let unit =
        taken("struct { unsigned long long x : 40; } s; unsigned long long f(void) { return s.x << 8; }");
    let ExprKind::Convert(shift) = returned(&unit).kind else { panic!("{:?}", returned(&unit)) };
    assert_eq!(unit[shift].ty.int().map(|i| i.bits), Some(40));
}

#[test]
fn floats_are_their_bits() {
    let unit = taken("double f(void) { return 1.5; }");
    assert_eq!(returned(&unit).kind, ExprKind::Float(u128::from(1.5f64.to_bits())));
    let unit = taken("float f(void) { return 0.1f; }");
    assert_eq!(returned(&unit).kind, ExprKind::Float(u128::from(0.1f32.to_bits())));
    let unit = taken("long double f(void) { return -1.0L; }");
    assert_eq!(returned(&unit).ty, Type::Float(FloatType::Extended));
}

/// The length is computed once; `sizeof` and indexing read what was computed, however `n` changes.
#[test]
fn lengths_of_arrays_are_variables() {
    let unit = taken("int f(int n) { int a[n++]; n = 0; return sizeof a; }");
    let length = object(&unit, "(length)");
    let Storage::Automatic(Some(init)) = &unit[length].storage else { panic!("it is computed") };
    assert!(matches!(unit[init.entries[0].value].kind, ExprKind::Step { post: true, .. }));
    assert_eq!(unit.exprs().filter(|&e| matches!(unit[e].kind, ExprKind::Step { .. })).count(), 1);
    assert!(unit[object(&unit, "a")].dynamic_size.is_some());
    let declared = unit.stmts().find_map(|s| match &unit[s].kind {
        StmtKind::Declare(objects) => Some(objects.clone()),
        _ => None,
    });
    assert_eq!(declared, Some(vec![length, object(&unit, "a")]));
}

#[test]
fn sizes_follow_initialisers_and_declarations() {
    let unit = taken(
        "struct t { int n; char rest[]; } x = {1, \"abc\"}; int a[]; extern int b[]; int b[7]; char c[] = \"hi\";",
    );
    let size = |name: &str| unit[object(&unit, name)].size;
    assert_eq!((size("x"), size("a"), size("b"), size("c")), (Some(8), Some(4), Some(28), Some(3)));
}

#[test]
fn names_with_linkage_are_one_object() {
    let unit = taken("int f(void) { extern int x; { extern int x; x = 1; } return x; } int x = 4;");
    assert_eq!(unit.objects().filter(|&o| unit[o].name == "x").count(), 1);
    let unit = taken("int f(int i) { if (i) { static int x = 1; return x++; } static int x = 2; return x; }");
    assert_eq!(unit.objects().filter(|&o| unit[o].name == "x").count(), 2);
}

#[test]
fn library_functions_called_before_their_declaration_have_their_type() {
    let unit = taken(
        "void *f(void *p, void *q) { return memcpy(p, q, 3); } void *memcpy(void *, const void *, __typeof__(sizeof 1));",
    );
    assert!(returned(&unit).ty.is_pointer());
}
