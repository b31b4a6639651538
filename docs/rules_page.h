#ifndef LOGITCHAIN_DOCS_RULES_PAGE_H_
#define LOGITCHAIN_DOCS_RULES_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "logitchain/docs/proto_comments.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

// docs/rules.md: every rule of the registry, and every end of a chain, with what the comments and
// options of its proto say. An error names what a comment lacks: a rule's must have the paragraphs
// "Boundaries and ties:", "Cost:", "Source:" and "Peers:", and every parameter must have one.
absl::StatusOr<std::string> RulesPage(const ProcessorRegistry& registry,
                                      const ProtoComments& comments);

}  // namespace logitchain

#endif  // LOGITCHAIN_DOCS_RULES_PAGE_H_
