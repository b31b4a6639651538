"""exp and log of a float64, correctly rounded, without trusting the platform's libm.

The sampling spec is defined to the bit, so its exp and log are the float64 nearest to the exact
result. `exp` has a quick path in 112-bit fixed point, written with Python's integers, that knows a
bound of its own error; wherever that bound leaves the rounding open, and for `log` (needed once a
step), `decimal` decides, with its precision doubled until the rounding is certain. That always
ends: but for exp(0) and log(1) the exact results are transcendental, so they are never halfway
between two float64 values.
"""

import math
from decimal import Context, Decimal

_BITS = 112  # Fraction bits of the fixed point; at least 107, see _fixed_point_exp.
_ONE = 1 << _BITS
_LEVEL_BITS = 8  # Each of the two tables resolves this many bits of the reduced argument.
_LEVEL_MASK = (1 << _LEVEL_BITS) - 1
_COARSE_SHIFT = _BITS - _LEVEL_BITS
_FINE_SHIFT = _BITS - 2 * _LEVEL_BITS
_FINE_MASK = (1 << _FINE_SHIFT) - 1

# Bound of |fixed-point mantissa - exact mantissa|, in units of 2^-_BITS. The mantissa is below 2,
# so an absolute error d of the reduced argument costs 2d:
#   2 * 1077  ln 2 is off by less than 1 unit and is taken at most 1077 times,
#   2 * 92    the first term of the series that is left out, r^6 / 720 with r < 2^-16,
#   < 40      tables, divisions and shifts, each truncated by less than 1 unit.
_ERROR_BOUND = 1 << 12

# Below this, exp is under half of the smallest float64, 2^-1075 = exp(-745.13...).
_EXP_IS_ZERO_BELOW = -746.0
# Up to this size of x, exp(x) is nearer to 1 than to 1's neighbours, 1 - 2^-53 and 1 + 2^-52.
_EXP_IS_ONE_UP_TO = 2.0**-54


def _to_fixed_point(value):
    return int(value * _ONE)


def _make_tables():
    """Returns ln 2, exp(i / 2^8) and exp(i / 2^16) in fixed point, truncated."""
    context = Context(prec=60)
    scale = Decimal(_ONE)

    def fixed_exp(argument):
        return int(context.multiply(Decimal(argument).exp(context), scale))

    log_2 = int(context.multiply(Decimal(2).ln(context), scale))
    step = 2.0**-_LEVEL_BITS
    coarse = [fixed_exp(i * step) for i in range(1 << _LEVEL_BITS)]
    fine = [fixed_exp(i * step * step) for i in range(1 << _LEVEL_BITS)]
    return log_2, coarse, fine


_LOG_2, _COARSE_EXP, _FINE_EXP = _make_tables()


def _fixed_point_exp(x):
    """Returns (m, k) with exp(x) = (m +- _ERROR_BOUND) * 2^(k - _BITS), and m of _BITS + 1 bits.

    Wants 2^-54 <= |x| <= 746: then x has no bit below 2^-107, and its fixed-point form is exact.
    """
    k, reduced = divmod(_to_fixed_point(x), _LOG_2)
    r = reduced & _FINE_MASK
    series = _ONE + r // 5
    series = _ONE + (series * r >> _BITS) // 4
    series = _ONE + (series * r >> _BITS) // 3
    series = _ONE + (series * r >> _BITS + 1)
    series = _ONE + (series * r >> _BITS)
    m = series * _FINE_EXP[reduced >> _FINE_SHIFT & _LEVEL_MASK] >> _BITS
    return m * _COARSE_EXP[reduced >> _COARSE_SHIFT] >> _BITS, k


def exp(x):
    """The float64 nearest to e^x, for any x but NaN; OverflowError above the largest float64."""
    if x < _EXP_IS_ZERO_BELOW:
        return 0.0
    if abs(x) <= _EXP_IS_ONE_UP_TO:
        return 1.0
    m, k = _fixed_point_exp(x)
    # A float64 keeps 52 bits after the leading one, and fewer once it is subnormal.
    dropped_bits = _BITS - 52
    if k < -1022:
        dropped_bits += -1022 - k
    half = 1 << dropped_bits - 1
    if abs((m & (half << 1) - 1) - half) <= _ERROR_BOUND:
        return exp_by_decimal(x)
    return math.ldexp(m + half >> dropped_bits, k - _BITS + dropped_bits)


def exp_by_decimal(x):
    """What `exp` returns for finite x other than 0, by `decimal` alone: slower, and its judge."""
    return _round_with_certainty(lambda context: Decimal(x).exp(context))


def log(x):
    """The float64 nearest to the natural logarithm of x, for finite x > 0."""
    if x == 1.0:
        return 0.0
    return _round_with_certainty(lambda context: Decimal(x).ln(context))


def _round_with_certainty(evaluate):
    # `decimal` rounds its exp and ln correctly, so the exact result lies between the neighbours of
    # what `evaluate` returns. When both neighbours round to one float64, so does the exact result.
    precision = 30
    while True:
        context = Context(prec=precision)
        value = evaluate(context)
        below = float(value.next_minus(context))
        above = float(value.next_plus(context))
        if below == above:
            return below
        precision *= 2
