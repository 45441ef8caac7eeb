#!/usr/bin/env python3
"""cvc5 and bitwuzla as programs, where only their Python modules are installed (the PyPI wheels have no binary).

usage: bench/oracles/cvc5 [--tlimit-per=MS] [FILE]      bench/oracles/bitwuzla [--time-limit-per=MS] [FILE]

The solver is the one whose name this file is called by. It answers an SMT-LIB 2 script from FILE or standard input on
standard output. With this folder in PATH, `tamis solve --solver cvc5` finds it: the options that Tamis gives to the
real programs are taken, and those without a meaning here are passed over.
"""
import os, sys


def cvc5(script, limit):
    import cvc5 as module
    manager = module.TermManager()
    solver, symbols = module.Solver(manager), module.SymbolManager(manager)
    # Constant arrays are refused without the second.
    options = {'incremental': 'true', 'arrays-exp': 'true', 'tlimit-per': str(limit)}

    def configure():
        for name, value in options.items():
            solver.setOption(name, value)

    configure()
    parser = module.InputParser(solver, symbols)
    parser.setStringInput(module.InputLanguage.SMT_LIB_2_6, script, 'script')
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        sys.stdout.write(command.invoke(solver, symbols))
        if command.getCommandName() == 'reset':
            configure()
        sys.stdout.flush()


def bitwuzla(script, limit):
    import bitwuzla as module
    options = module.Options()
    if limit:
        options.set(module.Option.TIME_LIMIT_PER, limit)
    module.Parser(module.TermManager(), options).parse(script, parse_file=False)


def main():
    name = os.path.basename(sys.argv[0])
    solvers = {'cvc5': cvc5, 'bitwuzla': bitwuzla}
    if name not in solvers:
        sys.exit(__doc__)
    limit, files = 0, []
    for argument in sys.argv[1:]:
        option, _, value = argument.partition('=')
        if option in ('--tlimit-per', '--time-limit-per'):
            limit = int(value)
        elif not argument.startswith('-'):
            files.append(argument)
    script = open(files[0]).read() if files else sys.stdin.read()
    try:
        solvers[name](script, limit)
    except Exception as error:
        message = str(error).strip().replace('"', '""')
        print(f'(error "{message}")', flush=True)
        sys.exit(1)


if __name__ == '__main__':
    main()
