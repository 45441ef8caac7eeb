"""What gcc's program does: built without and with optimisation, run on several inputs, in narrow limits.

Signed arithmetic wraps around, as it does for Tamis. Variables that were never set are 0 in one build and a pattern in
the other: both are values that they may have.
"""
import functools, os, resource, shutil, subprocess

DRIVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'driver.c')
BUILDS = {'O0': ['-O0', '-ftrivial-auto-var-init=pattern'], 'O2': ['-O2', '-ftrivial-auto-var-init=zero']}
CHECKED = ['-O0', '-g0', '-fsanitize=undefined,address', '-fno-sanitize-recover=all', '-ftrivial-auto-var-init=zero']
SEEDS = 12
NOBODY = 65534

class Native:
    """The builds of one program, made when they are asked for."""

    def __init__(self, shim, folder):
        self.shim, self.folder = shim, folder
        # Arguments of `main` are inputs too, though here there are none.
        self.error, self.runs, self.inputs = None, {}, bool(shim.main() and shim.main()[0])
        self.seeds = SEEDS if shim.inputs else 1

    def build(self, name, flags, source=None):
        """The executable, or nothing if gcc or the linker does not take the program."""
        path = os.path.join(self.folder, name)
        options = [o for o in self.shim.test.options if o not in ('--32', '--64')]
        command = ['gcc', '-w', '-fwrapv', '-fno-strict-aliasing', '-m32' if '--32' in self.shim.test.options else '-m64', *flags, *options,
                   '-o', path, self.shim.native(source)]
        command += [p for f in self.shim.test.files[1:] for p in ['-include', self.shim.header, f]] + [DRIVER, '-lm', '-lpthread']
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=60)
        except subprocess.TimeoutExpired:
            self.error = 'gcc takes too long'
            return None
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if 'error' in line or 'undefined reference' in line]
            self.error = (lines or ['?'])[0].split(': ', 1)[-1][:120]
            return None
        return path

    def run(self):
        """What happens on each seed in each build: {(build, seed): outcome}. Empty if there is no program."""
        if self.runs or self.error:
            return self.runs
        for name, flags in BUILDS.items():
            binary = self.build(name, flags)
            if not binary:
                return {}
            for seed in range(self.seeds):
                outcome, self.inputs = execute(binary, seed, self.inputs)
                self.runs[name, seed] = outcome
                if not self.inputs or outcome == 'endless':
                    # Nothing changes from seed to seed, or all would take long.
                    break
        return self.runs

    def outcomes(self):
        return set(self.run().values())

    def ends_negated(self):
        """Whether the very program that Tamis was given when it was asked about the normal end comes to it as well."""
        seeds = sorted({seed for (_, seed), outcome in self.run().items() if outcome in ('end', 'status')})
        binaries = [self.build('negated', flags, self.shim.negated()) for flags in BUILDS.values()]
        return any(binary and execute(binary, seed, False)[0] == 'reached' for binary in binaries for seed in seeds)

    def undefined(self, wanted):
        """What gcc's sanitizers say of the runs with an outcome of `wanted`; nothing if one of them is clean, which is enough to decide."""
        found = self.complaints(wanted)
        return None if None in found or not found else found[0]

    def complaint(self):
        """The first thing that goes wrong in a run on any input, besides what the suite takes as the error."""
        for outcome in self.outcomes() & {'abort', 'crash'}:
            return outcome
        return next((found for found in self.complaints(self.outcomes()) if found), None)

    def complaints(self, wanted):
        """What the sanitizers say, for each seed that has had an outcome of `wanted`."""
        seeds = sorted({seed for (_, seed), outcome in self.run().items() if outcome in wanted})
        binary = self.build('checked', CHECKED) if seeds else None
        return [sanitized(binary, seed) for seed in seeds] if binary else []

def limits(address_space):
    os.setsid()
    for what, bound in ((resource.RLIMIT_CPU, 3), (resource.RLIMIT_FSIZE, 1 << 20), (resource.RLIMIT_CORE, 0),
                        (resource.RLIMIT_STACK, 64 << 20), (resource.RLIMIT_NPROC, 64)):
        resource.setrlimit(what, (bound, bound))
    if address_space:
        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)

@functools.cache
def isolation():
    """A command that starts another one without a network, where the system lets us."""
    command = ['unshare', '--user', '--map-root-user', '--net']
    works = shutil.which('unshare') and subprocess.run(command + ['true'], preexec_fn=lambda: limits(None), capture_output=True).returncode == 0
    return command if works else []

def start(binary, seed, address_space):
    environment = {'SUITE_SEED': str(seed), 'PATH': '/usr/bin:/bin', 'ASAN_OPTIONS': 'detect_leaks=0:hard_rss_limit_mb=2000:allocator_may_return_null=1'}
    try:
        return subprocess.run(isolation() + [binary], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors='replace', cwd='/', env=environment, timeout=5, preexec_fn=lambda: limits(address_space))
    except subprocess.TimeoutExpired:
        return None

def execute(binary, seed, inputs):
    """How a run ends, and whether it (or another one) has had inputs."""
    done = start(binary, seed, 4 << 30)
    if done is None:
        return 'endless', inputs
    inputs = inputs or 'suite: input' in done.stderr
    if 'suite: violation' in done.stderr:
        return 'violation', inputs
    if 'suite: end' in done.stderr:
        return 'reached', inputs
    if 'suite: assumption' in done.stderr:
        return 'assumption', inputs
    # A signal, of the program or as a shell would tell it.
    signal = -done.returncode if done.returncode < 0 else done.returncode - 128
    if signal == 6:
        return 'abort', inputs
    if signal in (9, 24):
        return 'endless', inputs
    if signal in (4, 5, 7, 8, 11, 31):
        return 'crash', inputs
    return ('end' if done.returncode == 0 else 'status'), inputs

def sanitized(binary, seed):
    """The first complaint of a sanitizer."""
    done = start(binary, seed, None)
    if done is None:
        return None
    for line in done.stderr.splitlines():
        if 'runtime error: ' in line:
            return line.split('runtime error: ')[1][:100]
        if 'ERROR: AddressSanitizer: ' in line:
            return line.split('AddressSanitizer: ')[1][:60]
    return None
