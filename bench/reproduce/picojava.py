"""The integer unit of picoJava II with properties: the rows IUscr of [CTL] Table 2, whose properties were not published.

The sources are Sun's, from a clone of github:paranlee/picoJava-II. Each property says of a state machine of the pipeline's control
that it is in one of its states once it has been reset; all of the unit is in its cone.
"""
import glob, os, re

MODULE = 'pipe_cntl'
# By name: what holds after a reset, and when a flag that it may read is set and cleared.
PROPERTIES = {
    # A miss of the stack cache is waited for only after it was requested (pipe_cntl.v, SMISS_STATE).
    'IU-smiss': ('!smiss_state[2] || seen', 'smiss_state[1]', 'smiss_state == 3\'b0'),
    # What is loaded and used by the next instruction is in one of four states (LDUSE_STATE).
    'IU-lduse': ('(lduse_state & (lduse_state - 3\'b1)) == 3\'b0', '1\'b0', '1\'b0'),
    # The third instruction of a folded group runs alone only after a trap (FOLD_STATE).
    'IU-fold': ('!fold_state[4] || seen', 'fold_state[1]', 'fold_state[0]'),
}
# Modules whose outputs are any values, which makes a proof say more: the register file, a memory that synthesis does not see and
# that has no clock, and the multiplier, whose gates run in a circle as words though not as bits.
ANY = ('rf', 'imdr')
MONITOR = """
reg seen_reset, seen;
initial seen_reset = 1'b0;
always @(posedge clk) begin
    if (!reset_l) seen_reset <= 1'b1;
    if (!reset_l || {clear}) seen <= 1'b0;
    else if ({set}) seen <= 1'b1;
    if (seen_reset) assert ({condition});
end
endmodule
"""


def sources(clone):
    """The Verilog of the integer unit and of the cells that it uses."""
    unit = glob.glob(os.path.join(clone, 'design', 'iu', '**', '*.v'), recursive=True)
    cells = glob.glob(os.path.join(clone, 'design', 'rtl', '*.v'))
    left_out = ('_shell.v', 'cpu.v')
    return sorted(f for f in unit + cells if not f.endswith(left_out))


def read(path):
    """The text of a file; Yosys does not take form feeds."""
    with open(path, errors='replace') as f:
        text = f.read().replace('\f', ' ')
    name = os.path.splitext(os.path.basename(path))[0]
    return with_any_outputs(text, name) if name in ANY else text


def with_any_outputs(text, module):
    """The ports of a module, and any values at its outputs."""
    start = re.search(rf'^module\s+{module}\b', text, re.M).start()
    head = text[start:text.index(';', start) + 1]
    ports = re.findall(r'^(input|output)\s*(\[[^]]*\])?\s*(\w+)\s*;', text[start:], re.M)
    lines = [f'{direction} {width} {name};' for direction, width, name in ports]
    for direction, width, name in ports:
        if direction == 'output':
            lines.append(f'(* anyseq *) reg {width} any_{name}; assign {name} = any_{name};')
    return '\n'.join([head, *lines, 'endmodule\n'])


def tasks(clone, folder):
    """Writes a file with all of the unit for each property; the tasks."""
    os.makedirs(folder, exist_ok=True)
    # Some files count on the macros that others include.
    headers = [os.path.join(clone, 'design', *path) for path in (('rtl', 'defines.h'), ('iu', 'ucode', 'rtl', 'ucode.h'))]
    for path in headers:
        with open(os.path.join(folder, os.path.basename(path)), 'w') as f:
            f.write(read(path))
    texts = [f'`include "{os.path.basename(path)}"' for path in headers] + [read(path) for path in sources(clone)]
    tasks = []
    for name, (condition, set_by, cleared_by) in PROPERTIES.items():
        monitor = MONITOR.format(condition=condition, set=set_by, clear=cleared_by)
        path = os.path.abspath(os.path.join(folder, name + '.sv'))
        with open(path, 'w') as f:
            for text in texts:
                f.write(with_monitor(text, monitor) + '\n')
        tasks.append({'suite': 'picojava', 'path': path, 'property': 'assert', 'expected': 'true', 'bits': '-',
                      'name': name, 'options': ['--top', 'iu', '-I', os.path.dirname(path)]})
    return tasks


def with_monitor(text, monitor):
    """The text of a file with the property at the end of the module that it is about."""
    module = re.search(rf'^module\s+{MODULE}\b', text, re.M)
    if not module:
        return text
    end = text.index('endmodule', module.start())
    return text[:end] + monitor + text[end + len('endmodule'):]
