#include "logitchain/cli/flags.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/cli/usage_error.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::TestWithParam;
using ::testing::ValuesIn;

// A flag of every kind.
struct Options {
  bool json = false;
  std::string model = "default.bin";
  std::optional<std::string> trace;
  std::vector<std::string> stop;
  int64_t n = 1;
  std::optional<int64_t> steps;
  std::optional<uint64_t> seed;

  std::vector<Flag> Flags() {
    return {
        {.name = "json", .help = "print JSON", .target = &json},
        {.name = "model", .value_name = "FILE", .help = "the model", .target = &model},
        {.name = "trace", .value_name = "FILE", .help = "write a trace", .target = &trace},
        {.name = "stop", .value_name = "STRING", .help = "end before it", .target = &stop},
        {.name = "n", .value_name = "N", .help = "how many", .target = &n, .min = 1, .max = 9},
        {.name = "steps", .value_name = "N", .help = "how far", .target = &steps, .max = 99},
        {.name = "seed", .value_name = "N", .help = "the seed", .target = &seed},
    };
  }
};

// Parses into `options` and returns the positional arguments, or the error's message.
std::vector<std::string> Parse(const std::vector<std::string>& arguments, Options& options) {
  const absl::StatusOr<std::vector<std::string>> rest = ParseFlags(arguments, options.Flags());
  if (rest.ok()) return *rest;
  EXPECT_TRUE(IsUsageError(rest.status())) << rest.status();
  return {std::string(rest.status().message())};
}

TEST(FlagsTest, KeepsDefaultsWithoutFlags) {
  Options options;
  EXPECT_THAT(Parse({}, options), IsEmpty());
  EXPECT_FALSE(options.json);
  EXPECT_EQ(options.model, "default.bin");
  EXPECT_EQ(options.trace, std::nullopt);
  EXPECT_THAT(options.stop, IsEmpty());
  EXPECT_EQ(options.n, 1);
  EXPECT_EQ(options.steps, std::nullopt);
  EXPECT_EQ(options.seed, std::nullopt);
}

TEST(FlagsTest, TakesValuesBehindAnEqualsSign) {
  Options options;
  EXPECT_THAT(Parse({"--json", "--model=a=b", "--trace=t", "--stop=x", "--stop=--", "--n=9",
                     "--steps=0", "--seed=18446744073709551615"},
                    options),
              IsEmpty());
  EXPECT_TRUE(options.json);
  EXPECT_EQ(options.model, "a=b");
  EXPECT_EQ(options.trace, "t");
  EXPECT_THAT(options.stop, ElementsAre("x", "--"));
  EXPECT_EQ(options.n, 9);
  EXPECT_EQ(options.steps, 0);
  EXPECT_EQ(options.seed, UINT64_MAX);
}

TEST(FlagsTest, TakesValuesFromTheNextArgument) {
  Options options;
  EXPECT_THAT(Parse({"--model", "m", "--stop", "-", "--n", "3", "--seed", "7"}, options),
              IsEmpty());
  EXPECT_EQ(options.model, "m");
  EXPECT_THAT(options.stop, ElementsAre("-"));
  EXPECT_EQ(options.n, 3);
  EXPECT_EQ(options.seed, 7u);
}

TEST(FlagsTest, ASwitchTakesNoNextArgument) {
  Options options;
  EXPECT_THAT(Parse({"--json", "false"}, options), ElementsAre("false"));
  EXPECT_TRUE(options.json);
  Options off = {.json = true};
  EXPECT_THAT(Parse({"--json=false"}, off), IsEmpty());
  EXPECT_FALSE(off.json);
}

TEST(FlagsTest, ReturnsOtherArgumentsInOrder) {
  Options options;
  EXPECT_THAT(Parse({"a", "--json", "-", "", "--", "--seed", "b"}, options),
              ElementsAre("a", "-", "", "--seed", "b"));
}

struct BadCase {
  std::string name;
  std::vector<std::string> arguments;
  std::string message;
};

class BadFlagsTest : public TestWithParam<BadCase> {};

TEST_P(BadFlagsTest, SaysWhatIsWrong) {
  Options options;
  EXPECT_THAT(Parse(GetParam().arguments, options), ElementsAre(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadFlagsTest,
    ValuesIn(std::vector<BadCase>{
        {"Unknown", {"--sede=1"}, "there is no flag --sede (did you mean --seed?)"},
        {"UnknownAndUnlike", {"--frobnicate"}, "there is no flag --frobnicate"},
        {"OneDash", {"-seed=1"}, "there is no flag -seed (did you mean --seed?)"},
        {"Hyphen", {"--st-ops=1"}, "there is no flag --st-ops (did you mean --stop?)"},
        {"NoValueAtTheEnd", {"--seed"}, "--seed needs a value, as in --seed=N"},
        {"NoValueBeforeAFlag", {"--model", "--json"}, "--model needs a value, as in --model=FILE"},
        {"NoFile", {"--model="}, "--model is \"\"; it must be the name of a file"},
        {"NoOptionalFile", {"--trace", ""}, "--trace is \"\"; it must be the name of a file"},
        {"Twice", {"--seed=1", "--seed=1"}, "--seed is given twice"},
        {"BadSwitch", {"--json=yes"}, "--json is \"yes\"; it must be true or false"},
        {"NoNumber", {"--n=two"}, "--n is \"two\"; it must be a whole number from 1 to 9"},
        {"Fraction", {"--n=1.5"}, "--n is \"1.5\"; it must be a whole number from 1 to 9"},
        {"EmptyNumber", {"--steps="}, "--steps is \"\"; it must be a whole number from 0 to 99"},
        {"TooSmall", {"--n=0"}, "--n is \"0\"; it must be a whole number from 1 to 9"},
        {"TooLarge", {"--steps=100"}, "--steps is \"100\"; it must be a whole number from 0 to 99"},
        {"NegativeSeed",
         {"--seed=-1"},
         "--seed is \"-1\"; it must be a whole number from 0 to 18446744073709551615"},
        {"SeedOverflow",
         {"--seed", "18446744073709551616"},
         "--seed is \"18446744073709551616\"; it must be a whole number from 0 to "
         "18446744073709551615"},
    }),
    [](const auto& info) { return info.param.name; });

TEST(FlagsTest, NamesAllThatIsMissing) {
  std::string chain;
  std::string logits;
  const std::vector<Flag> flags = {
      {.name = "chain", .value_name = "FILE", .target = &chain, .required = true},
      {.name = "logits", .value_name = "X.npy", .target = &logits, .required = true}};
  EXPECT_EQ(ParseFlags({}, flags).status().message(),
            "--chain=FILE and --logits=X.npy are missing");
  EXPECT_EQ(ParseFlags({"--chain", "c"}, flags).status().message(), "--logits=X.npy is missing");
  EXPECT_TRUE(ParseFlags({"--chain=c", "--logits="}, flags).ok());
  EXPECT_EQ(ParseFlags({"--chain=", "--logits=l"}, flags).status().message(),
            "--chain is \"\"; it must be the name of a file");
}

TEST(FlagsTest, AFileHasAName) {
  std::optional<std::string> trace;
  std::vector<std::string> plugins;
  const std::vector<Flag> flags = {{.name = "trace", .value_name = "FILE", .target = &trace},
                                   {.name = "plugin", .value_name = "FILE.so", .target = &plugins}};
  for (const std::string name : {"--trace", "--plugin"}) {
    const absl::Status empty = ParseFlags({name + "="}, flags).status();
    EXPECT_TRUE(IsUsageError(empty));
    EXPECT_EQ(empty.message(), name + " is \"\"; it must be the name of a file");
    const absl::Status stream = ParseFlags({name, "-"}, flags).status();
    EXPECT_TRUE(IsUsageError(stream));
    EXPECT_EQ(stream.message(),
              name +
                  " is \"-\"; write ./- for a file of that name: only import takes - for a "
                  "standard stream");
  }
  EXPECT_TRUE(ParseFlags({"--trace=./-"}, flags).ok());
  EXPECT_EQ(trace, "./-");
}

TEST(FlagsTest, HelpShowsValuesDefaultsAndWhatIsRequired) {
  Options options;
  std::vector<Flag> flags = options.Flags();
  flags[5].required = true;
  EXPECT_EQ(FlagsHelp(flags),
            "  --json         print JSON\n"
            "  --model=FILE   the model (default: default.bin)\n"
            "  --trace=FILE   write a trace\n"
            "  --stop=STRING  end before it\n"
            "  --n=N          how many (default: 1)\n"
            "  --steps=N      how far (required)\n"
            "  --seed=N       the seed\n"
            "  --help         show this text\n");
}

}  // namespace
}  // namespace logitchain
