"""What an observer does when its process forks, and when it ends."""

from __future__ import annotations

import atexit
import os
import sys
import weakref
from typing import Any, Callable, TypeVar

Owner = TypeVar("Owner")


def on_fork(owner: Owner, reset: Callable[[Owner], None]) -> None:
    """Calls `reset` in each forked process while the owner exists.

    A forked process has only the thread that forked. Locks that another thread held are never
    released in it.
    """
    if not hasattr(os, "register_at_fork"):
        return
    reference = weakref.ref(owner)

    def after_in_child() -> None:
        living = reference()
        if living is not None:
            reset(living)

    os.register_at_fork(after_in_child=after_in_child)


class ExitHook:
    """Calls a function before the process ends.

    Workers of `multiprocessing`, and so those of a ProcessPoolExecutor, end without `atexit`. They
    call the finalizers of `multiprocessing.util` instead.
    """

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call
        self._finalizer: Any = None
        atexit.register(call)
        self.renew()

    def renew(self) -> None:
        """Must also be called in each forked process."""
        util = sys.modules.get("multiprocessing.util")
        # Without this module, `multiprocessing` has not started this process.
        if util is not None:
            self._finalize()
            # When a worker begins, it drops all finalizers, then calls what is registered here.
            util.register_after_fork(self, ExitHook._finalize)

    def remove(self) -> None:
        atexit.unregister(self._call)
        if self._finalizer is not None:
            self._finalizer.cancel()

    def _finalize(self) -> None:
        util = sys.modules["multiprocessing.util"]
        self._finalizer = util.Finalize(None, self._call, exitpriority=0)
