#include "logitchain/cli/completion_report.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "logitchain/cli/sample_json.h"
#include "logitchain/core/counted.h"
#include "logitchain/core/decode/decode_loop.h"
#include "logitchain/core/decode/decode_observer.h"
#include "logitchain/core/decode/finish.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using Json = nlohmann::ordered_json;

std::string FinishText(const Finish& finish) {
  std::string text(FinishReasonName(finish.reason));
  if (finish.stop_token) absl::StrAppend(&text, " (id ", *finish.stop_token, ")");
  if (finish.reason == FinishReason::kStopString) {
    absl::StrAppend(&text, " ", JsonLine(Json(finish.stop_string)));
  }
  return text;
}

}  // namespace

std::string SummaryText(const Completion& completion) {
  const size_t tokens = completion.loop.tokens().size();
  return absl::StrFormat("[%s; %s in %.2f s; seed %d]\n", FinishText(*completion.loop.finish()),
                         Counted(tokens, "token"), absl::ToDoubleSeconds(completion.time),
                         completion.seed);
}

Json CompletionAsJson(const Completion& completion, absl::string_view prompt) {
  const DecodeLoop& loop = completion.loop;
  const Finish& finish = *loop.finish();
  Json json = {{"completion", completion.index},
               {"seed", completion.seed},
               {"prompt", std::string(prompt)},
               {"text", loop.text()},
               {"finish_reason", std::string(FinishReasonName(finish.reason))}};
  if (finish.stop_token) json["stop_token"] = *finish.stop_token;
  if (finish.reason == FinishReason::kStopString) json["stop_string"] = finish.stop_string;
  if (!finish.status.ok()) json["error"] = std::string(finish.status.message());
  json["tokens"] = Json::array();
  for (const TokenRecord& record : loop.records()) {
    Json token = SampleAsJson(record.sample);
    token["text"] = record.bytes;
    json["tokens"].push_back(std::move(token));
  }
  return json;
}

}  // namespace logitchain
