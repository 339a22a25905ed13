"""A test case with an observer and its control plane."""

import unittest

from svc_observe import Observer

from .control_plane import ControlPlane


class ObserverCase(unittest.TestCase):
    def setUp(self):
        self.plane = ControlPlane()
        self.problems = []
        self.observer = self.make()

    def tearDown(self):
        self.observer.shutdown(1)
        self.plane.go_away()

    def make(self, **options):
        settings = dict(retry_delay=0.01, flush_interval=0.01, on_error=self.problems.append)
        return Observer({}, **{**settings, **options, "api_key": "k", "base_url": self.plane.url})

    def arrived(self, endpoint):
        self.assertTrue(self.observer.flush(30))
        return [seen.body for seen in self.plane.taken if seen.endpoint == endpoint]
