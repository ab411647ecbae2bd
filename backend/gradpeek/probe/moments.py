"""What the statistics of a set of numbers keep, so that two sets combine exactly."""

from __future__ import annotations

import math
from typing import Sequence


class Moments:
    """Counts and moments of the elements visited so far; all statistics follow from them.

    The root of a sum of squares is kept, not the sum, so that 4 x 1e200 neither overflows nor
    4 x 1e-200 vanishes. A norm above 1.8e308 itself becomes infinite.

    Attributes:
        count: elements visited, non-finite ones included.
        zeros: elements equal to zero (of either sign), exact; so are `nan`, `posinf`, `neginf`.
        nan: elements that are NaN; a complex number is NaN if one of its parts is.
        posinf: elements that are +Inf; an infinite complex number counts here (its modulus is).
        neginf: elements that are -Inf.
        norm: root of the sum of squares (L2) over the finite elements.
        mean: mean of the finite elements, of their real parts if they are complex.
        mean_imag: mean of the imaginary parts, 0.0 for real elements.
        deviation: root of the sum of |x - mean|^2 over the finite elements, hence
            population std = deviation / sqrt(finite).
        min: smallest finite element, None if there is none or if elements are complex.
        max: largest finite element, None as for `min`.
        max_abs: largest finite absolute value, None if nothing is finite.
    """

    __slots__ = (
        "count",
        "deviation",
        "max",
        "max_abs",
        "mean",
        "mean_imag",
        "min",
        "nan",
        "neginf",
        "norm",
        "posinf",
        "zeros",
    )

    count: int
    zeros: int
    nan: int
    posinf: int
    neginf: int
    norm: float
    mean: float
    mean_imag: float
    deviation: float
    min: float | None
    max: float | None
    max_abs: float | None

    def __init__(self) -> None:
        self.count = self.zeros = self.nan = self.posinf = self.neginf = 0
        self.norm = self.mean = self.mean_imag = self.deviation = 0.0
        self.min = self.max = self.max_abs = None

    @classmethod
    def from_columns(cls, columns: Sequence[float], *, is_complex: bool = False) -> Moments:
        """Return the moments that one column of `chunks.reduce` holds.

        Args:
            columns: finite, zeros, nan, posinf, neginf, norm, mean, mean_imag, deviation, min,
                max, max_abs, as floats (counts are exact up to 2**53).
            is_complex: leave out min and max.
        """
        self = cls.__new__(cls)
        finite, zeros, nan, posinf, neginf = columns[:5]
        self.zeros, self.nan, self.posinf = int(zeros), int(nan), int(posinf)
        self.neginf = int(neginf)
        self.count = int(finite) + self.nan + self.posinf + self.neginf
        self.norm, self.mean, self.mean_imag, self.deviation = columns[5:9]
        self.min = self.max = self.max_abs = None
        if finite:
            self.max_abs = columns[11]
            if not is_complex:
                self.min, self.max = columns[9:11]
        return self

    @property
    def finite(self) -> int:
        """Elements that are neither NaN nor infinite."""
        return self.count - self.nan - self.posinf - self.neginf

    def merge(self, other: Moments) -> None:
        """Add the elements of `other`, as if both sets had been visited in one pass.

        Chan, Golub and LeVeque (1979), "Updating formulae and a pairwise algorithm for computing
        sample variances", in root form: deviation = hypot(d1, d2, delta * sqrt(n1 * n2 / n)).
        """
        ours, theirs = self.finite, other.finite
        self.count += other.count
        self.zeros += other.zeros
        self.nan += other.nan
        self.posinf += other.posinf
        self.neginf += other.neginf
        if not theirs:
            return
        if not ours:
            self.norm, self.mean, self.mean_imag = other.norm, other.mean, other.mean_imag
            self.deviation = other.deviation
            self.min, self.max, self.max_abs = other.min, other.max, other.max_abs
            return
        # Half differences: two means at opposite ends of the range must not overflow.
        share = theirs / (ours + theirs)
        half = other.mean / 2 - self.mean / 2
        half_imag = other.mean_imag / 2 - self.mean_imag / 2
        spread = 2 * math.sqrt(ours * theirs / (ours + theirs))
        between = math.hypot(half * spread, half_imag * spread)
        self.deviation = math.hypot(math.hypot(self.deviation, other.deviation), between)
        self.mean = (self.mean + half * share) + half * share
        self.mean_imag = (self.mean_imag + half_imag * share) + half_imag * share
        self.norm = math.hypot(self.norm, other.norm)
        self.min = None if self.min is None or other.min is None else min(self.min, other.min)
        self.max = None if self.max is None or other.max is None else max(self.max, other.max)
        if self.max_abs is not None and other.max_abs is not None:
            self.max_abs = max(self.max_abs, other.max_abs)

    def repeat(self, times: int) -> None:
        """Count every element `times` times (>= 1), as the expanded view of a tensor does."""
        self.count *= times
        self.zeros *= times
        self.nan *= times
        self.posinf *= times
        self.neginf *= times
        root = math.sqrt(times)
        self.norm *= root
        self.deviation *= root

    def add_zeros(self, number: int, *, is_complex: bool = False) -> None:
        """Add `number` elements that are zero but not stored, as in a sparse tensor."""
        if number > 0:
            zero = float(number), float(number)
            self.merge(Moments.from_columns(zero + (0.0,) * 10, is_complex=is_complex))
