#ifndef LOGITCHAIN_GRAMMAR_ENGINE_CLOSURE_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_CLOSURE_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "logitchain/grammar/engine/items.h"
#include "logitchain/grammar/engine/return_sets.h"

namespace logitchain {

// One way to read the text so far: it ends within a terminal.
struct Thread {
  int32_t lexer_state;  // What is left of the terminal.
  int32_t item;         // What comes behind it.
  int32_t returns;      // What comes behind the item's rule: a set of ReturnSets.

  friend auto operator<=>(const Thread&, const Thread&) = default;
};

// Finds the terminals that may come next: from items to the terminals they begin with, through the
// rules that they call and behind the rules that they end. Rules that are called at one place of
// the text have one set of returns there, as in Earley's algorithm, whoever calls them. A call that
// ends its caller returns to where the caller does, so that right recursion needs no stack.
class Closure {
 public:
  // Of one run, in which no more steps are made; a run that would need more finds nothing.
  static constexpr int64_t kMaxSteps = 1 << 22;

  Closure(Items& items, ReturnSets& return_sets) : items_(items), return_sets_(return_sets) {}

  void Clear();

  // Adds what may come at the item.
  void Add(int32_t item, int32_t returns) { Reach(item, returns); }
  // Adds what may come behind a rule with these returns.
  void AddBehind(int32_t returns);

  // What was found since Clear. Threads are in no order and may repeat.
  struct Found {
    const std::vector<Thread>& threads;
    bool ends_text;
    bool too_large;
  };
  Found Find();

 private:
  // Rules called here have no set of returns before all is found. A reference to those of the k-th
  // rule called here.
  static constexpr int32_t Pending(int32_t k) { return -1 - k; }
  static constexpr bool IsPending(int32_t returns) { return returns < 0; }
  static constexpr int32_t IndexOf(int32_t pending) { return -1 - pending; }

  // A rule that is called here.
  struct Called {
    int32_t rule;
    int32_t left_group;
    std::vector<Return> returns;        // Parents may be pending.
    std::vector<int32_t> heirs_of;      // Returns to where these pending ones do, too.
    int32_t set = ReturnSets::kBottom;  // Once it is known.
  };

  struct Step {
    int32_t item;
    int32_t returns;
  };

  void Reach(int32_t item, int32_t returns);
  void Take(const Step& step);
  void Call(const CallEdge& edge, int32_t returns);
  int32_t CalledIndex(int32_t rule);
  void FinishReturns();
  void FinishGroup(const int32_t* begin, const int32_t* end);

  Items& items_;
  ReturnSets& return_sets_;
  std::vector<Step> steps_;
  absl::flat_hash_set<uint64_t> reached_;
  std::vector<Called> called_;
  size_t called_count_ = 0;  // Of called_; the others keep their memory for later.
  absl::flat_hash_map<int32_t, int32_t> index_of_rule_;
  std::vector<Thread> threads_;
  std::vector<int32_t> order_;
  std::vector<std::vector<Return>> group_;
  std::vector<int32_t> ids_;
  bool ends_text_ = false;
  int64_t step_count_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_CLOSURE_H_
