#include "logitchain/models/trigram_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/files/regular_file.h"

// The format, in the byte order of the machine that wrote it:
//   magic; uint8 order; uint32 count of n-grams for each order; int32 1;
//   tables of float32 values for the quantized bigram probabilities, bigram back-off weights and
//   trigram probabilities, 2^16 entries each;
//   unigrams {float32, float32, uint32}, and one more to end the last one's bigrams;
//   bigrams and trigrams, packed by the bit;
//   int32 bytes of the word list; the words in the order of their ids, each ended by a zero byte.
namespace logitchain {
namespace {

constexpr absl::string_view kMagic = "Trie Language Model";

#pragma pack(push, 1)
struct Header {
  char magic[19];
  uint8_t order;
  uint32_t counts[3];
};
#pragma pack(pop)
static_assert(sizeof(Header) == kMagic.size() + 13);

constexpr int64_t kQuantizedBits = 16;
constexpr int64_t kTableBytes = 3 * (int64_t{1} << kQuantizedBits) * sizeof(float);
constexpr int64_t kUnigramBytes = 12;

// libsphinxbase reads packed ids and counts with at most this many bits.
constexpr uint32_t kMaxCount = uint32_t{1} << 25;

// The bytes of `count` packed entries and one that ends them, with room to read beyond the last.
int64_t PackedBytes(int64_t count, int64_t bits) { return ((1 + count) * bits + 7) / 8 + 8; }

int64_t WordListOffset(const uint32_t (&counts)[3]) {
  const int64_t word_bits = std::bit_width(counts[0]);
  const int64_t next_bits = std::bit_width(counts[2]);
  return sizeof(Header) + sizeof(int32_t) + kTableBytes + (int64_t{counts[0]} + 1) * kUnigramBytes +
         PackedBytes(counts[1], word_bits + 2 * kQuantizedBits + next_bits) +
         PackedBytes(counts[2], word_bits + kQuantizedBits);
}

template <typename Value>
absl::Status Read(const RegularFile& file, int64_t offset, Value* value) {
  return file.ReadAt(offset, absl::MakeSpan(reinterpret_cast<char*>(value), sizeof(*value)));
}

absl::Status Malformed(const RegularFile& file, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(file.path(), ": ", what));
}

absl::Status CheckHeader(const RegularFile& file, const Header& header) {
  if (absl::string_view(header.magic, kMagic.size()) != kMagic) {
    return Malformed(file, absl::StrCat("is not a binary language model of sphinxbase; it does not "
                                        "begin with \"",
                                        kMagic, "\""));
  }
  if (header.order != 3) {
    return Malformed(file, absl::StrFormat("has n-grams up to order %d; it must be a trigram model",
                                           header.order));
  }
  for (const uint32_t count : header.counts) {
    if (count == 0 || count >= kMaxCount) {
      return Malformed(file, absl::StrFormat("has %d n-grams of one order; it must be 1 to %d",
                                             count, kMaxCount - 1));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckWords(const RegularFile& file, int64_t offset, uint32_t count) {
  std::vector<char> words(file.size() - offset);
  if (absl::Status status = file.ReadAt(offset, absl::MakeSpan(words)); !status.ok()) return status;
  const int64_t ends = std::count(words.begin(), words.end(), '\0');
  if (ends != count || words.back() != '\0') {
    return Malformed(file, absl::StrFormat("lists %d words; its header says %d", ends, count));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckTrigramFile(const std::string& path) {
  const absl::StatusOr<RegularFile> file = RegularFile::Open(path);
  if (!file.ok()) return file.status();
  Header header = {};
  if (file->size() >= static_cast<int64_t>(sizeof(header))) {
    if (absl::Status status = Read(*file, 0, &header); !status.ok()) return status;
  }
  if (absl::Status status = CheckHeader(*file, header); !status.ok()) return status;

  const int64_t size_offset = WordListOffset(header.counts);
  const int64_t words_offset = size_offset + sizeof(int32_t);
  int32_t word_bytes = 0;
  if (file->size() > words_offset) {
    if (absl::Status status = Read(*file, size_offset, &word_bytes); !status.ok()) return status;
  }
  if (word_bytes <= 0 || file->size() != words_offset + word_bytes) {
    return Malformed(*file,
                     absl::StrFormat("has %d bytes, which are not those that its header asks "
                                     "for: %d and a list of words behind them",
                                     file->size(), words_offset));
  }
  return CheckWords(*file, words_offset, header.counts[0]);
}

}  // namespace logitchain
