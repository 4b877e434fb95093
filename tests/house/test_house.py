"""``quadrille new``: house rules that pass the check, and never in place of another file."""


def test_new_never_overwrites_what_it_is_made_from(quadrille, tmp_path):
    path = tmp_path / "ours.yaml"
    quadrille("new", str(path))
    before = path.read_text()
    assert quadrille("new", str(path), "--from", str(path), "--force")[0] == 2
    assert path.read_text() == before


def test_new_writes_house_rules_that_pass_check_and_never_overwrites_unasked(quadrille, tmp_path):
    for reference in ("quanti-1822@parlett", "mediateur-1752", "quadrille-modern"):
        path = str(tmp_path / f"our {reference.split('@')[0]}.yaml")
        assert quadrille("new", path, "--from", reference)[0] == 0
        assert quadrille("check", path)[0] == 0
        assert quadrille("diff", reference, path)[0] == 0
        status, _, err = quadrille("new", path, "--from", reference)
        assert status == 2
        assert "--force" in err


def test_every_line_of_new_may_be_uncommented(quadrille, tmp_path):
    path = tmp_path / "ours.yaml"
    quadrille("new", str(path), "--from", "quanti-1822")
    text = path.read_text().replace("readings: {}", "readings:").replace("rules: {}", "rules:").replace("\n#  ", "\n  ")
    lines, seen = [], set()
    for line in text.splitlines():
        key = line.split(":")[0]
        if not (line.startswith("  ") and key in seen):  # two rules of one block go below one key
            lines.append(line)
        seen.add(key)
    path.write_text("\n".join(lines) + "\n")
    assert quadrille("check", str(path)) == (0, "1 file checked, no errors\n", "")
