"""Charts as SVG, without anything but text."""
import html, math

COLOURS = ['#1b6ca8', '#c0392b', '#2e8b57', '#8e44ad', '#d68910', '#444444']
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 400, 62, 48, 34, 170


def _frame(title, x_label, y_label):
    return [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{LEFT}" y="20" font-size="14">{html.escape(title)}</text>',
            f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{html.escape(x_label)}</text>',
            f'<text transform="translate(16,{(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
            f'{html.escape(y_label)}</text>',
            f'<path d="M{LEFT},{TOP} V{HEIGHT - BOTTOM} H{WIDTH - RIGHT}" stroke="black" fill="none"/>']


def _ticks(low, high):
    """Powers of ten from `low` to `high`."""
    return [10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def lines(path, title, x_label, y_label, series, log_x=False, log_y=True):
    """`series` is a list of (name, [(x, y)], dashed); the dashed ones are a paper's."""
    points = [p for _, ps, _ in series for p in ps]
    if not points:
        return False
    floor = 1e-2
    y_high = max(max(y for _, y in points), 1)
    y_ticks = _ticks(max(min(y for _, y in points), floor), y_high) if log_y else [y_high * i / 4 for i in range(5)]
    x_low, x_high = min(x for x, _ in points), max(x for x, _ in points)
    x_high = x_high if x_high > x_low else x_low + 1

    def place_x(x):
        share = math.log(x / x_low) / math.log(x_high / x_low) if log_x else (x - x_low) / (x_high - x_low)
        return LEFT + share * (WIDTH - RIGHT - LEFT)

    def place_y(y):
        low, high = y_ticks[0], y_ticks[-1]
        share = math.log(max(y, low) / low) / math.log(high / low) if log_y else y / high
        return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)

    out = _frame(title, x_label, y_label)
    for y in y_ticks:
        out.append(f'<path d="M{LEFT},{place_y(y):.1f} H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{place_y(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in sorted({p[0] for p in points}) if log_x else [x_low, (x_low + x_high) / 2, x_high]:
        out.append(f'<text x="{place_x(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    for i, (name, ps, dashed) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        dash = ' stroke-dasharray="5,4"' if dashed else ''
        if ps:
            way = ' '.join(f'{place_x(x):.1f},{place_y(y):.1f}' for x, y in ps)
            out.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        y = TOP + 14 + 18 * i
        out.append(f'<path d="M{WIDTH - RIGHT + 10},{y - 4} h18" stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(f'<text x="{WIDTH - RIGHT + 33}" y="{y}">{html.escape(name)}</text>')
    _write(path, out)
    return True


def scatter(path, title, x_label, y_label, points, limit):
    """Pairs of times on logarithmic axes, with the diagonal; a time at `limit` did not end."""
    low = 0.02

    def place(value, start, length):
        share = math.log(min(max(value, low), limit) / low) / math.log(limit / low)
        return start + share * length

    width, height = WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP
    out = _frame(title, x_label, y_label)
    out.append(f'<path d="M{LEFT},{HEIGHT - BOTTOM} L{LEFT + width},{TOP}" stroke="#aaa"/>')
    for tick in [t for t in _ticks(low, limit) if low <= t <= limit] + [limit]:
        out.append(f'<text x="{LEFT - 6}" y="{HEIGHT - BOTTOM - place(tick, 0, height) + 4:.1f}" '
                   f'text-anchor="end">{tick:g}</text>')
        out.append(f'<text x="{place(tick, LEFT, width):.1f}" y="{HEIGHT - BOTTOM + 16}" '
                   f'text-anchor="middle">{tick:g}</text>')
    for x, y in points:
        out.append(f'<circle cx="{place(x, LEFT, width):.1f}" cy="{HEIGHT - BOTTOM - place(y, 0, height):.1f}" r="4" '
                   f'fill="{COLOURS[0]}" fill-opacity="0.6"/>')
    _write(path, out)


def _write(path, out):
    with open(path, 'w') as f:
        f.write('\n'.join(out + ['</svg>']) + '\n')
