"""Every page that ``quadrille serve`` shows, asked for by following its links.

``python tools/crawl_pages.py QUADRILLE`` starts the server by that program in the present folder,
follows the links of each page as far as they stay on it, one page for each path, and ends with
status 1 where one is not there.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from urllib.error import HTTPError
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

LINK = re.compile(r'(?:href|src)="([^"#]+)')


def main() -> int:
    """Print how many pages there are, and those that fail."""
    with served(sys.argv[1]) as start:
        seen, failed = crawled(start)
    print(f"{len(seen)} pages, {len(failed)} failed", *failed, sep="\n")  # noqa: T201
    return 1 if failed or len(seen) < 2 else 0


@contextmanager
def served(program: str) -> Iterator[str]:
    """The address of the first page, while the program serves."""
    with subprocess.Popen(
        [program, "serve"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            yield next(
                m[0]
                for line in server.stdout or ()
                if (m := re.search(r"http://[^\s/]+/\S*", line))
            )
        finally:
            server.terminate()


def crawled(start: str) -> tuple[dict[str, str], list[str]]:
    """The pages that were found by their paths, and what is wrong with which."""
    pages: dict[str, str] = {}
    seen, failed, waiting = {urlsplit(start).path}, [], [start]
    while waiting:
        here = waiting.pop()
        try:
            with urlopen(here, timeout=120) as answer:  # noqa: S310
                text = answer.read().decode() if "html" in answer.headers["Content-Type"] else ""
        except (HTTPError, OSError) as e:
            failed.append(f"{here}: {e}")
            continue
        pages[urlsplit(here).path] = text
        for link in LINK.findall(text):
            there = urlsplit(urljoin(here, unescape(link)))
            if there.netloc == urlsplit(start).netloc and there.path not in seen:
                seen.add(there.path)
                waiting.append(there.geturl())
    return pages, failed


if __name__ == "__main__":
    sys.exit(main())
