"""How BenchExec runs Tamis: the tool-info module.

Use it from a folder that has contrib/ in it, as tool="contrib.benchexec_tamis" in a benchmark definition, with
--tool-directory naming the folder of the executable. contrib/test-benchexec runs BenchExec's own test of it.
"""

import re

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64
from benchexec.tools.template import BaseTool2

VERDICT = re.compile(r"VERDICT: (true|false|unknown)(?:\((.*)\))?$")

# The properties as BenchExec names them, for false results.
FALSE = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
}


class Tool(BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable("tamis")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="tamis")

    def name(self):
        return "Tamis"

    def project_url(self):
        return None

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        model = get_data_model_from_task(task, {ILP32: "--32", LP64: "--64"})
        if model and not {"--32", "--64"} & set(options):
            command.append(model)
        if task.property_file:
            command += ["--property", task.property_file]
        # Tamis then ends by itself, with what stopped it, before BenchExec kills it.
        limit = rlimits.cputime or rlimits.walltime
        if limit and "--timeout" not in options:
            command += ["--timeout", f"{max(1, limit - 2)}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", f"{max(1, rlimits.memory * 19 // 20 // 1_000_000)}MB"]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        for line in reversed(list(run.output)):
            found = VERDICT.search(line.strip())
            if not found:
                continue
            verdict, detail = found.groups()
            if verdict == "true":
                return result.RESULT_TRUE_PROP
            if verdict == "false":
                return FALSE.get(detail, f"{result.RESULT_FALSE_PROP}({detail})")
            if run.exit_code.value == 5:
                return f"{result.RESULT_ERROR}({detail})"
            if detail and detail.startswith("timeout"):
                return "TIMEOUT"
            if detail and detail.startswith("memory limit"):
                return "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN}({detail})"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """A statistic of --stats by its name, such as "iterations"."""
        for line in output:
            if line.strip().startswith(identifier + " "):
                return line.strip()[len(identifier):].strip()
        return None
