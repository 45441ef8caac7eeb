"""z3 as the outside baseline: one incremental process, asked for a model and told a blocking clause, again and again."""
import resource, subprocess, time


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def z3_loop(path, script, booleans, timeout, megabytes=None):
    """The projected models (None if it does not end in time), processor time, and elapsed time."""
    before = children()
    limit = [f'-memory:{megabytes}'] if megabytes else []
    process = subprocess.Popen([path, *limit, '-in'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    start, models = time.perf_counter(), set()
    try:
        process.stdin.write('(set-option :produce-models true)\n' + script)
        while time.perf_counter() - start < timeout:
            process.stdin.write('(check-sat)\n')
            process.stdin.flush()
            answer = process.stdout.readline().strip()
            if answer != 'sat':
                models = models if answer == 'unsat' else None
                break
            process.stdin.write(f'(get-value ({" ".join(booleans)}))\n')
            process.stdin.flush()
            values = tuple('true' in process.stdout.readline() for _ in booleans)
            models.add(values)
            clause = ' '.join(f'(not {b})' if v else b for b, v in zip(booleans, values))
            process.stdin.write(f'(assert (or {clause}))\n')
        else:
            models = None
    except BrokenPipeError:
        models = None
    elapsed = time.perf_counter() - start
    process.kill()
    process.communicate()
    return models, children() - before, elapsed
