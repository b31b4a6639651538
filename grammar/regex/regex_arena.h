#ifndef LOGITCHAIN_GRAMMAR_REGEX_REGEX_ARENA_H_
#define LOGITCHAIN_GRAMMAR_REGEX_REGEX_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/regex/byte_set.h"

namespace logitchain {

// A regular expression in a RegexArena. Equal ids mean equal languages; the opposite need not hold.
using RegexId = int32_t;

// As the largest count of a repetition: there is none.
inline constexpr int32_t kUnbounded = std::numeric_limits<int32_t>::max();

// Regular expressions over bytes with intersection and complement, hash-consed: what is built twice
// is there once, so an id stands for the expression. Derivatives (Brzozowski 1964) make a DFA of
// one; the constructors simplify as much as keeps the number of derivatives finite and small
// (Owens, Reppy and Turon 2009). Counts are not expanded: the derivative of r{m,n} is
// r'·r{m-1,n-1}.
//
// An arena has a limit. Once that is reached, `status` is an error for good, and whatever is built
// is kNothing; so many expressions can be built before the status is looked at once.
//
// Not safe for threads, as derivatives are built on demand. A copy has the same ids.
class RegexArena {
 public:
  // An arena's size is the number of its expressions and of the operands of unions and
  // intersections; about 100 bytes each.
  static constexpr int32_t kDefaultMaxSize = 1 << 20;

  // Matches no text.
  static constexpr RegexId kNothing = 0;
  // Matches the empty text alone.
  static constexpr RegexId kEmptyString = 1;
  // Matches every text.
  static constexpr RegexId kAnything = 2;

  explicit RegexArena(int32_t max_size = kDefaultMaxSize);

  // One byte of the set.
  RegexId Bytes(const ByteSet& set);
  // Just this text.
  RegexId Literal(absl::string_view text);
  // `a`, then `b`.
  RegexId Concat(RegexId a, RegexId b);
  RegexId Concat(absl::Span<const RegexId> parts);
  // What one of them matches.
  RegexId Either(RegexId a, RegexId b);
  RegexId Either(absl::Span<const RegexId> parts);
  // What all of them match.
  RegexId Both(RegexId a, RegexId b);
  RegexId Both(absl::Span<const RegexId> parts);
  // What `a` does not match, among all texts of bytes.
  RegexId Not(RegexId a);
  // `a`, at least `min` and at most `max` times; 0 <= min <= max <= kUnbounded, min < kUnbounded.
  RegexId Repeat(RegexId a, int32_t min, int32_t max);
  RegexId Optional(RegexId a) { return Repeat(a, 0, 1); }

  // Decimal numbers, digits with or without a point among them, that are multiples of
  // modulus / 10^places; 1 <= modulus <= kMaxModulus, 0 <= places <= kMaxPlaces. Texts of which a
  // number begins, such as "", "." and "1.", count like the same with zeros; intersect with what a
  // number is.
  RegexId DecimalMultiples(int32_t modulus, int32_t places);

  static constexpr int32_t kMaxModulus = 1'000'000;
  static constexpr int32_t kMaxPlaces = 9;

  // Says what the texts are that intersections are about, such as those between the quotes of JSON
  // strings. In an intersection with what is known to match nothing else they are left out.
  void SetTexts(RegexId texts) { texts_ = texts; }
  // That an expression matches only such texts. So does, then, what is made of such expressions.
  void MarkTexts(RegexId id) { nodes_[id].is_text = true; }
  bool IsText(RegexId id) const { return nodes_[id].is_text; }
  RegexId texts() const { return texts_; }

  // Whether it matches the empty text.
  bool MatchesEmpty(RegexId id) const { return nodes_[id].matches_empty; }

  // Matches the texts t for which `id` matches byte·t.
  RegexId Derivative(RegexId id, uint8_t byte);

  // Whether it matches no text at all. Exact: expressions with Both or Not may take a search
  // through their derivatives, whose outcome is kept.
  bool IsNothing(RegexId id);

  struct Transition {
    ByteSet bytes;
    RegexId target;
  };

  // The derivatives that match anything, each with all its bytes: the edges of the DFA state `id`.
  // No byte is in two of them.
  std::vector<Transition> Transitions(RegexId id);

  // ResourceExhausted once the arena was full or an expression nested too deeply. Whoever takes a
  // result from this must ask.
  const absl::Status& status() const { return status_; }

  int32_t size() const { return size_; }

  // What an expression is made of.
  enum class Kind : uint8_t {
    kBytes,
    kEmptyString,
    kConcat,
    kEither,
    kBoth,
    kNot,
    kRepeat,
    kMultiples
  };

  // kNothing is an empty kBytes, and kAnything a kNot of it.
  Kind kind(RegexId id) const { return nodes_[id].kind; }
  // Of kBytes.
  const ByteSet& bytes(RegexId id) const { return byte_sets_[nodes_[id].first]; }
  // Of kNot and kRepeat its only operand, of kConcat the left one.
  RegexId operand(RegexId id) const { return nodes_[id].first; }
  // Of kConcat the right operand.
  RegexId tail(RegexId id) const { return nodes_[id].second; }
  // Of kEither and kBoth, ascending.
  absl::Span<const RegexId> operands(RegexId id) const { return lists_[nodes_[id].first]; }
  // Of kRepeat.
  int32_t min(RegexId id) const { return nodes_[id].min; }
  int32_t max(RegexId id) const { return nodes_[id].max; }

 private:
  struct Node {
    Kind kind;
    int32_t first = 0;   // An operand, an index into byte_sets_ or lists_, or the modulus.
    int32_t second = 0;  // The right operand, or the remainder.
    int32_t min = 0;
    int32_t max = 0;
    // What follows from the above.
    bool matches_empty = false;
    bool has_boolean = false;  // There is a Both or Not in it.
    bool is_text = false;      // It is known to match no more than texts_.
    uint16_t depth = 0;        // The right side of a Concat does not add to it.

    template <typename H>
    friend H AbslHashValue(H state, const Node& node) {
      return H::combine(std::move(state), node.kind, node.first, node.second, node.min, node.max);
    }
    friend bool operator==(const Node& a, const Node& b) {
      return a.kind == b.kind && a.first == b.first && a.second == b.second && a.min == b.min &&
             a.max == b.max;
    }
  };

  using Ids = absl::InlinedVector<RegexId, 8>;

  RegexId Intern(Node node);
  RegexId InternList(Kind kind, Ids operands);
  RegexId InternConcat(RegexId head, RegexId tail);
  // Adds to the size; false if there is no room.
  bool Grow(int32_t by);

  RegexId FoldEither(Ids parts);
  RegexId FoldBoth(Ids parts);
  // Puts the operands of unions (or intersections) among `parts` in their place.
  Ids Flatten(Kind kind, absl::Span<const RegexId> parts) const;
  // Makes one of all that are kBytes.
  void MergeBytes(Kind kind, Ids& parts);
  // Makes one of repetitions of the same expression in a union whose counts leave no gap.
  void MergeRepeats(Ids& parts);

  // What is left of DecimalMultiples: digits that go on behind those with this remainder. `places`
  // are still to come; negative, -1 - places, behind the point.
  RegexId InternMultiples(int32_t modulus, int32_t remainder, int32_t places);
  RegexId DerivativeOfMultiples(RegexId id, uint8_t byte);
  RegexId ComputeDerivative(RegexId id, uint8_t byte);
  // A byte of a set and then anything, as each place of a literal is: its derivatives are there.
  bool BeginsWithBytes(RegexId id) const {
    return nodes_[id].kind == Kind::kConcat && nodes_[nodes_[id].first].kind == Kind::kBytes;
  }
  const ByteSet& FirstBytes(RegexId id) const { return bytes(nodes_[id].first); }
  RegexId DerivativeOfConcat(RegexId id, uint8_t byte);
  RegexId DerivativeOfList(RegexId id, uint8_t byte);

  // Adds the byte sets that decide the first byte of `id` to first_sets_.
  void CollectFirstSets(RegexId id);
  // Parts of all bytes, each of which has one derivative.
  std::vector<ByteSet> ByteClasses(RegexId id);
  // Whether, in an intersection with DecimalMultiples, the digits that lead to the next multiple
  // match. Spares a search through as many states as the modulus has remainders.
  bool MatchesNextMultiple(RegexId id);
  // Whether it matches a text, as far as that needs no search; false says nothing.
  bool IsKnownToMatch(RegexId id) const;
  // How many expressions it is made of that are derived one by one.
  size_t OperandCount(RegexId id) const;
  // Whether no derivative matches the empty text.
  bool SearchIsNothing(RegexId id);
  void FailSearch();

  int32_t max_size_;
  int32_t size_ = 0;
  absl::Status status_;
  RegexId texts_ = kNothing;  // What SetTexts was given.
  std::vector<Node> nodes_;
  std::vector<ByteSet> byte_sets_;
  std::deque<Ids> lists_;  // Which stay where they are.
  absl::flat_hash_map<Node, RegexId> node_ids_;
  absl::flat_hash_map<ByteSet, int32_t> byte_set_ids_;
  absl::flat_hash_map<Ids, int32_t> list_ids_;
  absl::flat_hash_map<uint64_t, RegexId> derivatives_;  // By id and byte; cleared when it is large.
  absl::flat_hash_map<RegexId, bool> is_nothing_;
  // Scratch.
  std::vector<uint32_t> seen_in_;  // By RegexId: the last walk of CollectFirstSets that came there.
  uint32_t walk_ = 0;
  std::vector<int32_t> first_sets_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_REGEX_REGEX_ARENA_H_
