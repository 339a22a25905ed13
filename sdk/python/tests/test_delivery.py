"""Delivery: in order, complete and exactly once, despite failures."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

from svc_observe import Observer

from .control_plane import ControlPlane


class Delivery(unittest.TestCase):
    def setUp(self):
        self.plane = ControlPlane()
        self.problems = []
        self.observer = self.observe()

    def tearDown(self):
        self.observer.shutdown(1)
        self.plane.go_away()

    def observe(self, **options):
        settings = dict(retry_delay=0.01, flush_interval=0.01, on_error=self.problems.append)
        settings.update(options, api_key="key", base_url=self.plane.url)
        return Observer({}, **settings)

    def codes(self):
        return [problem.code for problem in self.problems]

    def test_a_run_arrives_in_order_with_its_key(self):
        run = self.observer.start_run("support")
        run.record_call(model="m", tokens_in=1)
        run.record_step("look")
        run.complete({"done": True})
        self.assertTrue(self.observer.flush())
        self.assertEqual(self.plane.endpoints(), ["start", "llm-calls", "steps", "complete"])
        self.assertEqual({seen.headers["x-svc-key"] for seen in self.plane.seen}, {"key"})
        self.assertEqual(run.id, "1")
        self.assertEqual(run.outcome().governance_action, "allow")
        self.assertEqual(self.problems, [])

    def test_a_lost_response_repeats_the_same_batch(self):
        responses = iter(["drop", "drop"])
        self.plane.behave = lambda request: next(responses, None)
        run = self.observer.start_run("a")
        run.complete()
        self.assertTrue(self.observer.flush(30))
        ids = [seen.body["batch_id"] for seen in self.plane.seen if seen.endpoint == "start"]
        self.assertEqual(len(ids), 3)
        self.assertEqual(len(set(ids)), 1)

    def test_records_wait_while_the_server_is_unavailable(self):
        self.plane.go_away()
        runs = [self.observer.start_run(f"agent {n}") for n in range(20)]
        for run in runs:
            run.record_call(model="m", tokens_in=1)
            run.complete()
        self.assertFalse(self.observer.flush(0.05))
        self.assertEqual(self.observer.stats().queued, 60)
        self.plane.come_back()
        self.assertTrue(self.observer.flush(30))
        self.assertEqual(sorted(self.plane.endpoints()).count("complete"), 20)
        self.assertEqual(self.observer.stats().delivered, 60)
        self.assertEqual(self.codes(), ["unreachable"])

    def test_an_invalid_record_does_not_affect_the_others(self):
        def behave(request):
            bad = any(call["model"] == "bad" for call in request.body.get("calls", []))
            return (400, {"error": "bad call"}) if bad else None

        self.plane.behave = behave
        observer = self.observe(flush_interval=60)
        run = observer.start_run("a")
        for n in range(50):
            run.record_call(model="bad" if n == 17 else "good", tokens_in=n)
        run.complete()
        self.assertTrue(observer.flush(30))
        self.assertEqual(len(self.plane.items("calls")), 49)
        self.assertEqual(observer.stats().dropped, 1)
        self.assertEqual(self.codes(), ["refused"])
        observer.shutdown()

    def test_a_rejected_start_drops_only_its_run(self):
        def behave(request):
            refused = request.endpoint == "start" and request.body["agent_name"] == "no"
            headers = {"x-error-reason": "tenant_suspended"}
            return (403, {"error": "suspended"}, headers) if refused else None

        self.plane.behave = behave
        for name in ("no", "yes"):
            run = self.observer.start_run(name)
            run.record_step("s")
            run.complete()
        self.assertTrue(self.observer.flush(30))
        self.assertEqual([seen.body["agent_name"] for seen in self.plane.taken[:1]], ["yes"])
        self.assertEqual([problem.reason for problem in self.problems], ["tenant_suspended"])
        self.assertEqual(self.observer.stats().delivered, 3)

    def test_a_batch_is_dropped_after_ten_failed_attempts(self):
        self.plane.behave = lambda request: (500, {}) if request.endpoint == "steps" else None
        observer = self.observe(retry_delay=0.001)
        run = observer.start_run("a")
        run.record_step("s")
        run.complete()
        self.assertTrue(observer.flush(60))
        observer.shutdown()
        attempts = [seen for seen in self.plane.seen if seen.endpoint == "steps"]
        self.assertEqual(len(attempts), 10)
        self.assertEqual(self.plane.endpoints(), ["start", "complete"])

    def test_retry_after_is_respected(self):
        responses = iter([(429, {"error": "slow down"}, {"retry-after": "1"})])
        self.plane.behave = lambda request: next(responses, None)
        self.observer.start_run("a").complete()
        self.assertFalse(self.observer.flush(0.2))
        self.assertEqual(len(self.plane.seen), 1)
        self.assertTrue(self.observer.flush(30))

    def test_a_full_queue_keeps_accepted_runs_complete(self):
        observer = self.observe(max_queue=4)
        self.plane.go_away()
        run = observer.start_run("a")
        for _ in range(10):
            run.record_step("s")
        run.complete()
        late = observer.start_run("late")
        late.record_step("s")
        late.complete()
        self.plane.come_back()
        self.assertTrue(observer.flush(30))
        self.assertEqual(self.plane.endpoints(), ["start", "steps", "complete"])
        self.assertEqual(len(self.plane.items("steps")), 3)
        self.assertEqual(observer.stats().dropped, 8)
        observer.shutdown()

    def test_a_child_run_starts_after_its_parent_and_has_its_id(self):
        with self.observer.start_run("outer") as outer:
            inner = self.observer.start_run("inner")
            inner.complete()
        self.assertTrue(self.observer.flush())
        starts = [seen.body for seen in self.plane.taken if seen.endpoint == "start"]
        self.assertEqual([start["agent_name"] for start in starts], ["outer", "inner"])
        self.assertEqual(starts[1]["parent_run_id"], outer.id)
        self.assertEqual(starts[1]["trace_id"], starts[0]["trace_id"])

    def test_records_of_many_threads_arrive_exactly_once(self):
        def work(n):
            with self.observer.start_run(f"agent {n}") as run:
                for m in range(100):
                    run.record_call(model=f"{n}-{m}", tokens_in=1)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(self.observer.flush(60))
        models = [call["model"] for call in self.plane.items("calls")]
        self.assertEqual(len(models), 1600)
        self.assertEqual(len(set(models)), 1600)

    def run_program(self, program):
        env = {**os.environ, "SVC_API_KEY": "key", "SVC_API_URL": self.plane.url}
        source = textwrap.dedent(program)
        return subprocess.run([sys.executable, "-c", source], env=env, timeout=120, check=True)

    def run_file(self, program):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as file:
                file.write(program)
            env = {**os.environ, "SVC_API_KEY": "key", "SVC_API_URL": self.plane.url}
            subprocess.run([sys.executable, path], env=env, timeout=120, check=True)

    def test_queued_records_are_sent_when_the_program_ends(self):
        self.run_program(
            """
            import svc_observe
            svc_observe.start_run('main').record_call(model='m', tokens_in=1)
            svc_observe.record_step('outside')
            """
        )
        self.assertEqual(sorted(self.plane.endpoints()).count("start"), 2)
        self.assertEqual(len(self.plane.items("calls")), 1)
        self.assertEqual(len(self.plane.items("steps")), 1)

    @unittest.skipUnless(hasattr(signal, "pause"), "no signals on this system")
    def test_sigterm_sends_the_queue_only_if_a_handler_ends_the_program(self):
        handler = "import sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))"
        for handles, code, calls in (("", -signal.SIGTERM, 0), (handler, 143, 1)):
            with self.subTest(handles):
                self.plane.taken.clear()
                program = f"import signal, svc_observe\n{handles}\n{WAIT_FOR_A_SIGNAL}"
                env = {**os.environ, "SVC_API_KEY": "key", "SVC_API_URL": self.plane.url}
                with subprocess.Popen(
                    [sys.executable, "-c", program], env=env, stdout=subprocess.PIPE
                ) as process:
                    process.stdout.readline()
                    process.terminate()
                    self.assertEqual(process.wait(120), code)
                self.assertEqual(len(self.plane.items("calls")), calls)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork on this system")
    def test_a_forked_process_sends_only_its_own_records(self):
        self.run_program(
            """
            import os, svc_observe
            svc_observe.init(flush_interval=60)
            run = svc_observe.start_run('parent')
            run.ready()
            run.record_call(model='parent', tokens_in=1)
            pid = os.fork()
            if pid == 0:
                with svc_observe.start_run('child', parent=None) as child:
                    child.record_call(model='child', tokens_in=1)
                svc_observe.shutdown()
                os._exit(0)
            os.waitpid(pid, 0)
            run.complete()
            svc_observe.shutdown()
            """
        )
        models = sorted(call["model"] for call in self.plane.items("calls"))
        self.assertEqual(models, ["child", "parent"])
        self.assertEqual(self.plane.endpoints().count("complete"), 2)

    def test_workers_of_multiprocessing_send_their_records_before_they_end(self):
        """Except for `spawn`, they end without `atexit`."""
        for method in multiprocessing.get_all_start_methods():
            for workers in (PROCESS, POOL) if has_pools(method) else (PROCESS,):
                with self.subTest(method=method, workers=workers):
                    self.plane.taken.clear()
                    self.run_file(f"METHOD = {method!r}\n{WORK}{workers}")
                    models = sorted(call["model"] for call in self.plane.items("calls"))
                    self.assertEqual(models, ["a", "b", "main"])
                    self.assertEqual(self.plane.endpoints().count("complete"), 3)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork on this system")
    def test_a_forked_process_does_not_wait_for_locks_of_other_threads(self):
        self.run_program(
            """
            import os, svc_observe
            observer = svc_observe.init(flush_interval=60)
            run = svc_observe.start_run('parent')
            with run.within(), svc_observe._lock, observer._lock, run._lock:
                import threading
                pids = []
                def fork():
                    pid = os.fork()
                    if pid == 0:
                        svc_observe.record_step('outside')
                        with svc_observe.start_run('child') as child:
                            child.record_call(model='child', tokens_in=1)
                        svc_observe.shutdown()
                        os._exit(0)
                    pids.append(pid)
                thread = threading.Thread(target=svc_observe.in_context(fork))
                thread.start()
                thread.join()
                os.waitpid(pids[0], 0)
            run.complete()
            """
        )
        self.assertIn("child", [call["model"] for call in self.plane.items("calls")])


WAIT_FOR_A_SIGNAL = """
svc_observe.init(flush_interval=60)
with svc_observe.start_run('main') as run:
    run.ready()
    run.record_call(model='m', tokens_in=1)
    print('recorded', flush=True)
    signal.pause()
"""

# `spawn` and `forkserver` import the main module in each worker.
WORK = """
import multiprocessing
import svc_observe

def work(model):
    with svc_observe.start_run('worker') as run:
        run.record_call(model=model, tokens_in=1)
"""
PROCESS = """
if __name__ == '__main__':
    work('main')
    context = multiprocessing.get_context(METHOD)
    workers = [context.Process(target=work, args=(model,)) for model in 'ab']
    for worker in workers: worker.start()
    for worker in workers: worker.join()
"""
POOL = """
if __name__ == '__main__':
    import concurrent.futures
    work('main')
    context = multiprocessing.get_context(METHOD)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        list(pool.map(work, 'ab'))
"""


def has_pools(method):
    """The pools of some versions of PyPy, such as 7.3.11, start only forked workers."""
    return method == "fork" or hasattr(
        concurrent.futures.ProcessPoolExecutor, "_adjust_process_count"
    )


if __name__ == "__main__":
    unittest.main()
