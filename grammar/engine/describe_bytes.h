#ifndef LOGITCHAIN_GRAMMAR_ENGINE_DESCRIBE_BYTES_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_DESCRIBE_BYTES_H_

#include <string>

#include "logitchain/grammar/regex/byte_set.h"

namespace logitchain {

// The set as a regular expression writes it: "[0-9a-f\x80-\xbf]".
std::string DescribeBytes(const ByteSet& bytes);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_DESCRIBE_BYTES_H_
