"""The shell and the Python interface: commands found, answers printed or handed over."""
