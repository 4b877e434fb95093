"""The bugs of ``planted.yaml`` can still be planted; that each is caught is seen by
``tools/plant.py``."""

import plant


def test_every_bug_fits_its_file_and_names_a_test():
    """What it changes stands there once, and the test that is to catch it is there."""
    bugs = plant.listed()
    assert [b.bug for b in bugs if (plant.ROOT / b.file).read_text("utf-8").count(b.old) != 1] == []
    for bug in bugs:
        file, _, name = bug.test.partition("::")
        assert f"def {name}" in (plant.ROOT / file).read_text("utf-8"), bug.bug
    assert len(bugs) >= 36
