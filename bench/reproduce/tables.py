"""The papers' tables over our results, as Markdown."""
import os
from . import charts, paper_figures as paper

MIN_8_ELM, MIN_8_SUB = [50, 100, 150, 200, 250], 250
MIN_9_SUB = [100, 200, 400, 800, 1600, 3200, 6400]


def number(row, column):
    return int(row[column]) if row and row[column] else None


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def shown(value, digits=0):
    return '–' if value is None else f'{value:.{digits}f}' if isinstance(value, float) else str(value)


def predicates(row, with_branches=True):
    """Different predicates / at one point / branches."""
    columns = ['predicates', 'at_a_point'] + (['branches'] if with_branches else [])
    values = [row[c] for c in columns] if row else []
    return '/'.join(values) if all(values) and values else '–'


def time(row):
    """The seconds; * and the reason if there is no answer."""
    if not row:
        return 'not run'
    return row['seconds'] if row['answer'] == 'solved' else f"* {row['answer']}"


def table(header, rows):
    lines = ['| ' + ' | '.join(header) + ' |', '|' + ' --- |' * len(header)]
    return '\n'.join(lines + ['| ' + ' | '.join(str(c) for c in row) + ' |' for row in rows]) + '\n'


def name(task):
    return os.path.splitext(task['path'].removeprefix('c/'))[0]


def min_7(runs, tasks, presets, folder):
    """[MIN Fig. 7]: strategies against each other."""
    header = ['program', 'expected']
    for p in presets:
        header += [f'{p}: s', 'it.', 'predicates', 'MB']
    rows = []
    for t in tasks:
        row = [name(t), t['expected']]
        for p in presets:
            r = runs.get(t, p)
            row += [time(r), r['iterations'] if r else '', predicates(r), r['memory'] if r else '']
        rows.append(row)
    text = ['## Refinement strategies [MIN Fig. 7]\n',
            'Predicates are *different ones / at one point / branches that they come from*; presets that do not take '
            'predicates from branches have 0 branches. `*`: no answer, and why not; the other columns are then what '
            'was there when it was stopped.\n',
            summary_7(runs, tasks, presets), pairs_7(runs, tasks), table(header, rows)]
    series = []
    for p in presets:
        solved = sorted(float(r['seconds']) for t in tasks if (r := runs.get(t, p)) and r['answer'] == 'solved')
        series.append((p, [(i + 1, s) for i, s in enumerate(solved)], False))
    if charts.lines(os.path.join(folder, 'min-7.svg'), 'Programs solved within a time', 'programs', 'seconds', series):
        text.insert(2, '![programs solved within a time](min-7.svg)\n')
    return '\n'.join(text)


def summary_7(runs, tasks, presets):
    rows = []
    for p in presets:
        done = [r for t in tasks if (r := runs.get(t, p))]
        solved = [r for r in done if r['answer'] == 'solved']
        wrong = sum(r['answer'] in ('WRONG', 'CRASH') for r in done)
        averages = [mean([float(r['seconds']) for r in solved]), mean([number(r, 'iterations') for r in solved])]
        three = '/'.join(shown(mean([number(r, c) for r in solved]), 1) for c in ('predicates', 'at_a_point', 'branches'))
        memory = mean([number(r, 'memory') for r in solved])
        theirs = paper.MIN_7_AVERAGE.get(p)
        beside = [f'{theirs[0]}', f'{theirs[1]}', theirs[2], f'{theirs[3]}',
                  f'{paper.MIN_7_STOPPED[p]} of {paper.MIN_7_PROGRAMS}'] if theirs else ['–'] * 5
        rows.append([p, f'{len(solved)} of {len(done)}', wrong, shown(averages[0], 2), shown(averages[1], 1), three,
                     shown(memory), *beside])
    return ('Averages over the programs that each strategy solves; the paper\'s averages over its own 26 programs, '
            'those that it stopped after three hours included as they were then ([MIN] Fig. 7).\n\n'
            + table(['strategy', 'solved', 'wrong', 's', 'iterations', 'predicates', 'MB', 'paper: s', 'iterations',
                     'predicates', 'MB', 'stopped'], rows))


def pairs_7(runs, tasks):
    """magic-minimize against magic where both end."""
    both = [(name(t), a, b) for t in tasks
            if (a := runs.get(t, 'magic')) and (b := runs.get(t, 'magic-minimize'))
            and a['answer'] == b['answer'] == 'solved' and a['branches'] and b['branches']]
    if not both:
        return ''
    ours, theirs = mean([number(b, 'branches') for _, _, b in both]), mean([number(a, 'branches') for _, a, _ in both])
    more = [n for n, a, b in both if number(b, 'branches') > number(a, 'branches')]
    ratio = f' ({ours / theirs:.2f} times)' if theirs else ''
    text = (f'Where `magic` and `magic-minimize` both end ({len(both)} programs), the branches are {theirs:.1f} and '
            f'{ours:.1f} on average{ratio}; the paper has 22 and 3. ')
    for answer in ('true', 'false'):
        part = [(a, b) for _, a, b in both if a['verdict'].startswith(answer)]
        if part:
            text += (f"Of those that are `{answer}` ({len(part)}): {mean([number(a, 'branches') for a, _ in part]):.1f} "
                     f"and {mean([number(b, 'branches') for _, b in part]):.1f}. ")
    text += f'More branches than `magic`: {", ".join(more)}.\n' if more else 'Never more than `magic`.\n'
    return text + minima_7([(n, a, b) for n, a, b in both if b['verdict'].startswith('true')])


def minima_7(proofs):
    """How few branches a proof takes, as far as magic-minimize has found out."""
    least = [(n, number(a, 'branches'), number(b, 'branches'), number(b, 'at_least') or 0) for n, a, b in proofs]
    minimum = [row for row in least if row[2] == row[3]]
    few = [row for row in minimum if 3 * row[3] <= row[1]]
    text = (f'\nOf the {len(least)} proofs, {len(minimum)} have a minimum of all branches, which is a third of '
            f"`magic`'s or less for {len(few)}: no proof by branches takes fewer. Of the others only a bound is known.\n\n")
    return text + table(['proof', 'magic', 'magic-minimize', 'at least'], least)


def min_8_9(runs, tasks, folder):
    """[MIN Fig. 8 and 9]: limits of the combinations."""
    text = []
    for title, values, configuration, key, file in [
            ('MAXELM [MIN Fig. 8]', MIN_8_ELM, lambda v: f'maxelm-{v}', paper.MIN_8, 'min-8'),
            ('MAXSUB [MIN Fig. 9]', MIN_9_SUB, lambda v: f'maxsub-{v}', paper.MIN_9, 'min-9')]:
        rows, series = [], []
        for t in tasks:
            points = []
            for v in values:
                r = runs.get(t, configuration(v))
                rows.append([name(t), v, time(r), *[r[c] if r else '' for c in (
                    'iterations', 'branches', 'memory', 'eliminating', 'tried_size', 'eliminating_size')]])
                if r and r['answer'] == 'solved':
                    points.append((v, float(r['seconds'])))
            series.append((name(t).split('/')[-1], points, False))
        theirs = []
        for program, by_value in key.items():
            for v, (seconds, iterations, branches, memory, tg, *sizes) in by_value.items():
                mt, mg = ('–', *sizes) if len(sizes) == 1 else sizes
                theirs.append([f'paper: {program}', v, seconds, iterations, branches, memory, tg, mt, mg])
            series.append((f'paper: {program}', [(v, f[0]) for v, f in by_value.items() if not isinstance(f[0], str)], True))
        text.append(f'## {title}\n')
        if charts.lines(os.path.join(folder, f'{file}.svg'), title, title.split()[0], 'seconds', series, log_x=True):
            text.append(f'![{title}]({file}.svg)\n')
        text.append('TG: eliminating combinations generated; MT: the largest combination tried; MG: the largest '
                    'eliminating one. MAXSUB is 250 where MAXELM changes, and MAXELM equals MAXSUB where that changes.\n')
        text.append(table(['program', title.split()[0], 's', 'iterations', 'branches', 'MB', 'TG', 'MT', 'MG'],
                          rows + theirs))
    return '\n'.join(text)


# The presets of [SUM Fig. 4b]'s columns: large blocks by LDD, AllSAT and MIN, and small blocks.
LARGE, SMALL = ('lbe-ldd', 'lbe-allsat', 'lbe-min'), 'sbe-allsat'


def sum_4b(runs, tasks, folder, timeout):
    """[SUM Fig. 4b]: small against large blocks, and the engines for large ones."""
    rows, points, more, both, solved = [], [], [], 0, {preset: 0 for preset in LARGE}
    for t in tasks:
        small, by_engine = runs.get(t, SMALL), {preset: runs.get(t, preset) for preset in LARGE}
        large = by_engine['lbe-allsat']
        if not small or not large:
            continue
        for preset, run in by_engine.items():
            solved[preset] += bool(run) and run['answer'] == 'solved'
        rows.append([name(t), *[time(run) if run else '' for run in by_engine.values()],
                     *[large[c] for c in ('iterations', 'located', 'cutpoints')],
                     time(small), *[small[c] for c in ('iterations', 'located', 'blocks')]])
        times = [float(r['seconds']) if r['answer'] == 'solved' else timeout for r in (small, large)]
        points.append(tuple(times))
        if small['answer'] == large['answer'] == 'solved':
            both += 1
            if number(large, 'iterations') > number(small, 'iterations'):
                more.append(f"{name(t)} ({large['iterations']} against {small['iterations']})")
    theirs = [[f'paper: {program}', *['++' if c is None else c for c in large + small]]
              for program, (large, small) in paper.SUM_4B.items()]
    text = ['## Large against small blocks [SUM Fig. 4b]\n']
    if points:
        charts.scatter(os.path.join(folder, 'sum-4b.svg'), 'Large against small blocks', 'SBE, seconds', 'LBE, seconds',
                       points, timeout)
        text.append('![large against small blocks](sum-4b.svg)\n')
    text.append(f'Presets `lbe-allsat` and `sbe-allsat`. Both end on {both} programs; LBE takes more iterations than SBE '
                + (f'on {len(more)} of them: {"; ".join(more)}.\n' if more else 'on none of them.\n'))
    text.append('Of ' + str(len(rows)) + ' programs, '
                + ', '.join(f'`{preset}` answers {count}' for preset, count in solved.items()) + '.\n')
    text.append('Predicates are counted at every point where they are in use; iterations, predicates and cutpoints of LBE '
                'are those of `lbe-allsat`. `++`: it did not end.\n')
    text.append(table(['program', 'LDD: s', 'AllSAT: s', 'MIN: s', 'it.', 'predicates', 'cutpoints', 'SBE: s', 'it.',
                       'predicates', 'blocks'], rows + theirs))
    return '\n'.join(text)


CTL_PRESETS = ('ctl-old', 'ctl')


def ctl(runs, tasks, timeout):
    """[CTL Table 1 and 2]: without and with the paper's techniques."""
    rows, counted, faster, only = [], 0, 0, []
    for t in tasks:
        old, new = (runs.get(t, p) for p in CTL_PRESETS)
        row = [t.get('name') or name(t), t['expected']]
        for r in (old, new):
            row += [search_time(r), shown(number(r, 'iterations')), shown(number(r, 'located'))]
        rows.append(row)
        if takes_refinement(old, new):
            counted += 1
            faster += is_faster(new, old)
        if new and old and new['answer'] == 'solved' != old['answer']:
            only.append(row[0])
    figures = []
    for circuit, ((registers, gates, trace), old, new) in paper.CTL_2.items():
        figures.append([circuit, registers, gates, trace, *old, *new])
    share = f'{100 * faster / counted:.0f} %' if counted else '–'
    return '\n'.join([
        '## Control variables and branch conditions [CTL Table 1 and 2]\n',
        'Time is that of the search, in seconds, without the front end; iterations; predicates at the end, of which the bits of '
        f'variables that are kept are some. `*`: no answer in {timeout:g} s, and why not.\n',
        table(['design', 'expected', 'old: s', 'it.', 'predicates', 'new: s', 'it.', 'predicates'], rows),
        f'Of {counted} designs that take a refinement and that one of the two ends, `ctl` is faster on {faster} ({share}). It '
        f'alone ends {len(only)}: {", ".join(only) or "none"}.\n',
        'The paper: picoJava\'s integer unit (IU) and a programmable filter (PFIR) that was not published.\n',
        table(['circuit', 'registers', 'gates', 'counterexample', 'old: s', 'it.', 'predicates', 'new: s', 'it.',
               'predicates'], figures)])


def search_time(row):
    """The seconds of the search; * and the reason if there is no answer."""
    if not row:
        return 'not run'
    return row['search'] if row['answer'] == 'solved' else f"* {row['answer']}"


def takes_refinement(old, new):
    """Whether a design tells the two apart: one of them has an answer, and one of them had to refine."""
    solved = [r for r in (old, new) if r and r['answer'] == 'solved']
    refined = [r for r in (old, new) if r and (number(r, 'iterations') or 0) > 1]
    return old and new and solved and refined


def is_faster(new, old):
    if new['answer'] != 'solved' or old['answer'] != 'solved':
        return new['answer'] == 'solved'
    return float(new['search']) <= float(old['search'])
