"""Contestants in one process, in turns."""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Line:
    """One computation and who computes it: by package, a function that returns the whole result."""

    name: str
    contestants: dict[str, Callable]
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def run(self, seconds: float) -> None:
        """Each in turn, at least three times and until `seconds` have gone.

        In an order that changes: who comes after one that reads the same arrays finds them in the caches.
        """
        order = list(self.contestants.items())
        shuffle = random.Random(1).shuffle
        for f in self.contestants.values():
            f()  # compiles, and touches what it reads
        begin = time.perf_counter()
        turns = 0
        while turns < 3 or time.perf_counter() - begin < seconds:
            shuffle(order)
            for who, f in order:
                start = time.perf_counter()
                f()
                self.seconds.setdefault(who, []).append(time.perf_counter() - start)
            turns += 1

    def best(self, who: str) -> float:
        return min(self.seconds[who])

    def ratio(self, who: str, others: list[str]) -> float | None:
        """How many times as fast as the fastest of others."""
        times = [self.best(o) for o in others if o in self.seconds]
        return min(times) / self.best(who) if times and who in self.seconds else None


def table(lines: list[Line], ours: list[str]) -> str:
    """Best times in milliseconds, and how many times as fast each of ours is as the fastest of the others."""
    everybody = list(dict.fromkeys(who for line in lines for who in line.contestants))
    others = [who for who in everybody if who not in ours]
    rows = [["ms", *everybody, *(f"{who}: ratio" for who in ours)]]
    for line in lines:
        times = [f"{line.best(who) * 1e3:.3f}" if who in line.seconds else "–" for who in everybody]
        ratios = [line.ratio(who, others) for who in ours]
        rows.append([line.name, *times, *(f"{r:.2f}" if r else "–" for r in ratios)])
    means = []
    for who in ours:
        ratios = [r for line in lines if (r := line.ratio(who, others))]
        means.append(f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}" if ratios else "–")
    rows.append(["geometric mean", *([""] * len(everybody)), *means])
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths)))
                     for row in rows)
