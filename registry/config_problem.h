#ifndef LOGITCHAIN_REGISTRY_CONFIG_PROBLEM_H_
#define LOGITCHAIN_REGISTRY_CONFIG_PROBLEM_H_

#include <string>

namespace logitchain {

// One thing that is wrong with a chain's config.
struct ConfigProblem {
  std::string path;     // "processors[4].top_p.p"; "" is the config as a whole.
  std::string message;  // Reads on after the path: "is 1.5; it must be in (0, 1]".
};

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_CONFIG_PROBLEM_H_
