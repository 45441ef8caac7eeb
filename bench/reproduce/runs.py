"""Runs of `tamis check`, kept in a file so that a bench can be stopped and taken up again."""
import concurrent.futures, csv, os, re, resource, subprocess, time

# What `--stats` prints, by the name of the column.
STATISTICS = {
    'iterations': 'iterations',
    'located': 'predicates',
    'predicates': 'different predicates',
    'at_a_point': 'predicates at a cutpoint, at most',
    'branches': 'branches that predicates come from',
    'cutpoints': 'cutpoints',
    'blocks': 'blocks',
    'tried': 'combinations of predicates tried',
    'tried_size': 'largest combination tried',
    'eliminating': 'eliminating combinations',
    'eliminating_size': 'largest eliminating combination',
    'at_least': 'branches that a proof takes, at least',
}
COLUMNS = ['path', 'suite', 'expected', 'configuration', 'timeout', 'answer', 'verdict', 'seconds', 'memory',
           'search', *STATISTICS]


def read_list(path, suites, wanted='unreach-call'):
    """The tasks of a list that ask for a property: reachability, if nothing else is said."""
    with open(path) as f:
        rows = csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE)
        return [t for t in rows if t['property'] == wanted and (not suites or t['suite'] in suites)]


def judge(expected, verdict):
    """What a verdict is worth: solved, unknown, timeout, memory, WRONG or CRASH."""
    answer = verdict.split('(')[0]
    if answer in ('true', 'false'):
        return 'solved' if answer == expected else 'WRONG'
    if answer != 'unknown':
        return 'CRASH'
    for limit in ('timeout', 'memory'):
        if limit in verdict or (limit == 'timeout' and 'time limit' in verdict):
            return limit
    return 'unknown'


class Runs:
    """The results so far, and what it takes to get more."""

    def __init__(self, folder, tasks_folder, tamis, timeout, memory, jobs, repeat=1):
        self.file = os.path.join(folder, 'results.tsv')
        self.tasks_folder, self.tamis = tasks_folder, tamis
        self.timeout, self.memory, self.jobs, self.repeat = timeout, memory, jobs, repeat
        self.results = {}
        if os.path.exists(self.file):
            with open(self.file) as f:
                for row in csv.DictReader(f, delimiter='\t', quoting=csv.QUOTE_NONE):
                    self.results[row['path'], row['configuration'], float(row['timeout'])] = row

    def forget(self, configurations):
        """Drops the results of some configurations, here and in the file."""
        if not configurations:
            return
        self.results = {k: r for k, r in self.results.items() if r['configuration'] not in configurations}
        with open(self.file, 'w') as out:
            writer = csv.DictWriter(out, COLUMNS, delimiter='\t', quoting=csv.QUOTE_NONE, quotechar=None)
            writer.writeheader()
            writer.writerows(self.results.values())

    def get(self, task, configuration):
        return self.results.get((task['path'], configuration, self.timeout))

    def complete(self, wanted):
        """Runs what is missing of (task, configuration, options) and says how it goes."""
        missing = {(t['path'], c): (t, c, o) for t, c, o in wanted if not self.get(t, c)}
        with open(self.file, 'a') as out, concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            writer = csv.DictWriter(out, COLUMNS, delimiter='\t', quoting=csv.QUOTE_NONE, quotechar=None)
            if out.tell() == 0:
                writer.writeheader()
            for i, row in enumerate(pool.map(lambda m: self.fastest(*m), missing.values())):
                self.results[row['path'], row['configuration'], self.timeout] = row
                writer.writerow(row)
                out.flush()
                print(f"{i + 1}/{len(missing)} {row['answer']:8}{float(row['seconds']):8.1f} s "
                      f"{row['configuration']:24} {row['path']}", flush=True)

    def fastest(self, task, configuration, options):
        """The run with the shortest search of several; one that takes seconds, or has no answer, is not repeated."""
        row = self.run(task, configuration, options)
        for _ in range(self.repeat - 1):
            if row['answer'] != 'solved' or float(row['search'] or 0) > 3:
                break
            again = self.run(task, configuration, options)
            if again['answer'] == 'solved' and float(again['search']) < float(row['search']):
                row = again
        return row

    def run(self, task, configuration, options):
        command = [self.tamis, 'check', os.path.join(self.tasks_folder, task['path']), '--stats',
                   '--timeout', str(self.timeout), '--memory', str(self.memory), *options]
        if task['bits'] in ('32', '64'):
            command.append('--' + task['bits'])
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 errors='replace', preexec_fn=limit_core)
        try:
            stdout, stderr = child.communicate(timeout=self.timeout + 30)
            lines = stdout.splitlines()
            verdict = lines[-1].removeprefix('VERDICT: ') if lines else f'(none, exit code {child.returncode})'
        except subprocess.TimeoutExpired:
            child.kill()
            stdout, stderr = child.communicate()
            verdict = '(hangs)'
        row = dict.fromkeys(COLUMNS, '')
        row.update(path=task['path'], suite=task['suite'], expected=task['expected'], configuration=configuration,
                   timeout=str(self.timeout), answer=judge(task['expected'], verdict),
                   verdict=re.sub(r'\s+', ' ', verdict), seconds=f'{time.monotonic() - start:.2f}')
        for column, label in STATISTICS.items():
            row[column] = next(iter(re.findall(rf'^  {re.escape(label)} +(\d+)$', stderr, re.M)), '')
        row['search'] = next(iter(re.findall(r'^  search time +([0-9.]+) s$', stderr, re.M)), '')
        row['memory'] = next(iter(re.findall(r'^  memory +(\d+) MB$', stderr, re.M)), '')
        return row


def limit_core():
    """A crash is counted, not kept."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
