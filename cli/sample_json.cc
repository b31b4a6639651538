#include "logitchain/cli/sample_json.h"

#include <optional>
#include <string>

#include "logitchain/core/sample.h"
#include "nlohmann/json.hpp"

namespace logitchain {

using Json = nlohmann::ordered_json;

Json SampleAsJson(const Sample& sample) {
  Json json = {{"id", sample.token}};
  const auto add = [&json](const char* name, const std::optional<double>& number) {
    if (number) json[name] = *number;
  };
  add("probability", sample.probability);
  add("raw_logprob", sample.raw_logprob);
  add("penalised_logprob", sample.penalised_logprob);
  add("processed_logprob", sample.processed_logprob);
  json["kept"] = sample.kept;
  json["greedy"] = sample.greedy;
  json["u"] = sample.uniform ? Json(*sample.uniform) : Json(nullptr);
  return json;
}

std::string JsonLine(const Json& json) {
  return json.dump(/*indent=*/-1, /*indent_char=*/' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace);
}

}  // namespace logitchain
