"""Runs of `tamis check`, and their verdicts as they are counted."""
import dataclasses, json, os, re, subprocess, time

@dataclasses.dataclass
class Verdict:
    text: str               # the last line, without its first word
    seconds: float
    native: str = None      # what the replay of a violation by the machine gave
    unset: bool = False     # the counterexample has inputs, or values of what was never set
    others: dict = dataclasses.field(default_factory=dict)  # those of further properties
    properties: list = dataclasses.field(default_factory=list)  # all that is told of each

    @property
    def answer(self):
        """true, false, unknown, or CRASH. A violation that the machine does not replay is `false` without that replay."""
        if self.text.startswith('unknown(replay: the compiled program'):
            return 'false'
        word = self.text.split('(')[0]
        if word not in ('true', 'false', 'unknown') or self.text.startswith(('unknown(internal', 'unknown(evidence')):
            return 'CRASH'
        return word

    def reason(self):
        """Why it is unknown, without places and names: to be counted."""
        text = self.text[len('unknown('):-1]
        text = re.sub(r'(, | \()?(line \d+|[^ ,]*:\d+).*', '', text)
        text = re.sub(r"(['`‘]).*?['`’]", '…', text)
        text = re.sub(r'[\w/.-]+\.([chiv]|sv)\b', '…', text)
        return re.sub(r'\d+', 'N', text)[:90]

def check(args, files, options, properties, replay=True):
    """The verdict on the first property, with those on the others."""
    command = [args.tamis, 'check', *files, *options, '--timeout', str(args.timeout), '--memory', str(args.memory), '--json', '--quiet']
    if replay:
        command += ['--replay', 'native']
    for property in properties:
        command += ['--property', property]
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=args.timeout + 30)
    except subprocess.TimeoutExpired:
        return Verdict('(hangs)', time.monotonic() - start)
    lines = done.stdout.splitlines()
    if not lines or not lines[-1].startswith('VERDICT: '):
        return Verdict(f'(none, exit code {done.returncode})', time.monotonic() - start)
    verdict = Verdict(lines[-1].removeprefix('VERDICT: '), time.monotonic() - start)
    told = [line for line in lines if line.startswith('{')]
    if told:
        read(verdict, json.loads(told[-1])['properties'])
    return verdict

def read(verdict, properties):
    verdict.properties = properties
    first, *others = properties
    if others:
        reason = f"({first['reason']})" if first.get('reason') else ''
        verdict.text = first['verdict'] + reason
        verdict.others = {other['property']: other['verdict'] for other in others}
    verdict.native = (first.get('evidence') or {}).get('native')
    steps = (first.get('counterexample') or {}).get('steps') or []
    verdict.unset = any(kind in done for step in steps for done in step['does'] for kind in ('unset', 'input'))
