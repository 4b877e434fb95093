"""Every page that ``quadrille serve`` shows, asked for by following its links.

``python tools/crawl_pages.py QUADRILLE`` starts the server by that program in the present folder,
follows the links of each page as far as they stay on it, one page for each path, and ends with
status 1 where one is not there.
"""

import re
import subprocess
import sys
from html import unescape
from urllib.error import HTTPError
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

LINK = re.compile(r'(?:href|src)="([^"#]+)')


def main() -> int:
    """Print how many pages there are, and those that fail."""
    with subprocess.Popen(
        [sys.argv[1], "serve"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            start = next(
                m[0]
                for line in server.stdout or ()
                if (m := re.search(r"http://[^\s/]+/\S*", line))
            )
            seen, failed = crawled(start)
        finally:
            server.terminate()
    print(f"{len(seen)} pages, {len(failed)} failed", *failed, sep="\n")  # noqa: T201
    return 1 if failed or len(seen) < 2 else 0


def crawled(start: str) -> tuple[set[str], list[str]]:
    """The paths that were found, and what is wrong with which."""
    seen, failed, waiting = {urlsplit(start).path}, [], [start]
    while waiting:
        here = waiting.pop()
        try:
            with urlopen(here, timeout=120) as answer:  # noqa: S310
                text = answer.read().decode() if "html" in answer.headers["Content-Type"] else ""
        except (HTTPError, OSError) as e:
            failed.append(f"{here}: {e}")
            continue
        for link in LINK.findall(text):
            there = urlsplit(urljoin(here, unescape(link)))
            if there.netloc == urlsplit(start).netloc and there.path not in seen:
                seen.add(there.path)
                waiting.append(there.geturl())
    return seen, failed


if __name__ == "__main__":
    sys.exit(main())
