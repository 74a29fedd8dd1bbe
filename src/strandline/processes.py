"""Processes beside the one that people started."""

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """End this process when its parent ends: a parent that is killed cannot stop the processes it started."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
