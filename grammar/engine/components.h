#ifndef LOGITCHAIN_GRAMMAR_ENGINE_COMPONENTS_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_COMPONENTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace logitchain {

// The strongly connected components of a graph.
struct Components {
  // The component of each vertex. An edge between two components leads to the one with the lower
  // number.
  std::vector<int32_t> of;
  // Its vertices, by component.
  std::vector<std::vector<int32_t>> members;
};

// `successors` has the targets of the edges from each vertex. O(vertices + edges), after Tarjan
// (1972), without recursion.
Components FindComponents(absl::Span<const std::vector<int32_t>> successors);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_COMPONENTS_H_
