"""Runs of `tamis abstract` and of z3, kept in a file so that a bench can be stopped and taken up again."""
import csv, json, os, resource, shutil, subprocess, time
from blocking import children, z3_loop

COLUMNS = ['query', 'configuration', 'timeout', 'answer', 'seconds', 'elapsed', 'memory', 'predicates', 'minterms', 'cubes',
           'support', 'winner']

# What `tamis abstract` is told, by configuration.
CONFIGURATIONS = {
    'allsat': ['--engine', 'allsat'], 'blackbox': ['--engine', 'blackbox'], 'naive': ['--engine', 'naive'],
    'no-theory-propagation': ['--engine', 'no-theory-propagation'], 'cubes': ['--engine', 'cubes'],
    'ldd': ['--engine', 'ldd'], 'ldd-static': ['--engine', 'ldd-static'], 'min': ['--engine', 'min'],
    **{f'step-{n}': ['--engine', 'steps', '--step', str(n)] for n in (1, 2, 5)},
    **{f'step-{n}-anew': ['--engine', 'steps', '--step', str(n), '--non-incremental'] for n in (1, 2, 5)},
}


# Between the queries of a script.
RESET = '(reset)\n'


def queries_of(script):
    """The queries of a script: what is asserted, and the Booleans of the check-allsat."""
    for query in script.split(RESET):
        at = query.rindex('(check-allsat (')
        yield query[:at], query[at + 15:].split('))')[0].split()


def key(query):
    """What a query is called: its file's name below its folder's."""
    return '/'.join(query.split(os.sep)[-2:])


class Runs:
    def __init__(self, folder, tamis, z3, timeout, memory):
        self.file = os.path.join(folder, 'results.tsv')
        # A copy, as an installed program is one: the file that a linker has just written lies in memory page by page, and every
        # process that is started from it pays for that.
        self.tamis = os.path.join(folder, 'tamis')
        shutil.copy(tamis, self.tamis)
        self.z3, self.timeout, self.memory = z3, timeout, memory
        # A crash is counted, not kept. Children inherit the limit: to set it in each of them would need a fork of this
        # process, which takes longer than a small query.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        self.results = {}
        if os.path.exists(self.file):
            with open(self.file) as f:
                for row in csv.DictReader(f, delimiter='\t'):
                    self.results[row['query'], row['configuration'], float(row['timeout'])] = row

    def forget(self, configurations):
        """Drops the results of some configurations, here and in the file."""
        if configurations:
            self.results = {k: r for k, r in self.results.items() if r['configuration'] not in configurations}
            with open(self.file, 'w') as out:
                writer = csv.DictWriter(out, COLUMNS, delimiter='\t')
                writer.writeheader()
                writer.writerows(self.results.values())

    def get(self, query, configuration):
        return self.results.get((key(query), configuration, self.timeout))

    def complete(self, wanted):
        """Runs what is missing of (query, configuration), and says how it goes."""
        missing = [w for w in dict.fromkeys(wanted) if not self.get(*w)]
        for i, w in enumerate(missing):
            self.keep(self.run(*w), f'{i + 1}/{len(missing)}')

    def compare(self, query, each, rounds):
        """Runs configurations of a query in turns, so that they meet the same machine, and keeps medians. `each` says how often
        each is run in a round."""
        if all(self.get(query, c) for c in each):
            return
        rows = {c: [] for c in each}
        for _ in range(rounds):
            for c, times in each.items():
                rows[c] += [self.run(query, c) for _ in range(times)]
        for of_one in rows.values():
            of_one.sort(key=lambda row: float(row['seconds']))
            self.keep(of_one[len(of_one) // 2], f'median of {len(of_one)}')

    def keep(self, row, said):
        self.results[row['query'], row['configuration'], self.timeout] = row
        with open(self.file, 'a') as out:
            writer = csv.DictWriter(out, COLUMNS, delimiter='\t')
            if out.tell() == 0:
                writer.writeheader()
            writer.writerow(row)
        print(f"{said} {row['answer']:8}{float(row['seconds']):8.3f} s {row['configuration']:22} {row['query']}", flush=True)

    def run(self, query, configuration):
        row = dict.fromkeys(COLUMNS, '')
        row.update(query=key(query), configuration=configuration, timeout=str(self.timeout))
        if configuration == 'z3':
            return self.run_z3(query, row)
        command = [self.tamis, 'abstract', query, *CONFIGURATIONS[configuration], '--json', '--timeout', str(self.timeout),
                   '--memory', str(self.memory)]
        start, before = time.perf_counter(), children()
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=self.timeout + 30)
        except subprocess.TimeoutExpired:
            row.update(answer='HANGS', seconds=f'{self.timeout + 30:.3f}', elapsed=f'{self.timeout + 30:.3f}')
            return row
        row.update(seconds=f'{children() - before:.6f}', elapsed=f'{time.perf_counter() - start:.3f}')
        try:
            documents = [json.loads(line) for line in run.stdout.splitlines()]
        except json.JSONDecodeError:
            documents = []
        without = [d for d in documents if d.get('answer') is None]
        if without or not documents:
            reason = without[0].get('reason', '') if without else ''
            limits = [limit for limit in ('time', 'memory', 'nodes') if limit in reason]
            row['answer'] = limits[0] if limits and run.returncode == 3 else 'unknown' if run.returncode == 3 else 'CRASH'
            return row
        answers = [d['answer'] for d in documents]
        total = lambda field: sum(a[field] for a in answers) if all(a.get(field) is not None for a in answers) else ''
        row.update(answer='solved' if all(a['exact'] for a in answers) else 'inexact', memory=answers[-1]['megabytes'],
                   predicates=max(len(d['predicates']) for d in documents), minterms=f"{total('minterms'):.0f}",
                   cubes=total('cube_count'), support=sum(len(a['support']) for a in answers),
                   winner=answers[0].get('winner') or '')
        return row

    def run_z3(self, query, row):
        with open(query) as f:
            queries = list(queries_of(f.read()))
        models, used, elapsed = z3_loop(self.z3, queries, self.timeout, self.memory)
        row.update(answer='time' if models is None else 'solved', seconds=f'{used:.6f}', elapsed=f'{elapsed:.3f}',
                   predicates=max(len(names) for _, names in queries),
                   minterms='' if models is None else str(sum(map(len, models))))
        return row

    def differences(self):
        """Exact answers to one query that are not the same."""
        found, wrong = {}, []
        for row in self.results.values():
            if row['answer'] in ('HANGS', 'CRASH'):
                wrong.append(f"{row['query']}: {row['configuration']} {row['answer']}")
            if row['answer'] != 'solved':
                continue
            for column in ('minterms', 'support'):
                if str(row[column]) == '':
                    continue
                first = found.setdefault((row['query'], column), row)
                if str(first[column]) != str(row[column]):
                    wrong.append(f"{row['query']}: {column} {row[column]} by {row['configuration']}, "
                                 f"{first[column]} by {first['configuration']}")
        return wrong
