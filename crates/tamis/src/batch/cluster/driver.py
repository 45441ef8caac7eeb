"""Hands checks to a Dask scheduler, and what comes of them back.

Tasks come on standard input, one JSON object on each line; results and news go to standard output the same way. The program that
started this one keeps the results: nothing is kept here.

The executable travels as a plugin of the workers: each worker, and each that comes later, gets it once. The plugin also tells the
scheduler how many cores and how much memory the worker has to share out, unless the worker was started with such resources.
"""
import collections
import json
import os
import queue
import sys
import threading
import time

try:
    import distributed
    from distributed.diagnostics.plugin import WorkerPlugin
    from distributed.scheduler import KilledWorker
except ImportError as error:
    print(json.dumps({"event": "missing", "why": str(error)}), flush=True)
    sys.exit(0)

CORES, MEMORY = "tamis-cores", "tamis-memory"
# More tasks than run at the same time are on their way, so that no worker waits for its next.
AHEAD = 1.5
# A task that has lost so many workers runs alone on one, where no other can be the reason; one that loses so many there is given up.
LOST, LOST_ALONE = 2, 2
# A worker that has no memory or disk for a moment may be asked again.
RETRIES = 2
CONNECT = 20


class Executable(WorkerPlugin):
    """The executable on a worker, and the checks that run there."""

    def __init__(self, name, contents):
        self.name = name
        self.contents = contents
        self.path = None
        self.running = {}

    async def setup(self, worker):
        import os

        path = os.path.join(worker.local_directory, self.name)
        if not os.path.exists(path):
            partial = f"{path}.{os.getpid()}"
            with open(partial, "wb") as file:
                file.write(self.contents)
            os.chmod(partial, 0o755)
            os.replace(partial, path)
        # It is on the disk now; what is not known to this worker is not forgotten by the scheduler.
        self.path, self.contents = path, None
        own = {}
        if CORES not in worker.state.total_resources:
            own[CORES] = worker.state.nthreads
        if MEMORY not in worker.state.total_resources:
            own[MEMORY] = worker.memory_manager.memory_limit or distributed.system.MEMORY_LIMIT
        if own:
            await worker.set_resources(**own)

    def transition(self, key, start, finish, **kwargs):
        # Who asked is gone, or has asked another worker.
        if finish in ("cancelled", "released", "forgotten", "error"):
            self.end(self.running.get(str(key)))

    def teardown(self, worker):
        for process in list(self.running.values()):
            self.end(process)

    @staticmethod
    def end(process):
        import os
        import signal

        if process is not None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except OSError:
                pass


def check(task):
    """Runs a check on a worker."""
    import ctypes
    import os
    import shutil
    import signal
    import subprocess
    import tempfile
    import threading
    import time

    from distributed import get_worker
    from distributed.utils import sync

    worker = get_worker()
    # It is known to have begun before it can do any harm.
    sync(worker.loop, worker.scheduler.log_event, topic=task["topic"], msg=task["id"])
    plugin = worker.plugins[task["executable"]]
    folder = tempfile.mkdtemp(prefix="check-", dir=worker.local_directory)
    libc = ctypes.CDLL(None)

    def with_its_worker():
        # A check whose worker was killed would go on for nobody.
        if hasattr(libc, "prctl"):
            libc.prctl(1, signal.SIGKILL)

    overdue = []
    try:
        for file in task["files"]:
            path = os.path.join(folder, file["name"])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(file["contents"])
        page = os.path.join(folder, "page.html")
        arguments = [plugin.path, "check", *task["arguments"]] + (["--report", page] if task["page"] else [])
        with open(os.path.join(folder, ".out"), "w+b") as out, open(os.path.join(folder, ".err"), "w+b") as err:
            start = time.monotonic()
            process = subprocess.Popen(
                arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                preexec_fn=with_its_worker,
            )
            plugin.running[task["key"]] = process

            def late():
                overdue.append(True)
                plugin.end(process)

            timer = threading.Timer(task["seconds"], late)
            timer.start()
            try:
                _, status, usage = os.wait4(process.pid, 0)
            finally:
                timer.cancel()
                plugin.running.pop(task["key"], None)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.monotonic() - start
            out.seek(0)
            length = err.seek(0, os.SEEK_END)
            err.seek(max(0, length - 4000))
            text = None
            if os.path.exists(page):
                with open(page, encoding="utf-8", errors="replace") as file:
                    text = file.read()
            return {
                "exit_code": process.returncode if process.returncode >= 0 else None,
                "signal": -process.returncode if process.returncode < 0 else None,
                "stdout": out.read().decode(errors="replace"),
                "stderr": err.read().decode(errors="replace"),
                "seconds": seconds,
                "processor_seconds": usage.ru_utime + usage.ru_stime,
                "memory_mb": usage.ru_maxrss * 1024 / 1e6,
                "overdue": bool(overdue),
                "worker": worker.address,
                "page": text,
            }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def tell(**news):
    print(json.dumps(news), flush=True)


class Driver:
    def __init__(self, config):
        self.config = config
        self.events = queue.Queue()
        self.room = threading.Condition()
        # At most so many tasks are with the scheduler.
        self.window = 1
        self.out = 0
        self.tasks = {}
        self.futures = {}
        # How often each task has begun, and the tasks that run alone.
        self.starts = collections.Counter()
        self.suspects = set()
        # The tasks that were with no worker when that was last looked at.
        self.idle = set()
        self.largest = self.config["cores"]
        self.ended = False

    def run(self):
        security = None
        if self.config["tls"]:
            ca, cert, key = self.config["tls"]
            security = distributed.Security(
                tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True
            )
        try:
            self.client = distributed.Client(
                self.config["address"], security=security, timeout=CONNECT, set_as_default=False, name="tamis-batch"
            )
        except Exception as error:  # whatever it is, there is no scheduler
            return tell(event="unreachable", why=" ".join(f"{error}".split()) or type(error).__name__)
        with open(self.config["executable"], "rb") as file:
            plugin = Executable(self.config["name"], file.read())
        try:
            self.client.register_plugin(plugin, name=plugin.name)
        except Exception as error:
            return tell(event="lost", why=f"{error}")
        self.topic = f"tamis-{os.urandom(6).hex()}"
        self.client.subscribe_topic(self.topic, lambda event: self.events.put(("start", event[1])))
        threading.Thread(target=self.read, daemon=True).start()
        looked = 0.0
        while self.client.status == "running" and not (self.ended and not self.tasks):
            if time.monotonic() - looked > 2:
                self.look()
                looked = time.monotonic()
            try:
                kind, what = self.events.get(timeout=0.5)
            except queue.Empty:
                continue
            if kind == "task":
                self.tasks[what["id"]] = what
                self.submit(what)
            elif kind == "end":
                self.ended = True
            elif kind == "start" and what in self.tasks:
                self.starts[what] += 1
                if self.starts[what] > self.most(what):
                    self.lost(what)
            elif kind == "done" and what in self.tasks:
                self.done(what)
        if self.tasks or not self.ended:
            return tell(event="lost", why=f"the connection is {self.client.status}")
        self.client.close()

    def look(self):
        """How large the cluster is."""
        try:
            workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        except TypeError:  # of an older version, which tells of all workers anyway
            workers = self.client.scheduler_info()["workers"].values()
        resources = [worker.get("resources", {}) for worker in workers]
        cores, memory = self.config["cores"], self.config["memory"]
        able = [r for r in resources if r.get(CORES, 0) >= cores and r.get(MEMORY, 0) >= memory]
        slots = sum(min(int(r[CORES] // cores), int(r[MEMORY] // memory)) for r in able)
        self.largest = max((r[CORES] for r in able), default=cores)
        tell(event="workers", workers=len(resources), able=len(able), slots=slots)
        with self.room:
            self.window = max(2, int(slots * AHEAD) + 1)
            self.room.notify_all()
        # A scheduler finds workers for tasks when these or a worker come, but not when a worker gets its resources after
        # that, or when no worker is as large as the one that a task was to have for itself.
        held = {key for keys in self.client.processing().values() for key in keys}
        idle = {number for number, future in self.futures.items() if future.status == "pending" and future.key not in held}
        for number in idle & self.idle if able else ():
            if self.starts[number] >= self.most(number):
                self.lost(number)
            else:
                self.again(number)
        self.idle = idle

    def read(self):
        """Takes tasks from standard input as there is room for them."""
        for line in sys.stdin:
            task = json.loads(line)
            with self.room:
                while self.out >= self.window:
                    self.room.wait()
                self.out += 1
            self.events.put(("task", task))
        self.events.put(("end", None))

    def submit(self, task):
        files = []
        for file in task["files"]:
            files.append({"name": file["name"], "contents": bytes.fromhex(file["hex"])})
        alone = task["id"] in self.suspects
        cores = self.largest if alone else self.config["cores"]
        # The key is new each time: a scheduler remembers what it was asked.
        key = f"tamis-{task['key'][:16]}-{os.urandom(6).hex()}"
        more = {"executable": self.config["name"], "topic": self.topic, "page": self.config["page"]}
        sent = {**task, **more, "key": key, "files": files}
        future = self.client.submit(
            check, sent, key=key, pure=False, retries=RETRIES, priority=10 if alone else 0,
            resources={CORES: cores, MEMORY: self.config["memory"]},
        )
        self.futures[task["id"]] = future
        future.add_done_callback(lambda _, number=task["id"]: self.events.put(("done", number)))

    def most(self, number):
        return LOST_ALONE if number in self.suspects else LOST

    def again(self, number):
        """Asks for a task anew."""
        old = self.futures[number]
        self.submit(self.tasks[number])
        old.cancel()

    def lost(self, number):
        """A task has begun several times, and its workers were lost each time. So may be all that ran beside it."""
        if number in self.suspects:
            tell(event="failed", id=number, killed=True, why="")
            self.futures[number].cancel()
            return self.forget(number)
        self.suspects.add(number)
        self.starts[number] = 0
        self.again(number)

    def forget(self, number):
        del self.tasks[number], self.futures[number], self.starts[number]
        with self.room:
            self.out -= 1
            self.room.notify_all()

    def done(self, number):
        future = self.futures[number]
        status = future.status
        if status == "finished":
            try:
                result = future.result(timeout=10)
            except Exception:  # the worker that has it is gone, and another one does the task again
                if self.client.status == "running":
                    again = threading.Timer(1, lambda: self.events.put(("done", number)))
                    again.daemon = True
                    again.start()
                return
            tell(event="result", id=number, result=result)
        elif status == "error":
            error = future.exception()
            if isinstance(error, KilledWorker):
                return self.lost(number)
            tell(event="failed", id=number, killed=False, why=f"{type(error).__name__}: {error}"[:500])
        else:
            # Lost with the scheduler, or cancelled by somebody else.
            if self.client.status == "running" and status == "cancelled":
                self.submit(self.tasks[number])
            return
        self.forget(number)


if __name__ == "__main__":
    try:
        Driver(json.loads(sys.argv[1])).run()
    except BrokenPipeError:
        pass  # nobody is there any more who would keep the results
    except Exception as error:
        tell(event="lost", why=f"{type(error).__name__}: {error}"[:500])
    # Threads of the client may be waiting for a scheduler that is gone.
    os._exit(0)
