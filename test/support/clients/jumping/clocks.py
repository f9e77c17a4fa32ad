"""Runs a client whose clocks jump in its first pause."""

import os
import runpy
import sys
import time

sleep, wall, steady = time.sleep, time.time, time.monotonic


def sleep_and_jump(seconds):
    sleep(seconds)
    time.time = lambda: wall() + float(os.environ["WALL_JUMP"])
    time.monotonic = lambda: steady() + float(os.environ["STEADY_JUMP"])


time.sleep = sleep_and_jump
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
