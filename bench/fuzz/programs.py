"""Running solvers on many scripts in one process, and on those alone where that fails."""
import os, re, subprocess, tempfile

MARK = 'end of script'
FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'oracles')


class Reply:
    """What a program said to a script. `why` it said no more: None, 'timeout', or what is wrong."""

    def __init__(self, output, why=None, messages=''):
        self.output, self.why, self.messages = output, why, messages


class Program:
    """A solver that answers SMT-LIB 2 on standard input."""

    def __init__(self, name, command, limit):
        self.name, self.command, self.limit = name, command, limit

    def answer(self, scripts):
        """The replies to scripts. They are sent to one process, with resets between them; a script that the process
        does not finish is tried alone, and the others go on in another process."""
        replies = []
        while len(replies) < len(scripts):
            rest = scripts[len(replies):]
            done, failed = self.run(rest)
            replies += done
            if len(done) < len(rest):
                alone = [failed] if len(done) == 0 and len(rest) == 1 else self.alone(rest[len(done)])
                replies += alone
        return replies

    def alone(self, script):
        done, failed = self.run([script])
        return done or [failed]

    def run(self, scripts):
        """The replies to scripts from one process, up to the first that is not finished, and the reply to that."""
        lines = []
        for script in scripts:
            lines += script + [f'(echo "{MARK}")', '(reset)']
        with tempfile.TemporaryFile('w+') as source, tempfile.TemporaryFile('w+') as out, \
                tempfile.TemporaryFile('w+') as err:
            source.write('\n'.join(lines) + '\n')
            source.seek(0)
            why, code = None, None
            try:
                code = subprocess.run(self.command, stdin=source, stdout=out, stderr=err, timeout=4 * self.limit).returncode
            except subprocess.TimeoutExpired:
                why = 'timeout'
            out.seek(0)
            err.seek(0)
            output, messages = out.read(), err.read()
        pieces = re.split(rf'^"?{MARK}"?\n', output, flags=re.M)
        done = [Reply(piece) for piece in pieces[:-1]]
        if len(done) == len(scripts) and self.is_fine(code):
            return done, None
        if len(done) == len(scripts):
            # All was said, and then something went wrong: the last one is to blame.
            pieces = pieces[:-1]
            done.pop()
        return done, Reply(pieces[-1], why or self.reason(code, messages), messages)

    def is_fine(self, code):
        return True

    def reason(self, code, messages):
        return f'exit code {code}: {messages.strip()[-300:]}'


class Tamis(Program):
    """The program under test. A timeout, and nothing else, is no fault of it."""

    def __init__(self, path, limit):
        super().__init__('tamis', [path, 'solve', '-', '--timeout', str(limit), '--memory', '3000'], limit)

    def is_fine(self, code):
        # 3 and 4: a check ended unknown, by a limit or for a term that is not decided. Errors are seen in the output.
        return code in (0, 3, 4)

    def reason(self, code, messages):
        stopped = code == 3 and ('unknown: timeout' in messages or 'unknown: memory' in messages)
        return 'timeout' if stopped else super().reason(code, messages)


def oracle(name, limit):
    """An oracle by its name: on the PATH, or for cvc5 and bitwuzla by way of their Python modules."""
    milliseconds = int(1000 * limit)
    arguments = {
        'z3': ['z3', '-smt2', '-in', f'-t:{milliseconds}'],
        'cvc5': [os.path.join(FOLDER, 'cvc5'), f'--tlimit-per={milliseconds}'],
        'bitwuzla': [os.path.join(FOLDER, 'bitwuzla'), f'--time-limit-per={milliseconds}'],
    }
    return Program(name, arguments[name], 4 * limit)
