"""The papers' tables, from runs, beside the papers' own figures."""
import math, os
from reproduce import charts
from reproduce.tables import table
from .paper_figures import FAMILIES, STEPS, SUMMARIES


def seconds(runs, query, configuration, column='seconds'):
    """What a run took: the limit if it did not come to an end."""
    row = runs.get(query, configuration)
    return float(row[column]) if row['answer'] == 'solved' else max(runs.timeout, float(row[column]))


def total(runs, queries, configuration):
    """The sum of times, marked as a lower bound if a run did not end."""
    ended = all(runs.get(q, configuration)['answer'] == 'solved' for q in queries)
    return ('' if ended else '> ') + f'{sum(seconds(runs, q, configuration) for q in queries):.3f}'


def ratio(runs, queries, slow, fast):
    """How many times `slow` takes longer than `fast`, over all."""
    ended = all(runs.get(q, slow)['answer'] == 'solved' for q in queries)
    times = [sum(seconds(runs, q, c) for q in queries) for c in (slow, fast)]
    return ('' if ended else '> ') + f'{times[0] / max(times[1], 1e-6):.1f}'


def size(runs, queries, column):
    rows = [runs.get(q, 'allsat') for q in queries]
    return sum(int(r[column]) for r in rows if r[column] != '')


def families(runs, by_family, whole):
    """[SMT] section 4.2; `whole` are the scripts with all queries of a family."""
    rows = []
    for name, queries in by_family.items():
        paper, script = FAMILIES[name], [whole[name]]
        predicates = max((int(runs.get(q, 'allsat')['predicates'] or 0) for q in queries), default=0)
        rows.append([name, len(queries), predicates, size(runs, queries, 'minterms'), size(runs, queries, 'cubes'),
                     *(total(runs, script, c) for c in ('z3', 'allsat', 'cubes')),
                     ratio(runs, script, 'z3', 'allsat'), ratio(runs, script, 'allsat', 'cubes'),
                     ratio(runs, queries, 'z3', 'allsat'), ratio(runs, queries, 'allsat', 'cubes'),
                     f'{paper[0]}, {paper[1]}, {paper[2]}, {paper[3]}', f'{paper[4] / paper[5]:.0f}'])
    return '\n'.join([
        '## Against the best there was: [SMT] section 4.2\n',
        'Processor seconds for the queries of a family, asked one after the other of one process; the median of five runs of z3 '
        'and of 25 of ours, in turns. z3 is asked for models one by one, with blocking clauses; the paper compares with UCLID. *Apart* '
        'is with a process for each query, which takes longer to start than many a query.\n',
        table(['family', 'queries', 'predicates', 'minterms', 'cubes', 'z3', 'allsat', '`cubes`', 'z3 / allsat',
               'allsat / cubes', 'apart: z3 / allsat', 'allsat / cubes', 'paper: queries, predicates, minterms, cubes',
               'paper: speedup'], rows), ''])


def settings(runs, by_family):
    """[SMT] section 4.3."""
    rows = []
    for name, queries in by_family.items():
        paper = FAMILIES[name][5:]
        ours = [total(runs, queries, c) for c in ('allsat', 'blackbox', 'naive', 'no-theory-propagation')]
        rows.append([name, size(runs, queries, 'minterms'), *ours, ratio(runs, queries, 'blackbox', 'allsat'),
                     *(f'{t:g}' for t in paper), f'{paper[1] / paper[0]:.1f}'])
    return '\n'.join([
        '## Alternative settings: [SMT] section 4.3\n', 'Processor seconds.\n',
        table(['family', 'minterms', 'allsat', 'black-box', 'naive', 'no theory propagation', 'black-box / allsat',
               'paper: good', 'black-box', 'naive', 'no TP', 'black-box / good'], rows), ''])


def steps(runs, by_family):
    """[SMT] section 4.4."""
    rows = []
    for name, queries in by_family.items():
        ours = [total(runs, queries, c)
                for c in ('allsat', 'step-1', 'step-1-anew', 'step-2', 'step-2-anew', 'step-5', 'step-5-anew')]
        rows.append([name, *ours, ratio(runs, queries, 'step-1', 'allsat'), *(f'{t:g}' for t in STEPS[name])])
    heads = ['exact', 'step 1', 'anew', 'step 2', 'anew', 'step 5', 'anew']
    return '\n'.join([
        '## Successive approximations: [SMT] section 4.4\n', 'Processor seconds for all approximations up to the exact one; '
        '*anew*: nothing is kept from one to the next.\n',
        table(['family', *heads, 'step 1 / exact', 'paper: exact', *heads[1:]], rows), ''])


SUMMARY_NAMES = {'allsat': 'MSAT', 'ldd': 'LDD', 'ldd-static': 'LDD2', 'min': 'MIN'}


def summaries(runs, queries, configurations, folder):
    """[SUM] Fig. 4a. What `min` takes is elapsed time, as it uses two cores."""
    rows, series = [], []
    column = lambda c: 'elapsed' if c == 'min' else 'seconds'
    for c in configurations:
        solved = [q for q in queries if runs.get(q, c)['answer'] == 'solved']
        times = sorted(seconds(runs, q, c, column(c)) for q in solved)
        minutes = sum(seconds(runs, q, c, column(c)) for q in queries) / 60
        failed = len(queries) - len(solved)
        paper = SUMMARIES.get(SUMMARY_NAMES.get(c), None)
        rows.append([c, f'{minutes:.2f}', failed, f'{100 * len(solved) / max(len(queries), 1):.1f} %',
                     f'{sum(times) / max(len(times), 1):.2f}',
                     *(f'{x:g}' for x in paper[:2]), f'{100 * (1 - paper[1] / 1061):.1f} %', f'{paper[2]:g}'] if paper else
                    [c, f'{minutes:.2f}', failed, f'{100 * len(solved) / max(len(queries), 1):.1f} %',
                     f'{sum(times) / max(len(times), 1):.2f}', '', '', '', ''])
        so_far, points = 0, []
        for i, t in enumerate(times):
            so_far += t
            points.append((i + 1, max(so_far, 0.01)))
        series.append((c, points, False))
    single = [c for c in configurations if c != 'min']
    best = [min((seconds(runs, q, c) for c in single), default=0) for q in queries]
    chart = os.path.join(folder, 'tvpi.svg')
    charts.lines(chart, 'Queries solved within a time in total', 'queries solved', 'seconds in total', series)
    counts = sorted(int(runs.get(q, configurations[0])['predicates'] or 0) for q in queries)
    return '\n'.join([
        '## Queries of program fragments: [SUM] Fig. 4a\n',
        f'{len(queries)} queries with {counts[0] if counts else 0} to {counts[-1] if counts else 0} predicates, '
        f'{runs.timeout:g} s and {runs.memory} MB each; a failure counts as {runs.timeout:g} s. Processor time; of `min`, '
        'elapsed time on two cores. The paper reports on the 1061 of its 20,000 queries that took 5 s or more with some engine.\n',
        table(['engine', 'minutes in total', 'failed', 'solved', 's per solved', 'paper: minutes', 'failed', 'solved',
               's per solved'], rows),
        f'\nThe best single engine of each query: {sum(best) / 60:.2f} minutes in total.\n', '![cactus plot](tvpi.svg)\n'])


def wide(runs, queries):
    """Queries whose minterms outnumber their prime implicants by ten or more."""
    def many(q):
        row = runs.get(q, 'cubes') or runs.get(q, 'allsat')
        return row and row['answer'] == 'solved' and float(row['minterms']) >= 10 * max(int(row['cubes'] or 1), 1)
    return [q for q in queries if many(q) and runs.get(q, 'allsat')]


def widened(runs, queries, whole=None):
    """What `cubes` is for; `whole` is a script with all such queries."""
    chosen = wide(runs, queries)
    if not chosen:
        return ''
    ratios = [seconds(runs, q, 'allsat') / max(seconds(runs, q, 'cubes'), 1e-3) for q in chosen]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    times = lambda queries: [sum(seconds(runs, q, c) for q in queries) for c in ('allsat', 'cubes')]
    said = lambda allsat, cubes: f'`cubes` takes {cubes:.3f} s and `allsat` {allsat:.3f} s, {allsat / cubes:.1f} times as long'
    together = f'asked of one process, {said(*times([whole]))}; ' if whole else ''
    return (f'Of these, {len(chosen)} have ten or more times as many minterms as prime implicants: {together}with a process for '
            f'each, {said(*times(chosen))} in total, and the geometric mean of the ratios is {mean:.1f}.\n')


def extremes(runs, queries, configurations):
    def cell(q, c):
        row = runs.get(q, c)
        return f"{seconds(runs, q, c):.2f}" if row['answer'] == 'solved' else row['answer']
    rows = []
    for name, q in queries.items():
        row = next((r for c in configurations if (r := runs.get(q, c)) and r['answer'] == 'solved' and r['cubes'] != ''),
                   {'predicates': '', 'minterms': '', 'cubes': ''})
        rows.append([name, row['predicates'], row['minterms'], row['cubes'], *(cell(q, c) for c in configurations)])
    return '\n'.join(['## Extremes\n', 'Processor seconds.\n',
                      table(['query', 'predicates', 'minterms', 'cubes', *configurations], rows), ''])
