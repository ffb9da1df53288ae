"""Starts the kernel, as Jupyter does, or installs it for Jupyter in another environment."""

from __future__ import annotations

import sys

from chainrule.dialogue import Error, find_program


def main() -> None:
    """Runs `install`, or else the kernel."""
    try:
        import ipykernel  # noqa: F401

        find_program()
    except ImportError:
        sys.exit("the notebook kernel needs ipykernel: pip install 'chainrule[notebook]'")
    except Error as error:
        sys.exit(error.text)
    if sys.argv[1:2] == ["install"]:
        from chainrule.kernel.install import install

        install(sys.argv[2:])
    else:
        from ipykernel.kernelapp import IPKernelApp

        from chainrule.kernel.kernel import ChainruleKernel

        IPKernelApp.launch_instance(kernel_class=ChainruleKernel)


main()
