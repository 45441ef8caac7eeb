//! The memory that an execution allocates, given to the compiled program at the same addresses: what it finds there that was never
//! set is then what it was, and pointers among it point where they did.

use crate::reproduce::account::Account;
use std::fmt::Write;

/// The functions that a harness takes over, by the linker's `--wrap`, and how.
const FUNCTIONS: [(&str, &str); 9] = [
    ("malloc", "void *__wrap_malloc(__SIZE_TYPE__ size)\n{\n    (void)size;\n    return block();\n}"),
    ("valloc", "void *__wrap_valloc(__SIZE_TYPE__ size)\n{\n    (void)size;\n    return block();\n}"),
    (
        "calloc",
        "void *__wrap_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size)\n{\n    (void)count;\n    (void)size;\n    \
         return block();\n}",
    ),
    (
        "realloc",
        "void *__wrap_realloc(char *old, __SIZE_TYPE__ size)\n{\n    char *fresh = block();\n    \
         __SIZE_TYPE__ kept = old ? size_of(old) : 0;\n    if (fresh && old) {\n        \
         __builtin_memcpy(fresh, old, kept < size ? kept : size);\n        poison(old, kept);\n    }\n    return fresh;\n}",
    ),
    ("free", "void __wrap_free(void *old)\n{\n    poison(old, old ? size_of(old) : 0);\n}"),
    (
        "aligned_alloc",
        "void *__wrap_aligned_alloc(__SIZE_TYPE__ align, __SIZE_TYPE__ size)\n{\n    (void)align;\n    (void)size;\n    \
         return block();\n}",
    ),
    (
        "memalign",
        "void *__wrap_memalign(__SIZE_TYPE__ align, __SIZE_TYPE__ size)\n{\n    (void)align;\n    (void)size;\n    \
         return block();\n}",
    ),
    ("strdup", "char *__wrap_strdup(const char *text)\n{\n    return __builtin_strcpy(block(), text);\n}"),
    (
        "strndup",
        "char *__wrap_strndup(const char *text, __SIZE_TYPE__ most)\n{\n    char *fresh = block();\n    \
         __SIZE_TYPE__ length = 0;\n    while (length < most && text[length])\n        length++;\n    \
         __builtin_memcpy(fresh, text, length);\n    fresh[length] = 0;\n    return fresh;\n}",
    ),
];

/// Whether the execution depends on what its memory holds and where it is.
pub fn matters(account: &Account, uses_addresses: bool) -> bool {
    let heap = account.heap();
    let fails = heap.blocks.iter().any(|&(address, _)| address == 0);
    !heap.found.is_empty() || uses_addresses || fails
}

/// Writes the memory, for a program that calls some functions. Gives what the compiler is to be told.
pub fn write(text: &mut String, account: &Account, is_used: &dyn Fn(&str) -> bool) -> Vec<String> {
    const PAGE: u64 = 1 << 12;
    let heap = account.heap();
    // A program that asks and gets nothing has a page that it does not use.
    let (first, end) = match heap.extent {
        Some(extent) => extent,
        None if heap.blocks.is_empty() => return Vec::new(),
        None => (0x1000_0000, 0x1000_0000 + PAGE),
    };
    let start = first & !(PAGE - 1);
    let length = (end - start).next_multiple_of(PAGE);
    let list = |items: Vec<String>| if items.is_empty() { "{0}".to_owned() } else { items.join(", ") };
    let blocks = list(heap.blocks.iter().map(|(at, size)| format!("{{{at:#x}, {size}}}")).collect());
    let found = list(
        heap.found.iter().map(|c| format!("{{{:#x}, {}, {:#x}}}", c.address, c.size, c.bytes)).collect(),
    );
    let (block_count, found_count) = (heap.blocks.len(), heap.found.len());
    let _ = write!(
        text,
        "
// The memory of the execution: its blocks in their order, and what is found in it that was never set.
static const struct {{ __UINTPTR_TYPE__ at; __SIZE_TYPE__ size; }} blocks[] = {{{blocks}}};
static const struct {{ __UINTPTR_TYPE__ at; unsigned char size; unsigned long long bytes; }} found[] = {{{found}}};

#ifdef __SANITIZE_ADDRESS__
extern void __asan_poison_memory_region(const volatile void *, __SIZE_TYPE__);
extern void __asan_unpoison_memory_region(const volatile void *, __SIZE_TYPE__);
#define poison(at, size) __asan_poison_memory_region(at, size)
#define unpoison(at, size) __asan_unpoison_memory_region(at, size)
#else
#define poison(at, size) ((void)0)
#define unpoison(at, size) ((void)0)
#endif

extern void *mmap(void *, __SIZE_TYPE__, int, int, int, long);

__attribute__((constructor, no_instrument_function)) static void memory(void)
{{
    // Private, anonymous, and at this place if nothing else is there.
    if (mmap((void *){start:#x}, {length}, 3, 0x100022, -1, 0) != (void *){start:#x})
        missing(\"memory at the addresses of the execution\");
    for (unsigned i = 0; i < {found_count}; i++)
        __builtin_memcpy((void *)found[i].at, &found[i].bytes, found[i].size);
    poison((void *){start:#x}, {length});
}}

__attribute__((no_instrument_function, unused)) static void *block(void)
{{
    static unsigned next;
    if (next < {block_count}) {{
        unpoison((void *)blocks[next].at, blocks[next].size);
        return (void *)blocks[next++].at;
    }}
    no_more_inputs(\"memory\");
}}

__attribute__((no_instrument_function, unused)) static __SIZE_TYPE__ size_of(const void *block)
{{
    for (unsigned i = 0; i < {block_count}; i++)
        if (blocks[i].at == (__UINTPTR_TYPE__)block)
            return blocks[i].size;
    return 0;
}}
"
    );
    let mut options = Vec::new();
    for (name, definition) in FUNCTIONS.into_iter().filter(|(name, _)| is_used(name)) {
        let _ = write!(text, "\n__attribute__((no_instrument_function)) {definition}\n");
        options.push(format!("-Wl,--wrap={name}"));
    }
    options
}
