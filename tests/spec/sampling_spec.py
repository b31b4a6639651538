"""The sampling spec (dialect SPEC, float64) as a plain program: the judge of the C++ chain.

Every rule is the obvious loop over Python floats, one function for each numbered step of the spec
(`Stream.sample` calls them in its order), and shares no code or trick with the C++ library. Token
ids index the logits; -inf is a removed token. `kept` is always a list of token ids, ascending.
"""

import math
import struct
from dataclasses import astuple, dataclass
from typing import List, Optional

from correct_rounding import exp, log

NEG_INF = -math.inf

_MASK_64 = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15

DEFAULT_SEQUENCE = 54
SAMPLE_STREAM = 4  # init 1, dropout 2, shuffle 3, sample 4, mutation 5


class SpecError(ValueError):
    """Logits, ids or parameters that the spec refuses."""


# --- Random numbers -------------------------------------------------------------------------------


class Pcg32:
    """PCG32 XSH-RR 64/32."""

    def __init__(self, seed, sequence=DEFAULT_SEQUENCE):
        self._state = 0
        self._increment = (sequence << 1 | 1) & _MASK_64
        self.next_u32()
        self._state = (self._state + seed) & _MASK_64
        self.next_u32()

    def next_u32(self):
        state = self._state
        self._state = (state * 6364136223846793005 + self._increment) & _MASK_64
        xorshifted = ((state >> 18 ^ state) >> 27) & 0xFFFFFFFF
        rotation = state >> 59
        return (xorshifted >> rotation | xorshifted << (-rotation & 31)) & 0xFFFFFFFF

    def uniform(self):
        """A float64 in [0, 1) of 53 random bits, from two successive outputs."""
        a = self.next_u32()
        b = self.next_u32()
        return ((a >> 5) * 2**26 + (b >> 6)) / 2**53


def mix64(z):
    """The finaliser of SplitMix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK_64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK_64
    return z ^ z >> 31


def child_seed(seed, stream):
    return mix64((seed + stream * _GOLDEN) & _MASK_64)


def sub_stream(seed, stream):
    """The generator of one purpose: it depends on the seed, not on any generator's position."""
    return Pcg32(child_seed(seed, stream), sequence=stream)


# --- Recipe of the logits -------------------------------------------------------------------------


def to_float32(values):
    """Rounds float64 values to float32, and widens them again."""
    layout = f"<{len(values)}f"
    return list(struct.unpack(layout, struct.pack(layout, *values)))


def _uniform8(rng, vocab_size):
    return [(rng.uniform() * 2 - 1) * 8 for _ in range(vocab_size)]


def _peaked(rng, vocab_size):
    logits = [(rng.uniform() * 2 - 1) * 4 for _ in range(vocab_size)]
    for j in range(8):
        logits[math.floor(rng.uniform() * vocab_size)] = 16.0 - j
    return logits


def _masked(rng, vocab_size):
    return [NEG_INF if i % 3 == 0 else l for i, l in enumerate(_uniform8(rng, vocab_size))]


def _bf16(rng, vocab_size):
    as_floats, as_words = f"<{vocab_size}f", f"<{vocab_size}I"
    words = struct.unpack(as_words, struct.pack(as_floats, *_uniform8(rng, vocab_size)))
    truncated = struct.pack(as_words, *(word & 0xFFFF0000 for word in words))
    return list(struct.unpack(as_floats, truncated))


def _quantised(rng, vocab_size):
    return [float(math.floor(rng.uniform() * 9) - 4) for _ in range(vocab_size)]


def _two_valued(rng, vocab_size):
    return [2.5 if rng.uniform() < 0.5 else -1.25 for _ in range(vocab_size)]


def _all_equal(_, vocab_size):
    return [0.75] * vocab_size


def _tied_top(rng, vocab_size):
    return [min(l, 4.0) for l in _uniform8(rng, vocab_size)]


# The first five are the golden files'; the rest, for ties, are this project's own.
SHAPES = {
    "uniform8": _uniform8,
    "peaked": _peaked,
    "masked": _masked,
    "bf16": _bf16,
    "quantised": _quantised,
    "two_valued": _two_valued,
    "all_equal": _all_equal,
    "tied_top": _tied_top,
}


def make_logits(shape, vocab_size, logits_seed, step):
    """The logits of one step; they do not depend on what was drawn before."""
    rng = Pcg32((logits_seed + step) & _MASK_64)
    return to_float32(SHAPES[shape](rng, vocab_size))


def make_prompt(vocab_size, prompt_seed, prompt_len):
    rng = Pcg32(prompt_seed)
    return [math.floor(rng.uniform() * vocab_size) for _ in range(prompt_len)]


# --- Parameters and errors ------------------------------------------------------------------------


@dataclass(frozen=True)
class Params:
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0


def _require(condition, message):
    if not condition:
        raise SpecError(message)


def check_params(params):
    _require(all(math.isfinite(value) for value in astuple(params)), "a parameter is not finite")
    _require(params.temperature >= 0, "temperature is below 0")
    _require(params.top_k >= 0, "top_k is below 0")
    _require(0 < params.top_p <= 1, "top_p is outside (0, 1]")
    _require(0 <= params.min_p <= 1, "min_p is outside [0, 1]")
    _require(params.repetition_penalty > 0, "repetition_penalty is not above 0")


def check_logits(logits):
    _require(len(logits) > 0, "there are no logits")
    _require(not any(math.isnan(l) or l == math.inf for l in logits), "a logit is NaN or +inf")
    _require(any(l != NEG_INF for l in logits), "all logits are -inf")


def check_token_ids(token_ids, vocab_size):
    _require(all(0 <= i < vocab_size for i in token_ids), "a token id is outside the vocabulary")


# --- The steps of the spec ------------------------------------------------------------------------


def apply_mask(logits, allowed_ids):
    """Masks stand before step 2: a token that is not allowed is removed, whatever comes later."""
    check_token_ids(allowed_ids, len(logits))
    allowed = set(allowed_ids)
    masked = [l if i in allowed else NEG_INF for i, l in enumerate(logits)]
    _require(any(l != NEG_INF for l in masked), "the mask allows no token")
    return masked


def apply_repetition(logits, history, penalty):
    """Step 2: once for each distinct id of prompt and output; negative logits are multiplied."""
    penalised = list(logits)
    if penalty == 1:
        return penalised
    for i in set(history):
        penalised[i] = logits[i] / penalty if logits[i] > 0 else logits[i] * penalty
    return penalised


def apply_presence_frequency(logits, output, presence, frequency):
    """Step 3: by the count in the output alone, the prompt does not count."""
    penalised = list(logits)
    if presence == 0 and frequency == 0:
        return penalised
    for i in set(output):
        penalised[i] = (logits[i] - frequency * output.count(i)) - presence
    return penalised


def log_softmax_at(logits, token_id):
    """The logprob of step 3: over the whole vocabulary, before temperature and filters."""
    maximum = max(logits)
    total = 0.0
    for l in logits:
        total += exp(l - maximum)
    return (logits[token_id] - maximum) - log(total)


def argmax(logits):
    """Step 4: the lowest id on ties."""
    return logits.index(max(logits))


def apply_temperature(logits, temperature):
    """Step 5."""
    return [l / temperature for l in logits]


def rank(logits, kept):
    """The one order of candidates: logit descending, then id ascending."""
    return sorted(kept, key=lambda i: (-logits[i], i))


def softmax(logits, kept):
    """Returns {token id: probability} over `kept`, which is ascending, as the sum is."""
    maximum = max(logits[i] for i in kept)
    exps = [exp(logits[i] - maximum) for i in kept]
    total = 0.0
    for e in exps:
        total += e
    return {i: e / total for i, e in zip(kept, exps)}


def keep_top_k(logits, kept, k):
    """Step 6: exactly k, ties at the k-th go to the lowest id."""
    if k == 0 or k >= len(kept):
        return kept
    return sorted(rank(logits, kept)[:k])


def keep_top_p(logits, kept, p):
    """Step 7: the nucleus, with the token that crosses p."""
    if p >= 1:
        return kept
    probability = softmax(logits, kept)
    nucleus = []
    mass = 0.0
    for i in rank(logits, kept):
        nucleus.append(i)
        mass += probability[i]
        if mass >= p:
            break
    return sorted(nucleus)


def keep_min_p(logits, kept, m):
    """Step 8."""
    probability = softmax(logits, kept)
    threshold = m * max(probability.values())
    return [i for i in kept if probability[i] >= threshold]


def draw(distribution, u):
    """Step 11: the inverse CDF, ascending ids; the last with q > 0 if rounding leaves mass <= u."""
    mass = 0.0
    for i, q in enumerate(distribution):
        mass += q
        if u < mass:
            return i
    return max(i for i, q in enumerate(distribution) if q > 0)


def entropy(distribution):
    """-sum q log q in nats, one running sum in ascending ids; 0 log 0 is 0."""
    total = 0.0
    for q in distribution:
        if q > 0:
            total -= q * log(q)
    return total


# --- A stream of tokens ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    token_id: int
    logprob: float
    kept_count: int  # Candidates left when the draw begins; 1 when greedy.
    uniform: Optional[float]  # None when greedy: no draw.
    processed: List[float]
    distribution: List[float]


class Stream:
    """One request: parameters, a seed, and the history that grows with every token."""

    def __init__(self, params, seed, prompt=(), allowed_ids=None):
        """`allowed_ids` is the mask of all steps; None allows every token."""
        check_params(params)
        self._params = params
        self._rng = sub_stream(seed, SAMPLE_STREAM)
        self._prompt = list(prompt)
        self._output = []
        self._allowed_ids = allowed_ids

    def sample(self, logits):
        """Turns one step's logits (step 1: float32, widened) into a token, and commits it."""
        check_logits(logits)
        check_token_ids(self._prompt + self._output, len(logits))
        penalised = self._penalise(logits)
        if self._params.temperature == 0:
            sample = self._sample_greedily(penalised)
        else:
            sample = self._sample_randomly(penalised)
        self._output.append(sample.token_id)
        return sample

    def _penalise(self, logits):
        params = self._params
        if self._allowed_ids is not None:
            logits = apply_mask(logits, self._allowed_ids)
        penalised = apply_repetition(
            logits, self._prompt + self._output, params.repetition_penalty
        )
        penalised = apply_presence_frequency(
            penalised, self._output, params.presence_penalty, params.frequency_penalty
        )
        _require_finite(logits, penalised, "a penalty")
        return penalised

    def _sample_greedily(self, penalised):
        best = argmax(penalised)
        return Sample(
            token_id=best,
            logprob=log_softmax_at(penalised, best),
            kept_count=1,
            uniform=None,
            processed=penalised,
            distribution=[1.0 if i == best else 0.0 for i in range(len(penalised))],
        )

    def _sample_randomly(self, penalised):
        params = self._params
        scaled = apply_temperature(penalised, params.temperature)
        _require_finite(penalised, scaled, "temperature")
        kept = [i for i, l in enumerate(scaled) if l != NEG_INF]
        kept = keep_top_k(scaled, kept, params.top_k)
        kept = keep_top_p(scaled, kept, params.top_p)
        kept = keep_min_p(scaled, kept, params.min_p)
        processed = [NEG_INF] * len(scaled)
        distribution = [0.0] * len(scaled)
        for i, q in softmax(scaled, kept).items():  # Step 9.
            processed[i] = scaled[i]
            distribution[i] = q
        u = self._rng.uniform()  # Step 10.
        token_id = draw(distribution, u)
        return Sample(
            token_id=token_id,
            logprob=log_softmax_at(penalised, token_id),
            kept_count=len(kept),
            uniform=u,
            processed=processed,
            distribution=distribution,
        )


def _require_finite(before, after, rule):
    """A transform neither removes nor revives a token, so a finite logit has to stay finite."""
    for old, new in zip(before, after):
        _require(old == NEG_INF or math.isfinite(new), f"{rule} takes a logit out of range")
