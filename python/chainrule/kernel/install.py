"""`python -m chainrule.kernel install` for Jupyter in another environment."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from jupyter_client.kernelspec import KernelSpecManager


def install(arguments: Sequence[str]) -> None:
    """Installs the kernel, so that another Jupyter starts it with this Python."""
    parser = argparse.ArgumentParser(prog="python -m chainrule.kernel install")
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--user", action="store_true", help="for every Jupyter of this user")
    place.add_argument("--sys-prefix", action="store_true", help="for Jupyter beside this Python")
    place.add_argument("--prefix", help="for Jupyter in the environment with this folder")
    options = parser.parse_args(arguments)
    prefix = sys.prefix if options.sys_prefix else options.prefix

    manager = KernelSpecManager()
    spec = manager.get_kernel_spec("chainrule")
    spec.argv[0] = sys.executable
    with TemporaryDirectory() as folder:
        Path(folder, "kernel.json").write_text(spec.to_json(), encoding="utf-8")
        installed = manager.install_kernel_spec(folder, "chainrule", options.user, prefix=prefix)
    print(f"installed the kernel in {installed}")
