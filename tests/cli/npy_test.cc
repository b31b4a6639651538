#include "logitchain/cli/npy.h"

#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/cli/npy_header.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Digits may have spaces between the bytes.
std::string Unhex(absl::string_view digits) {
  return absl::HexStringToBytes(absl::StrReplaceAll(digits, {{" ", ""}}));
}

// A header with this dict as it is, without padding.
std::string Header(absl::string_view dict, int major = 1, int minor = 0) {
  std::string bytes("\x93NUMPY", 6);
  bytes.push_back(static_cast<char>(major));
  bytes.push_back(static_cast<char>(minor));
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
    bytes.push_back(static_cast<char>(dict.size() >> 8 * i));
  }
  return absl::StrCat(bytes, dict);
}

std::string Dict(absl::string_view descr, absl::string_view shape,
                 absl::string_view fortran_order = "False") {
  return absl::StrCat("{'descr': '", descr, "', 'fortran_order': ", fortran_order,
                      ", 'shape': ", shape, ", }\n");
}

std::string File(absl::string_view descr, absl::string_view shape, absl::string_view data_digits) {
  return absl::StrCat(Header(Dict(descr, shape)), Unhex(data_digits));
}

// The rows of a file one behind the other, or the first error.
absl::StatusOr<std::vector<float>> ReadAll(const std::string& path) {
  absl::StatusOr<NpyReader> reader = NpyReader::Open(path);
  if (!reader.ok()) return reader.status();
  std::vector<float> values(reader->rows() * reader->cols());
  for (int64_t i = 0; i < reader->rows(); ++i) {
    const absl::Status status =
        reader->ReadRow(absl::MakeSpan(values).subspan(i * reader->cols(), reader->cols()));
    if (!status.ok()) return status;
  }
  return values;
}

MATCHER_P(SameBits, value, "") {
  return std::bit_cast<uint32_t>(arg) == std::bit_cast<uint32_t>(value);
}

TEST(NpyReaderTest, ReadsRowByRow) {
  TempFolder folder;
  auto reader = NpyReader::Open(folder.Write(
      "x.npy", File("<f4", "(3, 2)", "0000c03f 000000c0 00000000 00000080 0000803f 00000040")));
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ(reader->rows(), 3);
  EXPECT_EQ(reader->cols(), 2);
  std::vector<float> row(2);
  ASSERT_TRUE(reader->ReadRow(absl::MakeSpan(row)).ok());
  EXPECT_THAT(row, ElementsAre(1.5f, -2.0f));
  ASSERT_TRUE(reader->ReadRow(absl::MakeSpan(row)).ok());
  EXPECT_THAT(row, ElementsAre(SameBits(0.0f), SameBits(-0.0f)));
  ASSERT_TRUE(reader->ReadRow(absl::MakeSpan(row)).ok());
  EXPECT_THAT(row, ElementsAre(1.0f, 2.0f));

  const absl::Status end = reader->ReadRow(absl::MakeSpan(row));
  EXPECT_EQ(end.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(end.message()), HasSubstr("has 3 rows and all are read"));
  ASSERT_TRUE(reader->Seek(0).ok());
  ASSERT_TRUE(reader->ReadRow(absl::MakeSpan(row)).ok());
  EXPECT_THAT(row, ElementsAre(1.5f, -2.0f));
}

TEST(NpyReaderTest, SeeksWithinTheFile) {
  TempFolder folder;
  auto reader = NpyReader::Open(folder.Write("x.npy", File("<f4", "(2, 1)", "0000803f 00000040")));
  ASSERT_TRUE(reader.ok()) << reader.status();
  float value;
  ASSERT_TRUE(reader->Seek(1).ok());
  ASSERT_TRUE(reader->ReadRow(absl::MakeSpan(&value, 1)).ok());
  EXPECT_EQ(value, 2.0f);
  EXPECT_TRUE(reader->Seek(2).ok());
  EXPECT_EQ(reader->ReadRow(absl::MakeSpan(&value, 1)).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(reader->Seek(3).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(reader->Seek(-1).code(), absl::StatusCode::kOutOfRange);
}

TEST(NpyReaderTest, WantsRoomForExactlyOneRow) {
  TempFolder folder;
  auto reader = NpyReader::Open(folder.Write("x.npy", File("<f4", "(2,)", "0000803f 00000040")));
  ASSERT_TRUE(reader.ok()) << reader.status();
  std::vector<float> row(3);
  EXPECT_THAT(reader->ReadRow(absl::MakeSpan(row)).ToString(),
              HasSubstr("a row has 2 columns, not 3"));
  EXPECT_TRUE(reader->ReadRow(absl::MakeSpan(row).first(2)).ok());
}

struct GoodFile {
  std::string name;
  std::string bytes;
  int64_t rows;
  std::vector<float> values;
};

std::vector<GoodFile> GoodFiles() {
  const std::string data = Unhex("0000c03f 000000c0");
  const std::vector<float> values = {1.5f, -2.0f};
  std::vector<GoodFile> files = {
      {"version 1.0", Header(Dict("<f4", "(1, 2)"), 1) + data, 1, values},
      {"version 2.0", Header(Dict("<f4", "(1, 2)"), 2) + data, 1, values},
      {"version 3.0", Header(Dict("<f4", "(1, 2)"), 3) + data, 1, values},
      {"one dimension", Header(Dict("<f4", "(2,)")) + data, 1, values},
      {"no comma behind the shape", Header(Dict("<f4", "(2, 1)")) + data, 2, values},
      {"comma behind the shape", Header(Dict("<f4", "(2, 1,)")) + data, 2, values},
      {"Fortran order of one dimension", Header(Dict("<f4", "(2,)", "True")) + data, 1, values},
      {"Fortran order of one row", Header(Dict("<f4", "(1, 2)", "True")) + data, 1, values},
      {"Fortran order of one column", Header(Dict("<f4", "(2, 1)", "True")) + data, 2, values},
      {"this machine's byte order", FormatNpyHeader(1, 1) + std::string("\0\0\0\0", 4), 1, {0.0f}},
      {"other order of keys",
       Header("{'shape': (2,), 'descr': '<f4', 'fortran_order': False}") + data, 1, values},
      {"double quotes",
       Header("{\"shape\": (2,), \"descr\": \"<f4\", \"fortran_order\": False}") + data, 1, values},
      {"no whitespace", Header("{'shape':(2,),'descr':'<f4','fortran_order':False}") + data, 1,
       values},
      {"much whitespace",
       Header(" {\t'shape' : ( 2 , ) ,\n'descr' : '<f4' , 'fortran_order' : False , } \r\n") + data,
       1, values},
      {"longest dict",
       Header(Dict("<f4", "(2,)") + std::string(kMaxNpyDictBytes - Dict("<f4", "(2,)").size(), ' '),
              2) +
           data,
       1, values},
      {"big-endian float32", File(">f4", "(2,)", "3fc00000 c0000000"), 1, values},
      {"big-endian float64", File(">f8", "(2,)", "3ff8000000000000 c000000000000000"), 1, values},
      {"big-endian float16", File(">f2", "(2,)", "3e00 c000"), 1, values},
      {"float32 infinities and NaN",
       File("<f4", "(3,)", "0000807f 000080ff 0000c07f"),
       1,
       {kInf, -kInf, kNan}},
  };
  if (std::endian::native == std::endian::little) {
    for (const char* descr : {"=f4", "|f4", "f4"}) {
      files.push_back({descr, Header(Dict(descr, "(2,)")) + data, 1, values});
    }
  }
  return files;
}

TEST(NpyReaderTest, ReadsEveryVariantOfTheFormat) {
  TempFolder folder;
  for (const GoodFile& good : GoodFiles()) {
    SCOPED_TRACE(good.name);
    const std::string path = folder.Write("x.npy", good.bytes);
    const auto reader = NpyReader::Open(path);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ(reader->rows(), good.rows);
    const auto values = ReadAll(path);
    ASSERT_TRUE(values.ok()) << values.status();
    ASSERT_EQ(values->size(), good.values.size());
    for (size_t i = 0; i < values->size(); ++i) {
      EXPECT_THAT((*values)[i], SameBits(good.values[i])) << i;
    }
  }
}

// Written by numpy.save and numpy.lib.format.write_array of NumPy 1.24.2.
TEST(NpyReaderTest, ReadsWhatNumPyWrites) {
  const std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string data = Unhex("0000c03f 000000c0 00000000 0000807f 000080ff 6f12833a");
  const std::string starts[] = {
      std::string("\x93NUMPY\x01\x00\x76\x00", 10),
      std::string("\x93NUMPY\x02\x00\x74\x00\x00\x00", 12),
      std::string("\x93NUMPY\x03\x00\x74\x00\x00\x00", 12),
  };
  TempFolder folder;
  for (const std::string& start : starts) {
    std::string header = start + dict;
    header.resize(127, ' ');
    const auto values = ReadAll(folder.Write("x.npy", header + "\n" + data));
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_THAT(*values, ElementsAre(1.5f, -2.0f, 0.0f, kInf, -kInf, 1e-3f));
  }
}

// Python's struct.unpack('<e', ...) gives these values.
TEST(NpyReaderTest, ReadsFloat16) {
  struct Case {
    const char* digits;
    float value;
  };
  const Case cases[] = {
      {"0000", 0.0f},         {"0080", -0.0f},    {"0100", 0x1p-24f},    {"0180", -0x1p-24f},
      {"ff03", 0x1.ff8p-15f}, {"0004", 0x1p-14f}, {"5535", 0x1.554p-2f}, {"003c", 1.0f},
      {"013c", 0x1.004p+0f},  {"00c0", -2.0f},    {"ff7b", 65504.0f},    {"fffb", -65504.0f},
      {"007c", kInf},         {"00fc", -kInf},    {"007e", kNan},        {"662e", 0x1.998p-4f},
  };
  TempFolder folder;
  for (const Case& c : cases) {
    const auto values = ReadAll(folder.Write("x.npy", File("<f2", "(1,)", c.digits)));
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_THAT(*values, ElementsAre(SameBits(c.value))) << c.digits;
  }
}

// The value of a binary16 number by its definition.
double HalfByDefinition(int bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  if (exponent == 31) return mantissa == 0 ? sign * kInf : kNan;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(NpyReaderTest, ReadsEveryFloat16) {
  std::string bytes = Header(Dict("<f2", "(65536,)"));
  for (int bits = 0; bits < 65536; ++bits) {
    bytes.push_back(static_cast<char>(bits));
    bytes.push_back(static_cast<char>(bits >> 8));
  }
  TempFolder folder;
  const auto values = ReadAll(folder.Write("x.npy", bytes));
  ASSERT_TRUE(values.ok()) << values.status();
  for (int bits = 0; bits < 65536; ++bits) {
    const float value = (*values)[bits];
    const double expected = HalfByDefinition(bits);
    ASSERT_EQ(std::isnan(value), std::isnan(expected)) << bits;
    if (std::isnan(expected)) continue;
    ASSERT_EQ(value, expected) << bits;
    ASSERT_EQ(std::signbit(value), std::signbit(expected)) << bits;
  }
}

TEST(NpyReaderTest, RoundsFloat64ToTheNearestFloat32) {
  struct Case {
    const char* name;
    const char* digits;
    float value;
  };
  const Case cases[] = {
      {"0.1", "9a9999999999b93f", 0.1f},
      {"1 + 2^-24 is a tie, down to even", "000000100000f03f", 1.0f},
      {"1 + 3 * 2^-24 is a tie, up to even", "000000300000f03f", 0x1.000004p+0f},
      {"largest float32", "000000e0ffffef47", 0x1.fffffep+127f},
      {"largest float64 that rounds to it", "ffffffefffffef47", 0x1.fffffep+127f},
      {"1e-310", "2be6708b68120000", 0.0f},
      {"infinity", "000000000000f07f", kInf},
      {"minus infinity", "000000000000f0ff", -kInf},
      {"NaN", "000000000000f87f", kNan},
  };
  TempFolder folder;
  for (const Case& c : cases) {
    const auto values = ReadAll(folder.Write("x.npy", File("<f8", "(1,)", c.digits)));
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_THAT(*values, ElementsAre(SameBits(c.value))) << c.name;
  }
}

TEST(NpyReaderTest, AFiniteFloat64MustNotBecomeInfinite) {
  TempFolder folder;
  const std::string path = folder.Write(
      "x.npy",
      File("<f8", "(2, 2)", "000000000000f03f 000000000000f03f 000000000000f03f 9c7500883ce437fe"));
  auto reader = NpyReader::Open(path);
  ASSERT_TRUE(reader.ok()) << reader.status();
  std::vector<float> row(2);
  EXPECT_TRUE(reader->ReadRow(absl::MakeSpan(row)).ok());
  for (int i = 0; i < 2; ++i) {  // The row stays the next one.
    EXPECT_THAT(std::string(reader->ReadRow(absl::MakeSpan(row)).message()),
                StartsWith(path + ": row 1, column 1 is -1e+300; "));
  }
  EXPECT_FALSE(ReadAll(folder.Write("tie.npy", File("<f8", "(1,)", "000000f0ffffef47"))).ok());
}

struct BadFile {
  std::string name;
  std::string bytes;
  std::string message;
};

std::vector<BadFile> BadFiles() {
  const std::string data = Unhex("0000803f 00000040");
  const auto with_shape = [&](absl::string_view shape) {
    return Header(Dict("<f4", shape)) + data;
  };
  const auto with_type = [&](absl::string_view descr) {
    return Header(Dict(descr, "(2,)")) + data;
  };
  const auto with_dict = [&](absl::string_view dict) { return Header(dict) + data; };
  return {
      {"empty", "", "is not a .npy file; it begins with \"\", not \"\\x93NUMPY\""},
      {"text", "[1, 2]", "it begins with \"[1, 2]\""},
      {"zip archive", "PK\x03\x04....", "it begins with \"PK\\x03\\x04..\""},
      {"magic cut", "\x93NUMP", "is not a .npy file"},
      {"version cut", "\x93NUMPY\x01", "ends after 7 bytes; its header takes 10"},
      {"length cut", std::string("\x93NUMPY\x02\x00\x10\x00", 10),
       "ends after 10 bytes; its header takes 12"},
      {"dict cut", Header(Dict("<f4", "(2,)")).substr(0, 40),
       "ends after 40 bytes; its header takes 68"},
      {"version 0.0", Header(Dict("<f4", "(2,)"), 0, 0) + data, "has format version 0.0; it must"},
      {"version 1.1", Header(Dict("<f4", "(2,)"), 1, 1) + data, "has format version 1.1; it must"},
      {"version 4.0", Header(Dict("<f4", "(2,)"), 4, 0) + data, "has format version 4.0; it must"},
      {"dict above 64 KiB", Header(std::string(65537, ' '), 2), "65537 bytes; at most 65536"},
      {"dict of 4 GiB", std::string("\x93NUMPY\x03\x00\xff\xff\xff\xff", 12),
       "4294967295 bytes; at most 65536"},

      {"no data", Header(Dict("<f4", "(2,)")),
       "has 0 bytes of data; 1 row of 2 float32 numbers take 8"},
      {"data cut", with_shape("(2,)").substr(0, 75), "has 7 bytes of data"},
      {"trailing byte", with_shape("(2,)") + "x", "has 9 bytes of data"},
      {"less shape than data", with_shape("(1,)"), "has 8 bytes of data"},

      {"no dimension", with_shape("()"), "the shape is (); it must be (V,), or (T, V)"},
      {"three dimensions", with_shape("(1, 1, 2)"), "the shape is (1, 1, 2); it must be (V,)"},
      {"zero columns", with_shape("(0,)"), "the shape is (0,); no size may be 0"},
      {"zero rows", with_shape("(0, 2)"), "the shape is (0, 2); no size may be 0"},
      {"vocabulary above 2^24", with_shape("(16777217,)"), "at most 2^24 = 16777216"},
      {"2^64 bytes", with_shape("(4611686018427387904, 1)"), "no file is large enough"},
      {"2^63 rows", with_shape("(9223372036854775808, 1)"), "byte 51 of the header dict: the size"},
      {"2^80 rows", with_shape("(1208925819614629174706176, 2)"), "is above 2^63 - 1"},
      {"negative size", with_shape("(-1, 2)"), "\"-1, 2), }\\n\" stands where a size must be"},
      {"number for a shape", with_shape("2"), "stands where '(' must be"},
      {"number in parentheses", with_shape("(2)"), "(V) is not a tuple; (V,) is"},
      {"list for a shape", with_shape("[2]"), "stands where '(' must be"},
      {"sizes without comma", with_shape("(1 2)"), "\"2), }\\n\" stands where ',' or ')' must be"},
      {"comma alone", with_shape("(,)"), "stands where a size must be"},
      {"long integer of Python 2", with_shape("(2L,)"), "stands where ',' or ')' must be"},
      {"hexadecimal size", with_shape("(0x2,)"), "stands where ',' or ')' must be"},
      {"Fortran order", Header(Dict("<f4", "(2, 2)", "True")) + data + data,
       "the shape is (2, 2); in Fortran order; save numpy.ascontiguousarray(array)"},

      {"integers", with_type("<i4"), "the type is \"<i4\"; it must be float16, float32 or float64"},
      {"objects to unpickle", with_type("|O"), "the type is \"|O\"; it must be"},
      {"complex numbers", with_type("<c8"), "the type is \"<c8\"; it must be"},
      {"long doubles", with_type("<f16"), "the type is \"<f16\"; it must be"},
      {"bfloat16", with_type("<V2"), "the type is \"<V2\"; it must be"},
      {"no type", with_type(""), "the type is \"\"; it must be"},
      {"byte order alone", with_type("<"), "the type is \"<\"; it must be"},
      {"two byte orders", with_type("<>f4"), "the type is \"<>f4\"; it must be"},
      {"records", with_dict("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}"),
       "byte 10 of the header dict: 'descr' lists the fields of a record"},
      {"number for a type", with_dict("{'descr': 4, 'fortran_order': False, 'shape': (2,)}"),
       "\"4, 'fortran_\" stands where a string in quotes must be"},

      {"no dict", with_dict(""), "byte 0 of the header dict: the end stands where '{' must be"},
      {"dict without end", with_dict("{'descr': '<f4'"), "the end stands where ',' or '}' must be"},
      {"string without end", with_dict("{'descr: 4"), "byte 1 of the header dict: the string"},
      {"missing colon", with_dict("{'descr' '<f4'}"), "stands where ':' must be"},
      {"missing comma", with_dict("{'descr': '<f4' 'shape': (2,)}"), "where ',' or '}' must be"},
      {"no keys", with_dict("{}"), "the key 'descr' is missing"},
      {"no order", with_dict("{'descr': '<f4', 'shape': (2,)}"),
       "the key 'fortran_order' is missing"},
      {"no shape", with_dict("{'descr': '<f4', 'fortran_order': False}"),
       "the key 'shape' is missing"},
      {"key twice", with_dict("{'shape': (2,), 'descr': '<f4', 'shape': (1,)}"),
       "the key 'shape' is given twice"},
      {"unknown key", with_dict("{'strides': (2,)}"), "the key \"strides\" is none of 'descr'"},
      {"number for a flag", with_dict("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"),
       "stands where True or False must be"},
      {"code", with_dict("__import__('os').system('true')"), "stands where '{' must be"},
      {"second dict", with_dict(Dict("<f4", "(2,)") + Dict("<f4", "(2,)")),
       "stands where the end of the header must be"},
      {"zero bytes for padding", with_dict(Dict("<f4", "(2,)") + std::string(4, '\0')),
       "\"\\x00\\x00\\x00\\x00\" stands where the end of the header must be"},
  };
}

TEST(NpyReaderTest, RefusesMalformedFiles) {
  TempFolder folder;
  for (const BadFile& bad : BadFiles()) {
    SCOPED_TRACE(bad.name);
    const std::string path = folder.Write("bad.npy", bad.bytes);
    const absl::Status status = NpyReader::Open(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), StartsWith(path + ": "));
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad.message));
  }
}

TEST(NpyReaderTest, RefusesWhatIsNoRegularFile) {
  TempFolder folder;
  const std::string missing = folder.Path("missing.npy");
  EXPECT_EQ(NpyReader::Open(missing).status(),
            absl::NotFoundError(missing + ": No such file or directory"));
  const std::string here = folder.Path(".");
  EXPECT_EQ(NpyReader::Open(here).status(),
            absl::InvalidArgumentError(here + ": is a folder; it must be a file"));
  const std::string pipe = folder.Path("pipe");  // Nobody writes to it.
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/null")}) {
    EXPECT_EQ(
        NpyReader::Open(path).status(),
        absl::InvalidArgumentError(path + ": is a pipe or a device; it must be a regular file"));
  }
}

TEST(NpyReaderTest, RefusesEveryPrefixOfAFile) {
  TempFolder folder;
  const std::string bytes = FormatNpyHeader(2, 3) + std::string(24, '\0');
  ASSERT_TRUE(ReadAll(folder.Write("whole.npy", bytes)).ok());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(ReadAll(folder.Write("x.npy", bytes.substr(0, size))).status().code(),
              absl::StatusCode::kInvalidArgument)
        << size;
  }
}

TEST(NpyReaderTest, NoticesThatTheFileIsCutWhileItIsRead) {
  TempFolder folder;
  const std::string path = folder.Write("x.npy", File("<f4", "(2, 1)", "0000803f 00000040"));
  auto reader = NpyReader::Open(path);
  ASSERT_TRUE(reader.ok()) << reader.status();
  float value;
  ASSERT_TRUE(reader->ReadRow(absl::MakeSpan(&value, 1)).ok());
  ASSERT_EQ(truncate(path.c_str(), 77), 0);
  EXPECT_EQ(reader->ReadRow(absl::MakeSpan(&value, 1)),
            absl::DataLossError(path + ": ends at byte 77"));
}

// Any byte may be wrong: what is accepted all the same keeps to the limits.
TEST(ParseNpyHeaderTest, SurvivesEveryWrongByte) {
  const std::string header = FormatNpyHeader(2, 3);
  int accepted = 0;
  for (size_t i = 0; i < header.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string wrong = header;
      wrong[i] = static_cast<char>(byte);
      const absl::StatusOr<NpyLayout> layout = ParseNpyHeader(wrong);
      if (!layout.ok()) continue;
      ++accepted;
      ASSERT_GE(layout->rows, 1) << i << " " << byte;
      ASSERT_GE(layout->cols, 1) << i << " " << byte;
      ASSERT_THAT(layout->item_bytes, testing::AnyOf(2, 4, 8)) << i << " " << byte;
      ASSERT_GT(layout->data_bytes(), 0) << i << " " << byte;
      ASSERT_LE(layout->data_offset, static_cast<int64_t>(header.size())) << i << " " << byte;
    }
  }
  EXPECT_GT(accepted, 128);
}

TEST(FormatNpyHeaderTest, HasOneSizeForAllShapes) {
  const int64_t max_rows = std::numeric_limits<int64_t>::max() / (4 * kMaxVocabSize);
  const std::string longest = FormatNpyHeader(max_rows, kMaxVocabSize);
  EXPECT_EQ(longest.size(), 128u);
  EXPECT_EQ(FormatNpyHeader(1, 1).size(), 128u);
  const auto layout = ParseNpyHeader(longest);
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->rows, max_rows);
  EXPECT_EQ(layout->cols, kMaxVocabSize);
}

TEST(NpyWriterTest, WritesEveryValueToTheBit) {
  const float rows[2][5] = {
      {1.5f, -0.0f, kInf, -kInf, std::numeric_limits<float>::denorm_min()},
      {std::bit_cast<float>(0xffc12345u), std::numeric_limits<float>::max(),
       std::numeric_limits<float>::lowest(), 0.0f, std::numeric_limits<float>::min()},
  };
  TempFolder folder;
  const std::string path = folder.Path("x.npy");
  auto writer = NpyWriter::Create(path, 5);
  ASSERT_TRUE(writer.ok()) << writer.status();
  for (const auto& row : rows) ASSERT_TRUE(writer->WriteRow(absl::MakeConstSpan(row)).ok());
  EXPECT_NE(access(path.c_str(), F_OK), 0) << "there before Finish";
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_THAT(folder.Names(), ElementsAre("x.npy"));

  const auto values = ReadAll(path);
  ASSERT_TRUE(values.ok()) << values.status();
  ASSERT_EQ(values->size(), 10u);
  EXPECT_EQ(std::memcmp(values->data(), rows, sizeof(rows)), 0);
}

TEST(NpyWriterTest, WritesWhatNumPyWrites) {
  if (std::endian::native != std::endian::little) GTEST_SKIP() << "the bytes are little-endian";
  std::string numpy = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  numpy.resize(127, ' ');
  numpy += "\n" + Unhex("0000c03f 000000c0 00000000 0000807f 000080ff 6f12833a");

  TempFolder folder;
  auto writer = NpyWriter::Create(folder.Path("x.npy"), 3);
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE(writer->WriteRow({1.5f, -2.0f, 0.0f}).ok());
  ASSERT_TRUE(writer->WriteRow({kInf, -kInf, 1e-3f}).ok());
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(folder.Read("x.npy"), numpy);
}

TEST(NpyWriterTest, LeavesNothingBehindUnlessFinished) {
  TempFolder folder;
  {
    auto writer = NpyWriter::Create(folder.Path("x.npy"), 1);
    ASSERT_TRUE(writer.ok()) << writer.status();
    EXPECT_TRUE(writer->WriteRow({1.0f}).ok());
  }
  EXPECT_THAT(folder.Names(), IsEmpty());
  {
    auto writer = NpyWriter::Create(folder.Path("x.npy"), 1);
    ASSERT_TRUE(writer.ok()) << writer.status();
    EXPECT_EQ(writer->Finish(),
              absl::FailedPreconditionError(folder.Path("x.npy") + ": no row to write"));
  }
  EXPECT_THAT(folder.Names(), IsEmpty());
}

TEST(NpyWriterTest, RefusesRowsOfAnotherSize) {
  TempFolder folder;
  auto writer = NpyWriter::Create(folder.Path("x.npy"), 2);
  ASSERT_TRUE(writer.ok()) << writer.status();
  EXPECT_THAT(writer->WriteRow({1.0f}).ToString(), HasSubstr("a row has 2 columns, not 1"));
  EXPECT_TRUE(writer->WriteRow({1.0f, 2.0f}).ok());
  ASSERT_TRUE(writer->Finish().ok());
  const auto values = ReadAll(folder.Path("x.npy"));
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_THAT(*values, ElementsAre(1.0f, 2.0f));
}

TEST(NpyWriterTest, RefusesVocabulariesAndPathsThatCannotBe) {
  TempFolder folder;
  EXPECT_THAT(NpyWriter::Create(folder.Path("x"), 0).status().ToString(),
              HasSubstr("0 columns; there must be 1 to 16777216"));
  EXPECT_THAT(NpyWriter::Create(folder.Path("x"), (1 << 24) + 1).status().ToString(),
              HasSubstr("16777217 columns; there must be 1 to 16777216"));
  EXPECT_THAT(NpyWriter::Create(folder.Path("none/x"), 1).status().ToString(),
              HasSubstr("none/x: No such file or directory"));
  EXPECT_THAT(NpyWriter::Create("/dev/stdout", 1).status().ToString(),
              HasSubstr("/dev/stdout: is a pipe or a device; it must be a regular file"));
  EXPECT_THAT(folder.Names(), IsEmpty());
}

}  // namespace
}  // namespace logitchain
