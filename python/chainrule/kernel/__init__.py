"""The kernel for notebooks: `python -m chainrule.kernel` starts it, and installs it for Jupyter."""
