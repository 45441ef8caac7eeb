"""z3 as the outside baseline: one incremental process, asked for a model and told a blocking clause, again and again."""
import resource, subprocess, time


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def z3_loop(path, queries, timeout, megabytes=None):
    """The projected models of each query (None if they do not all end in time), processor time, and elapsed time.

    A query is a script and the Booleans that models are projected on. All are asked of one process, one after the other.
    """
    before = children()
    limit = [f'-memory:{megabytes}'] if megabytes else []
    process = subprocess.Popen([path, *limit, '-in'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    start, found = time.perf_counter(), []
    try:
        for script, booleans in queries:
            process.stdin.write(('(reset)\n' if found else '') + '(set-option :produce-models true)\n' + script)
            models = all_models(process, booleans, start + timeout)
            if models is None:
                found = None
                break
            found.append(models)
    except BrokenPipeError:
        found = None
    elapsed = time.perf_counter() - start
    process.kill()
    process.communicate()
    return found, children() - before, elapsed


def all_models(process, booleans, deadline):
    """The models of what is asserted, each blocked when it is found; None if that takes too long."""
    models = set()
    while time.perf_counter() < deadline:
        process.stdin.write('(check-sat)\n')
        process.stdin.flush()
        answer = process.stdout.readline().strip()
        if answer != 'sat':
            return models if answer == 'unsat' else None
        process.stdin.write(f'(get-value ({" ".join(booleans)}))\n')
        process.stdin.flush()
        values = tuple('true' in process.stdout.readline() for _ in booleans)
        models.add(values)
        clause = ' '.join(f'(not {b})' if v else b for b, v in zip(booleans, values))
        process.stdin.write(f'(assert (or {clause}))\n')
    return None
