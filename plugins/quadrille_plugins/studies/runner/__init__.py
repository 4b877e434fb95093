"""One runner for every study: work in blocks, on any executor, kept in a study folder and resumed.

A study says what one block is (a ``Work`` and its tasks) and adds up what blocks come to, in their
order.  The runner says where blocks are played (``executors``), keeps them (``folder``) and stops
when it is asked to (``stopping``).
"""
