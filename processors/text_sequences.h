#ifndef LOGITCHAIN_PROCESSORS_TEXT_SEQUENCES_H_
#define LOGITCHAIN_PROCESSORS_TEXT_SEQUENCES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {

// The sequences of tokens that bring `text`, which is not empty, into a text:
//   each token whose bytes hold all of it, alone;
//   each other token whose bytes end with a beginning of it, once for each such beginning, followed
//   by the tokens of the rest, of which only the first 20 count.
// The rest is split from left to right, always by the longest token that fits, of several with the
// same bytes the lowest id; a rest that cannot be split gives no sequence. Costs O(bytes of the
// vocabulary · bytes of the text).
//
// Source: get_overlapping_token_sequences in llama.cpp's llama-sampler.cpp, from pi6am, koboldcpp
// pull request 982. There the model's own tokenizer splits the rest, which a vocabulary does not
// have; texts of one byte, the usual ones, have no rest.
std::vector<std::vector<TokenId>> TextSequences(absl::string_view text,
                                                const Vocabulary& vocabulary);

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TEXT_SEQUENCES_H_
