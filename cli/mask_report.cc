#include "logitchain/cli/mask_report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/matcher.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxCauses = 10;

bool IsStop(const Vocabulary& vocabulary, TokenId id) {
  return absl::c_linear_search(vocabulary.stop_ids(), id);
}

std::string TokenText(const Vocabulary& vocabulary, TokenId id) {
  return IsStop(vocabulary, id) ? "(the end)" : QuotedBytes(vocabulary.bytes(id));
}

void PrintTable(absl::Span<const Cells> rows, std::ostream& out) {
  if (rows.empty()) return;
  std::vector<Column> columns = ColumnsFor(rows);
  columns[0].right_aligned = true;
  for (const Cells& row : rows) out << AlignedRow(row, columns) << "\n";
}

void PrintRefused(const MaskReport& report, const Vocabulary& vocabulary, std::ostream& out) {
  if (report.refused.empty()) return;
  out << "\nrefused, the most frequent causes first:\n";
  std::vector<Cells> rows;
  for (const MaskReport::Refusal& refusal : report.refused) {
    if (rows.size() == kMaxCauses) break;
    rows.push_back({absl::StrCat(refusal.count), "such as", TokenText(vocabulary, refusal.example),
                    refusal.cause});
  }
  PrintTable(rows, out);
  if (report.refused.size() > kMaxCauses) {
    out << "… and " << report.refused.size() - kMaxCauses << " more causes\n";
  }
}

Json TokenAsJson(const Vocabulary& vocabulary, TokenId id) {
  Json json = {{"id", id}, {"text", EscapedBadUtf8(vocabulary.bytes(id))}};
  if (IsStop(vocabulary, id)) json["is_stop"] = true;
  return json;
}

// Why the ids refuse a token; empty if they do not.
std::string CauseInIds(const MaskIds& ids, TokenId id) {
  if (ids.banned.contains(id)) return "is banned by banned_ids";
  const bool is_allowed = ids.allowed.empty() || ids.allowed.contains(id);
  return is_allowed ? "" : "is not among allowed_ids";
}

// Why a token is refused: what the grammar says comes before what the ids say. Empty if it is not.
absl::StatusOr<std::string> FindCause(Matcher& matcher, const MaskIds& ids, TokenId id,
                                      bool is_in_grammar) {
  if (is_in_grammar) return CauseInIds(ids, id);
  const absl::StatusOr<Matcher::Explanation> explanation = matcher.Explain(id);
  if (!explanation.ok()) return explanation.status();
  return explanation->cause;
}

}  // namespace

absl::StatusOr<MaskReport> ReportMask(Matcher& matcher, const Vocabulary& vocabulary,
                                      const MaskIds& ids, int64_t limit) {
  std::vector<int32_t> mask((vocabulary.size() + 31) / 32);
  if (absl::Status status = matcher.FillMask(absl::MakeSpan(mask)); !status.ok()) return status;
  const absl::StatusOr<bool> may_end = matcher.IsAccepting();
  if (!may_end.ok()) return may_end.status();
  absl::StatusOr<std::string> forced = matcher.ForcedBytes();
  if (!forced.ok()) return forced.status();
  MaskReport report = {.may_end = *may_end, .forced = *std::move(forced), .allowed_count = 0};
  absl::btree_map<std::string, MaskReport::Refusal> refused;
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    const bool is_in_grammar = (mask[id / 32] >> (id % 32)) & 1;
    const absl::StatusOr<std::string> cause = FindCause(matcher, ids, id, is_in_grammar);
    if (!cause.ok()) return cause.status();
    if (cause->empty()) {
      if (++report.allowed_count <= limit) report.allowed.push_back(id);
    } else {
      ++refused.try_emplace(*cause, MaskReport::Refusal{*cause, 0, id}).first->second.count;
    }
  }
  for (auto& [cause, refusal] : refused) report.refused.push_back(std::move(refusal));
  absl::c_stable_sort(report.refused,
                      [](const auto& a, const auto& b) { return a.count > b.count; });
  return report;
}

void PrintMaskReport(const MaskReport& report, const Vocabulary& vocabulary, std::ostream& out) {
  out << report.allowed_count << " of " << vocabulary.size() << " tokens may come";
  if (report.may_end) out << "; the text may end here";
  if (!report.forced.empty()) out << "; the text must go on with " << QuotedBytes(report.forced);
  out << "\n";
  std::vector<Cells> rows;
  for (const TokenId id : report.allowed) {
    rows.push_back({absl::StrCat(id), TokenText(vocabulary, id)});
  }
  PrintTable(rows, out);
  const int64_t more = report.allowed_count - static_cast<int64_t>(report.allowed.size());
  if (more > 0) out << "… and " << more << " more\n";
  PrintRefused(report, vocabulary, out);
}

Json MaskReportAsJson(const MaskReport& report, const Vocabulary& vocabulary) {
  Json json = {{"vocab_size", vocabulary.size()},
               {"may_end", report.may_end},
               {"forced", EscapedBadUtf8(report.forced)},
               {"allowed_count", report.allowed_count},
               {"allowed", Json::array()},
               {"refused", Json::array()}};
  for (const TokenId id : report.allowed) json["allowed"].push_back(TokenAsJson(vocabulary, id));
  for (const MaskReport::Refusal& refusal : report.refused) {
    json["refused"].push_back({{"count", refusal.count},
                               {"example", TokenAsJson(vocabulary, refusal.example)},
                               {"cause", refusal.cause}});
  }
  return json;
}

}  // namespace logitchain
