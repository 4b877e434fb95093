"""Fixtures for tests of the pages: the desk and a browser at it, a ledger and a phone that has
opened it."""

import pytest
from quadrille_plugins.ledger.service import start
from quadrille_plugins.serve.app import at_table, desk
from support.chromium import CHROMIUM, installed_in
from support.ledger import NAMES, QUANTI, compiled_once
from support.pages import HOST, LINK, client


@pytest.fixture(scope="session")
def app():
    return desk([HOST], b"secret")


@pytest.fixture
def browser(app):
    return client(app)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "evening.ledger"
    start(path, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="plain")
    return path


@pytest.fixture
def phone(file):
    """A browser that has opened the link."""
    browser = client(at_table([HOST], file, LINK, local=True))
    assert browser.get(f"/open/{LINK.token}").status_code == 200
    return browser


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """A folder with the program as its wheel installs it."""
    return installed_in(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
