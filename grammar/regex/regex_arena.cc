#include "logitchain/grammar/regex/regex_arena.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/regex/byte_set.h"

namespace logitchain {
namespace {

// Functions below call themselves so deep.
constexpr int kMaxDepth = 1000;

constexpr size_t kMaxKeptDerivatives = size_t{1} << 16;

// Derivatives of operands that one search for a text may take. There may be as many combinations of
// what is left of n operands of Both as 2^n.
constexpr int64_t kMaxSearchSteps = int64_t{1} << 22;

constexpr std::array<ByteSet, 11> DecimalBytes() {
  std::array<ByteSet, 11> bytes = {ByteSet::Of('.')};
  for (uint8_t digit = 0; digit < 10; ++digit) bytes[digit + 1] = ByteSet::Of('0' + digit);
  return bytes;
}

// The point and the digits, which kMultiples tells apart.
constexpr std::array<ByteSet, 11> kDecimalBytes = DecimalBytes();

int64_t PowerOfTen(int32_t exponent) {
  int64_t power = 1;
  for (int32_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

uint64_t DerivativeKey(RegexId id, uint8_t byte) {
  return (static_cast<uint64_t>(static_cast<uint32_t>(id)) << 8) | byte;
}

int32_t OneLess(int32_t count) { return count == 0 || count == kUnbounded ? count : count - 1; }

// The bounds of (r{a}){b} for unbounded counts and others.
int32_t Product(int32_t a, int32_t b) {
  if (a == 0 || b == 0) return 0;
  return static_cast<int32_t>(std::min<int64_t>(int64_t{a} * b, kUnbounded));
}

// std::erase_if knows only the standard's containers.
template <typename Ids, typename Predicate>
void EraseIf(Ids& ids, Predicate predicate) {
  ids.erase(std::remove_if(ids.begin(), ids.end(), predicate), ids.end());
}

bool HasFewerBytes(const ByteSet& a, const ByteSet& b) { return a.size() < b.size(); }

// Splits what the set cuts through.
void Refine(std::vector<ByteSet>& classes, const ByteSet& set) {
  const size_t count = classes.size();
  for (size_t i = 0; i < count; ++i) {
    const ByteSet inside = classes[i] & set;
    if (inside.empty() || inside == classes[i]) continue;
    classes.push_back(classes[i] & ~set);
    classes[i] = inside;
  }
}

}  // namespace

RegexArena::RegexArena(int32_t max_size) : max_size_(max_size) {
  byte_sets_.push_back(ByteSet());
  byte_set_ids_.emplace(ByteSet(), 0);
  for (const Node& node : {Node{.kind = Kind::kBytes, .is_text = true},
                           Node{.kind = Kind::kEmptyString, .matches_empty = true, .is_text = true},
                           Node{.kind = Kind::kNot, .first = kNothing, .matches_empty = true}}) {
    node_ids_.emplace(node, static_cast<RegexId>(nodes_.size()));
    nodes_.push_back(node);
  }
}

bool RegexArena::Grow(int32_t by) {
  if (!status_.ok()) return false;
  if (by > max_size_ - size_) {
    status_ = absl::ResourceExhaustedError(
        absl::StrCat("a regular expression needs more than ", max_size_, " parts"));
    return false;
  }
  size_ += by;
  return true;
}

RegexId RegexArena::Intern(Node node) {
  const auto found = node_ids_.find(node);
  if (found != node_ids_.end()) {
    nodes_[found->second].is_text |= node.is_text;
    return found->second;
  }
  if (!Grow(1)) return kNothing;
  if (node.depth > kMaxDepth) {
    status_ = absl::ResourceExhaustedError(
        absl::StrCat("a regular expression is nested deeper than ", kMaxDepth, " levels"));
    return kNothing;
  }
  const auto id = static_cast<RegexId>(nodes_.size());
  node_ids_.emplace(node, id);
  nodes_.push_back(node);
  return id;
}

RegexId RegexArena::InternList(Kind kind, Ids operands) {
  Node node = {.kind = kind,
               .matches_empty = kind == Kind::kBoth,
               .has_boolean = kind == Kind::kBoth,
               .is_text = kind == Kind::kEither};
  for (const RegexId id : operands) {
    const Node& operand = nodes_[id];
    if (kind == Kind::kBoth) {
      node.matches_empty &= operand.matches_empty;
      node.is_text |= operand.is_text;
    } else {
      node.matches_empty |= operand.matches_empty;
      node.is_text &= operand.is_text;
    }
    node.has_boolean |= operand.has_boolean;
    node.depth = std::max<uint16_t>(node.depth, operand.depth + 1);
  }
  const auto [entry, is_new] =
      list_ids_.try_emplace(std::move(operands), static_cast<int32_t>(lists_.size()));
  if (is_new) {
    lists_.push_back(entry->first);
    if (!Grow(static_cast<int32_t>(entry->first.size()))) return kNothing;
  }
  node.first = entry->second;
  return Intern(node);
}

RegexId RegexArena::Bytes(const ByteSet& set) {
  const auto [entry, is_new] =
      byte_set_ids_.try_emplace(set, static_cast<int32_t>(byte_sets_.size()));
  if (is_new) byte_sets_.push_back(set);
  return Intern({.kind = Kind::kBytes, .first = entry->second});
}

RegexId RegexArena::Literal(absl::string_view text) {
  RegexId literal = kEmptyString;
  for (size_t i = text.size(); i > 0; --i) {
    literal = Concat(Bytes(ByteSet::Of(static_cast<uint8_t>(text[i - 1]))), literal);
  }
  return literal;
}

RegexId RegexArena::InternConcat(RegexId head, RegexId tail) {
  const Node& a = nodes_[head];
  const Node& b = nodes_[tail];
  return Intern({.kind = Kind::kConcat,
                 .first = head,
                 .second = tail,
                 .matches_empty = a.matches_empty && b.matches_empty,
                 .has_boolean = a.has_boolean || b.has_boolean,
                 .depth = std::max<uint16_t>(a.depth + 1, b.depth)});
}

RegexId RegexArena::Concat(RegexId a, RegexId b) {
  if (a == kNothing || b == kNothing) return kNothing;
  if (a == kEmptyString) return b;
  if (b == kEmptyString) return a;
  if (a == kAnything && b == kAnything) return kAnything;
  const bool is_text = IsText(a) && IsText(b);
  // Right-nested: what comes next is on top.
  Ids heads;
  while (nodes_[a].kind == Kind::kConcat) {
    heads.push_back(nodes_[a].first);
    a = nodes_[a].second;
  }
  heads.push_back(a);
  for (size_t i = heads.size(); i > 0; --i) b = InternConcat(heads[i - 1], b);
  if (!status_.ok()) return kNothing;
  // Its heads need not be texts, where they are parts of a character.
  if (is_text) MarkTexts(b);
  return b;
}

RegexId RegexArena::Concat(absl::Span<const RegexId> parts) {
  RegexId concat = kEmptyString;
  for (size_t i = parts.size(); i > 0; --i) concat = Concat(parts[i - 1], concat);
  return concat;
}

RegexArena::Ids RegexArena::Flatten(Kind kind, absl::Span<const RegexId> parts) const {
  Ids flat;
  for (const RegexId id : parts) {
    if (nodes_[id].kind == kind) {
      const Ids& inner = lists_[nodes_[id].first];
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(id);
    }
  }
  absl::c_sort(flat);
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  return flat;
}

void RegexArena::MergeBytes(Kind kind, Ids& parts) {
  ByteSet merged = kind == Kind::kBoth ? ByteSet::All() : ByteSet();
  size_t count = 0;
  for (const RegexId id : parts) {
    if (nodes_[id].kind != Kind::kBytes) continue;
    ++count;
    kind == Kind::kBoth ? merged &= bytes(id) : merged |= bytes(id);
  }
  if (count < 2) return;
  EraseIf(parts, [this](RegexId id) { return nodes_[id].kind == Kind::kBytes; });
  const RegexId id = Bytes(merged);
  parts.insert(absl::c_lower_bound(parts, id), id);
}

void RegexArena::MergeRepeats(Ids& parts) {
  absl::flat_hash_map<RegexId, RegexId> by_operand;
  bool changed = false;
  for (RegexId& id : parts) {
    if (nodes_[id].kind != Kind::kRepeat) continue;
    const auto [entry, is_new] = by_operand.try_emplace(operand(id), id);
    if (is_new) continue;
    const Node& a = nodes_[entry->second];
    const Node& b = nodes_[id];
    if (std::max(a.min, b.min) - 1 > std::min(a.max, b.max)) continue;
    const RegexId merged = Repeat(entry->first, std::min(a.min, b.min), std::max(a.max, b.max));
    absl::c_replace(parts, entry->second, merged);
    entry->second = merged;
    id = merged;
    changed = true;
  }
  if (!changed) return;
  absl::c_sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}

RegexId RegexArena::FoldEither(Ids parts) {
  EraseIf(parts, [](RegexId id) { return id == kNothing; });
  if (absl::c_linear_search(parts, kAnything)) return kAnything;
  MergeBytes(Kind::kEither, parts);
  MergeRepeats(parts);
  if (parts.size() > 1 && parts[0] == kEmptyString) {
    const auto others = absl::MakeConstSpan(parts).subspan(1);
    if (absl::c_any_of(others, [this](RegexId id) { return MatchesEmpty(id); })) {
      parts.erase(parts.begin());
    }
  }
  if (parts.empty()) return kNothing;
  return parts.size() == 1 ? parts[0] : InternList(Kind::kEither, std::move(parts));
}

RegexId RegexArena::Either(RegexId a, RegexId b) {
  if (a == b || b == kNothing) return a;
  if (a == kNothing) return b;
  return Either({a, b});
}

RegexId RegexArena::Either(absl::Span<const RegexId> parts) {
  if (parts.size() == 1) return parts[0];
  return FoldEither(Flatten(Kind::kEither, parts));
}

RegexId RegexArena::FoldBoth(Ids parts) {
  if (absl::c_linear_search(parts, kNothing)) return kNothing;
  EraseIf(parts, [](RegexId id) { return id == kAnything; });
  const auto is_other_text = [this](RegexId id) { return id != texts_ && IsText(id); };
  if (absl::c_linear_search(parts, texts_) && absl::c_any_of(parts, is_other_text)) {
    EraseIf(parts, [this](RegexId id) { return id == texts_; });
  }
  MergeBytes(Kind::kBoth, parts);
  if (parts.empty()) return kAnything;
  if (parts.size() == 1) return parts[0];
  if (absl::c_linear_search(parts, kNothing)) return kNothing;
  if (absl::c_linear_search(parts, kEmptyString)) {
    const bool all_empty = absl::c_all_of(parts, [this](RegexId id) { return MatchesEmpty(id); });
    return all_empty ? kEmptyString : kNothing;
  }
  return InternList(Kind::kBoth, std::move(parts));
}

RegexId RegexArena::Both(RegexId a, RegexId b) {
  if (a == b || b == kAnything) return a;
  if (a == kAnything) return b;
  if (a == kNothing || b == kNothing) return kNothing;
  return Both({a, b});
}

RegexId RegexArena::Both(absl::Span<const RegexId> parts) {
  if (parts.size() == 1) return parts[0];
  return FoldBoth(Flatten(Kind::kBoth, parts));
}

RegexId RegexArena::Not(RegexId a) {
  if (!status_.ok()) return kNothing;
  const Node& node = nodes_[a];
  if (node.kind == Kind::kNot) return node.first;
  return Intern({.kind = Kind::kNot,
                 .first = a,
                 .matches_empty = !node.matches_empty,
                 .has_boolean = true,
                 .depth = static_cast<uint16_t>(node.depth + 1)});
}

RegexId RegexArena::Repeat(RegexId a, int32_t min, int32_t max) {
  const Node& node = nodes_[a];
  if (node.matches_empty) min = 0;
  if (max == 0 || a == kEmptyString) return kEmptyString;
  if (a == kNothing) return min == 0 ? kEmptyString : kNothing;
  if ((min == 1 && max == 1) || a == kAnything) return a;
  if (min == 0 && max == 1 && node.matches_empty) return a;
  // The counts of (r{0,n}){0,m} and (r{1,n}){k,m} leave no gap.
  if (node.kind == Kind::kRepeat && node.min <= 1 && Product(node.min, min) < kUnbounded) {
    return Repeat(node.first, Product(node.min, min), Product(node.max, max));
  }
  return Intern({.kind = Kind::kRepeat,
                 .first = a,
                 .min = min,
                 .max = max,
                 .matches_empty = min == 0,
                 .has_boolean = node.has_boolean,
                 .is_text = node.is_text,
                 .depth = static_cast<uint16_t>(node.depth + 1)});
}

RegexId RegexArena::DecimalMultiples(int32_t modulus, int32_t places) {
  for (const ByteSet& digit : kDecimalBytes) Bytes(digit);  // CollectFirstSets names them.
  return InternMultiples(modulus, 0, places);
}

RegexId RegexArena::InternMultiples(int32_t modulus, int32_t remainder, int32_t places) {
  const bool behind_point = places < 0;
  const int64_t scale = PowerOfTen(behind_point ? -1 - places : places);
  // As if zeros were written at the places that are still to come.
  const int64_t at_end = remainder * scale % modulus;
  if (behind_point && at_end != 0 && modulus - at_end >= scale) return kNothing;
  return Intern({.kind = Kind::kMultiples,
                 .first = modulus,
                 .second = remainder,
                 .min = places,
                 .matches_empty = at_end == 0});
}

RegexId RegexArena::DerivativeOfMultiples(RegexId id, uint8_t byte) {
  const Node node = nodes_[id];
  const bool behind_point = node.min < 0;
  if (byte == '.') {
    return behind_point ? kNothing : InternMultiples(node.first, node.second, -1 - node.min);
  }
  if (byte < '0' || byte > '9') return kNothing;
  // No place is left: only zeros may follow.
  if (node.min == -1) return byte == '0' ? id : kNothing;
  const auto remainder =
      static_cast<int32_t>((int64_t{node.second} * 10 + (byte - '0')) % node.first);
  return InternMultiples(node.first, remainder, behind_point ? node.min + 1 : node.min);
}

RegexId RegexArena::Derivative(RegexId id, uint8_t byte) {
  if (nodes_[id].kind == Kind::kBytes) return bytes(id).Contains(byte) ? kEmptyString : kNothing;
  if (id == kEmptyString) return kNothing;
  if (id == kAnything) return kAnything;
  if (BeginsWithBytes(id)) return FirstBytes(id).Contains(byte) ? tail(id) : kNothing;
  const uint64_t key = DerivativeKey(id, byte);
  const auto found = derivatives_.find(key);
  if (found != derivatives_.end()) return found->second;
  const RegexId derivative = ComputeDerivative(id, byte);
  if (derivatives_.size() >= kMaxKeptDerivatives) derivatives_.clear();
  derivatives_.emplace(key, derivative);
  return derivative;
}

RegexId RegexArena::ComputeDerivative(RegexId id, uint8_t byte) {
  const Node node = nodes_[id];  // A copy: nodes_ grows.
  switch (node.kind) {
    case Kind::kConcat:
      return DerivativeOfConcat(id, byte);
    case Kind::kNot:
      return Not(Derivative(node.first, byte));
    case Kind::kRepeat:
      return Concat(Derivative(node.first, byte),
                    Repeat(node.first, OneLess(node.min), OneLess(node.max)));
    case Kind::kEither:
    case Kind::kBoth:
      return DerivativeOfList(id, byte);
    case Kind::kMultiples:
      return DerivativeOfMultiples(id, byte);
    case Kind::kBytes:
    case Kind::kEmptyString:
      break;
  }
  return kNothing;
}

RegexId RegexArena::DerivativeOfConcat(RegexId id, uint8_t byte) {
  Ids parts;
  while (nodes_[id].kind == Kind::kConcat) {
    const RegexId head = nodes_[id].first;
    const RegexId tail = nodes_[id].second;
    parts.push_back(Concat(Derivative(head, byte), tail));
    if (!MatchesEmpty(head)) return Either(parts);
    id = tail;
  }
  parts.push_back(Derivative(id, byte));
  return Either(parts);
}

RegexId RegexArena::DerivativeOfList(RegexId id, uint8_t byte) {
  const Kind kind = nodes_[id].kind;
  Ids parts;
  for (const RegexId operand : operands(id)) {
    const RegexId derivative = Derivative(operand, byte);
    if (kind == Kind::kBoth && derivative == kNothing) return kNothing;
    if (derivative != kNothing) parts.push_back(derivative);
  }
  return kind == Kind::kBoth ? Both(parts) : Either(parts);
}

void RegexArena::CollectFirstSets(RegexId id) {
  if (std::exchange(seen_in_[id], walk_) == walk_) return;
  const Node& node = nodes_[id];
  switch (node.kind) {
    case Kind::kBytes:
      first_sets_.push_back(node.first);
      return;
    case Kind::kEmptyString:
      return;
    case Kind::kConcat:
      while (nodes_[id].kind == Kind::kConcat) {
        CollectFirstSets(nodes_[id].first);
        if (!MatchesEmpty(nodes_[id].first)) return;
        id = nodes_[id].second;
      }
      return CollectFirstSets(id);
    case Kind::kNot:
    case Kind::kRepeat:
      return CollectFirstSets(node.first);
    case Kind::kEither:
    case Kind::kBoth:
      for (const RegexId operand : operands(id)) CollectFirstSets(operand);
      return;
    case Kind::kMultiples:
      for (const ByteSet& digit : kDecimalBytes) first_sets_.push_back(byte_set_ids_.at(digit));
      return;
  }
}

std::vector<ByteSet> RegexArena::ByteClasses(RegexId id) {
  seen_in_.resize(nodes_.size());
  ++walk_;
  first_sets_.clear();
  CollectFirstSets(id);
  // In the order in which the sets were made, so that runs do not differ.
  absl::c_sort(first_sets_);
  std::vector<ByteSet> classes = {ByteSet::All()};
  for (const int32_t set : first_sets_) Refine(classes, byte_sets_[set]);
  return classes;
}

std::vector<RegexArena::Transition> RegexArena::Transitions(RegexId id) {
  if (BeginsWithBytes(id)) {
    if (IsNothing(tail(id))) return {};
    return {{FirstBytes(id), tail(id)}};
  }
  std::vector<Transition> transitions;
  for (const ByteSet& bytes : ByteClasses(id)) {
    const RegexId target = Derivative(id, bytes.Smallest());
    if (target == kNothing) continue;
    const auto known = absl::c_find_if(
        transitions, [target](const Transition& edge) { return edge.target == target; });
    if (known == transitions.end()) {
      transitions.push_back({bytes, target});
    } else {
      known->bytes |= bytes;
    }
  }
  std::erase_if(transitions, [this](const Transition& edge) { return IsNothing(edge.target); });
  return transitions;
}

bool RegexArena::IsNothing(RegexId id) {
  if (id == kNothing) return true;
  if (IsKnownToMatch(id)) return false;
  const auto found = is_nothing_.find(id);
  if (found != is_nothing_.end()) return found->second;
  bool is_nothing = false;
  switch (nodes_[id].kind) {
    case Kind::kConcat: {
      RegexId rest = id;
      while (!is_nothing && nodes_[rest].kind == Kind::kConcat) {
        is_nothing = IsNothing(nodes_[rest].first);
        rest = nodes_[rest].second;
      }
      is_nothing = is_nothing || IsNothing(rest);
      break;
    }
    case Kind::kRepeat:  // At least once, as it does not match the empty text.
      is_nothing = IsNothing(nodes_[id].first);
      break;
    case Kind::kEither: {
      const Ids operands = lists_[nodes_[id].first];
      is_nothing = absl::c_all_of(operands, [this](RegexId operand) { return IsNothing(operand); });
      break;
    }
    default:
      is_nothing = SearchIsNothing(id);
  }
  is_nothing_[id] = is_nothing;
  return is_nothing;
}

bool RegexArena::MatchesNextMultiple(RegexId id) {
  if (nodes_[id].kind != Kind::kBoth) return false;
  const Ids operands = lists_[nodes_[id].first];
  const auto multiples = absl::c_find_if(
      operands, [this](RegexId operand) { return nodes_[operand].kind == Kind::kMultiples; });
  if (multiples == operands.end()) return false;
  const Node node = nodes_[*multiples];
  // So many digits that one of the numbers they make is a multiple.
  int32_t digits = 0;
  while (PowerOfTen(digits) < node.first) ++digits;
  if (node.min < 0) digits = -1 - node.min;
  const int64_t missing = (node.first - node.second * PowerOfTen(digits) % node.first) % node.first;
  for (int32_t left = digits; left > 0; --left) {
    const int64_t digit = missing / PowerOfTen(left - 1) % 10;
    id = Derivative(id, static_cast<uint8_t>('0' + digit));
  }
  return MatchesEmpty(id);
}

bool RegexArena::IsKnownToMatch(RegexId id) const {
  if (id == kNothing) return false;
  // Without Both and Not, the constructors leave no part that matches nothing.
  if (MatchesEmpty(id) || !nodes_[id].has_boolean) return true;
  const auto found = is_nothing_.find(id);
  return found != is_nothing_.end() && !found->second;
}

size_t RegexArena::OperandCount(RegexId id) const {
  const Kind kind = nodes_[id].kind;
  return kind == Kind::kBoth || kind == Kind::kEither ? operands(id).size() : 1;
}

void RegexArena::FailSearch() {
  status_ = absl::ResourceExhaustedError(
      absl::StrCat("it takes more than ", kMaxSearchSteps,
                   " steps to find out whether any text matches a regular expression; it has too "
                   "many look-aheads, or patterns that apply together"));
}

// Depth first. Many bytes lead out of what a few texts forbid: of a state's derivatives, that for
// most bytes is computed and followed first, and mostly no other.
bool RegexArena::SearchIsNothing(RegexId start) {
  struct Place {
    RegexId id;
    absl::InlinedVector<uint8_t, 16> bytes;  // That are left to try, one of each class.
  };
  std::vector<Place> path;
  const auto enter = [&](RegexId id) {
    std::vector<ByteSet> classes = ByteClasses(id);
    std::swap(*absl::c_max_element(classes, HasFewerBytes), classes.back());
    Place& place = path.emplace_back(Place{.id = id});
    for (const ByteSet& bytes : classes) place.bytes.push_back(bytes.Smallest());
  };
  absl::flat_hash_set<RegexId> seen = {start};
  enter(start);
  bool matches = MatchesNextMultiple(start);
  int64_t steps = 0;
  while (!matches && !path.empty() && status_.ok()) {
    Place& place = path.back();
    if (place.bytes.empty()) {
      path.pop_back();
      continue;
    }
    const RegexId target = Derivative(place.id, place.bytes.back());
    place.bytes.pop_back();
    steps += static_cast<int64_t>(OperandCount(place.id));
    if (steps > kMaxSearchSteps) FailSearch();
    if (target == kNothing || !seen.insert(target).second) continue;
    matches = IsKnownToMatch(target) || MatchesNextMultiple(target);
    if (!matches && !is_nothing_.contains(target)) enter(target);
  }
  // Without an answer nothing must be refused; the status tells.
  if (!status_.ok()) return false;
  if (matches) {
    for (const Place& place : path) is_nothing_[place.id] = false;
  } else {
    for (const RegexId id : seen) is_nothing_[id] = true;
  }
  return !matches;
}

}  // namespace logitchain
