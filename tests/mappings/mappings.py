#!/usr/bin/env python3
"""Random programs of two or three threads with accesses of four pages and calls that change what is mapped there (calls.c): simul finds the outcomes
that there are when the operations are made in every order, without threads."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from outcomes import Orders, compare, threads, unfinished

# Operations that meet on something. The environment variable GROUP has the only group, if it is set.
GROUPS = ["rwu", "rwm", "rwum", "rwRWUM", "rwpq", "rwoq", "rwpqoQ", "rwdD", "rRwWv", "rRwWx", "RWsM", "rwud", "uUrR", "fgFGtTe", "FGhT", "FGTe", "FGhel", "fgnN", "FGnNT",
          "fgyt", "fFte", "FGNe", "rwvqM", "FGTl",
          "fgij", "fgijFGIJ", "FGIJT", "fgijn", "fgijk", "ijbBg", "fgcC", "ijcCg", "fgjz", "ijgZ", "cCn", "jCky", "giN"]


def found(args, path, program):
    lines, result = orders.found(args, path, program)
    if result["verdict"] == "complete" and "mapped" in (result["reason"] or ""):  # it names exceptions: a mapping was removed while the file was in use
        result["reason"] = None
    failures = {b["message"] for b in result["bugs"]}
    if failures and not lines:  # the first failure hides what comes after
        return orders.expected(program) if failures <= orders.expected(program) else failures
    return lines | unfinished(result) | failures


if "GROUP" in os.environ:
    GROUPS = [os.environ["GROUP"]]
orders = Orders()
compare(os.path.join(os.path.dirname(__file__), "calls.c"), lambda rng: threads(rng, GROUPS, 0.2), orders.expected, found)
