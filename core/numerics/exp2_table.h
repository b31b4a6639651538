#ifndef LOGITCHAIN_CORE_NUMERICS_EXP2_TABLE_H_
#define LOGITCHAIN_CORE_NUMERICS_EXP2_TABLE_H_

#include <array>
#include <cstdint>

namespace logitchain::internal {

// A power of two in two parts: head is a multiple of 2^-26, so that its product with a number of
// 26 bits is exact, and tail is what is missing, rounded to double.
struct Exp2Parts {
  double head;
  double tail;
};

inline constexpr int kExp2TableBits = 7;
inline constexpr int kExp2TableSize = 1 << kExp2TableBits;

// kExp2Table[j] is 2^(j / 128), off by less than 2^-80. tests/core/numerics computes all anew.
inline constexpr Exp2Parts kExp2Table[kExp2TableSize] = {
    {0x1p0, 0},
    {0x1.0163da8p0, 0x1.fb33356d84a67p-28},
    {0x1.02c9a4p0, -0x1.887f9f1190835p-28},
    {0x1.04315e8p0, 0x1.b9fe12f5ce3e7p-30},
    {0x1.059b0d4p0, -0x1.d4f5178a30757p-29},
    {0x1.0706b28p0, 0x1.ddf6ddc6dc404p-28},
    {0x1.0874518p0, 0x1.d66f20230d7c9p-30},
    {0x1.09e3eccp0, -0x1.390c7cbade1fap-28},
    {0x1.0b5586cp0, 0x1.f3121ec531725p-29},
    {0x1.0cc922cp0, -0x1.1b70117f091f5p-29},
    {0x1.0e3ec34p0, -0x1.2c2e5dfdf8bd2p-28},
    {0x1.0fb66bp0, -0x1.2ce50dcdf6e22p-36},
    {0x1.11301dp0, 0x1.25b50a4ebbf1bp-32},
    {0x1.12abdcp0, 0x1.b0c72fee4aeb5p-30},
    {0x1.1429abp0, -0x1.56d2204cbefe7p-28},
    {0x1.15a98c8p0, 0x1.4b1ca24901aaep-29},
    {0x1.172b83cp0, 0x1.f545eb737df23p-30},
    {0x1.18af938p0, 0x1.191bd3777ee17p-29},
    {0x1.1a35becp0, -0x1.2069158692ce1p-29},
    {0x1.1bbe084p0, 0x1.1734e6ac79cadp-34},
    {0x1.1d4873p0, 0x1.68b9aa7805b8p-28},
    {0x1.1ed5024p0, -0x1.0326e3477e601p-28},
    {0x1.2063b88p0, 0x1.8a3358ee3bac1p-30},
    {0x1.21f499p0, 0x1.7ddc962552fd3p-28},
    {0x1.2387a7p0, -0x1.8a9dc7993e052p-28},
    {0x1.251ce5p0, -0x1.35670329f5521p-30},
    {0x1.26b4564p0, 0x1.e27cdd257a673p-28},
    {0x1.284dfep0, 0x1.f5638096cf15dp-28},
    {0x1.29e9df4p0, 0x1.1fdee12c25d16p-28},
    {0x1.2b87fdp0, 0x1.b5b31ffbbd48dp-29},
    {0x1.2d285a8p0, -0x1.1bfcf4bff6e2bp-28},
    {0x1.2ecafa8p0, 0x1.3e2f5611ca0f4p-28},
    {0x1.306fe0cp0, -0x1.ce48ead2172a6p-28},
    {0x1.32170fcp0, 0x1.3360c4d4e73c7p-30},
    {0x1.33c08b4p0, -0x1.9be900b36379fp-28},
    {0x1.356c56p0, -0x1.b5803cdae772ep-30},
    {0x1.371a738p0, -0x1.8aac6ab1d756p-29},
    {0x1.38cae6cp0, 0x1.05d86585a9cb1p-28},
    {0x1.3a7db34p0, 0x1.cb3fedd437925p-29},
    {0x1.3c32dc4p0, -0x1.d8ae36f7ffc1cp-29},
    {0x1.3dea64cp0, 0x1.2342235b41224p-32},
    {0x1.3fa4504p0, 0x1.590037417ee03p-29},
    {0x1.4160a2p0, 0x1.f72e29f84325cp-28},
    {0x1.431f5d8p0, 0x1.50a896dc70444p-28},
    {0x1.44e086p0, 0x1.8624b40c4dbdp-30},
    {0x1.46a41ecp0, 0x1.1d005772512f4p-28},
    {0x1.486a2b4p0, 0x1.c13cd013c1a3bp-28},
    {0x1.4a32afp0, 0x1.afa7bcce5b17ap-29},
    {0x1.4bfdad4p0, 0x1.362a271d4397bp-28},
    {0x1.4dcb298p0, 0x1.fddd0d63b36efp-28},
    {0x1.4f9b278p0, -0x1.62d35952cc275p-28},
    {0x1.516daa4p0, -0x1.3099be3eed0adp-28},
    {0x1.5342b58p0, -0x1.62b07e20f57c4p-28},
    {0x1.551a4ccp0, -0x1.a26df13ad139ep-28},
    {0x1.56f4738p0, -0x1.4ad82599135p-28},
    {0x1.58d12d4p0, 0x1.2f8ffa4a57857p-29},
    {0x1.5ab07dcp0, 0x1.48542958c9301p-28},
    {0x1.5c9268cp0, -0x1.a6b948fe3b4e4p-28},
    {0x1.5e76f14p0, 0x1.ad21486e9be4cp-28},
    {0x1.605e1b8p0, 0x1.76dc08b076f59p-28},
    {0x1.6247ebp0, 0x1.d2ac258f87d03p-31},
    {0x1.6434634p0, 0x1.99863f8edf0e3p-29},
    {0x1.6623884p0, -0x1.aadddb6ed8262p-28},
    {0x1.68155d4p0, 0x1.32a5cc20715c9p-30},
    {0x1.6a09e68p0, -0x1.80c4336f74d05p-28},
    {0x1.6c01274p0, 0x1.0bdabeed76a9ap-28},
    {0x1.6dfb23cp0, 0x1.9468bbc8838b3p-30},
    {0x1.6ff7df8p0, 0x1.519483cf87e1bp-28},
    {0x1.71f75e8p0, 0x1.d8bee7ba46e1ep-29},
    {0x1.73f9a48p0, 0x1.4b02e77ab934ap-29},
    {0x1.75feb58p0, -0x1.bd98374091656p-28},
    {0x1.780695p0, -0x1.0d1604f328fecp-31},
    {0x1.7a11474p0, -0x1.4fe79282aefdcp-32},
    {0x1.7c1edp0, 0x1.30c1327c49334p-28},
    {0x1.7e2f338p0, -0x1.30b19defa2fd4p-28},
    {0x1.8042754p0, 0x1.f0d08db06f33bp-31},
    {0x1.8258998p0, 0x1.4cce128acf88bp-28},
    {0x1.8471a48p0, -0x1.dc385331ad094p-28},
    {0x1.868d99cp0, -0x1.76da26fe37c4ep-29},
    {0x1.88ac7d8p0, 0x1.8a669966530bdp-28},
    {0x1.8ace544p0, -0x1.d55f24a4583aap-28},
    {0x1.8cf3218p0, -0x1.4abb7410d55e3p-28},
    {0x1.8f1ae98p0, 0x1.1577362b98274p-28},
    {0x1.9145b0cp0, -0x1.b800e9dd6792ep-30},
    {0x1.93737bp0, 0x1.9b8bc9e8a0388p-29},
    {0x1.95a44ccp0, -0x1.bd6f88b25be4bp-31},
    {0x1.97d82ap0, -0x1.0d8d83a30b6f8p-31},
    {0x1.9a0f17p0, 0x1.940f737462137p-29},
    {0x1.9c49184p0, -0x1.5c0f6fe383b95p-28},
    {0x1.9e86318p0, 0x1.e323231824ca8p-28},
    {0x1.a0c667cp0, -0x1.4435369aca4afp-29},
    {0x1.a309becp0, 0x1.28b4cd6305c7ep-30},
    {0x1.a5503b4p0, -0x1.c1daa374bdbb7p-28},
    {0x1.a799e14p0, -0x1.9e994f21a409bp-29},
    {0x1.a9e6b54p0, 0x1.79fdbf43eb244p-28},
    {0x1.ac36bcp0, -0x1.606431f9234cbp-31},
    {0x1.ae89f98p0, 0x1.5ad3ad5e8734dp-28},
    {0x1.b0e0728p0, 0x1.8db66590842adp-28},
    {0x1.b33a2b8p0, 0x1.3c57ebdaff43ap-30},
    {0x1.b59728cp0, 0x1.e559398e38811p-28},
    {0x1.b7f76f4p0, -0x1.04a1b915584f8p-28},
    {0x1.ba5b03p0, 0x1.420c930819679p-29},
    {0x1.bcc1e9p0, 0x1.2f074891ee83dp-30},
    {0x1.bf2c25cp0, -0x1.470fbbdfb947fp-31},
    {0x1.c199bdcp0, 0x1.85529c2220cb1p-28},
    {0x1.c40ab6p0, -0x1.7c2c975903ef8p-39},
    {0x1.c67f13p0, -0x1.a82eb4b5dec8p-28},
    {0x1.c8f6d94p0, 0x1.b9ed446b2f122p-34},
    {0x1.cb720dcp0, 0x1.df20d22a0797ap-29},
    {0x1.cdf0b54p0, 0x1.5dc3f9c44f896p-28},
    {0x1.d072d4cp0, -0x1.f8768472f0dd1p-28},
    {0x1.d2f8708p0, 0x1.b13e315bc2473p-33},
    {0x1.d5818dcp0, 0x1.f7490e4bb40b6p-29},
    {0x1.d80e318p0, -0x1.367c68447b063p-28},
    {0x1.da9e604p0, -0x1.266bd47b9ff2dp-31},
    {0x1.dd321f4p0, -0x1.fc973f692d444p-29},
    {0x1.dfc9734p0, -0x1.08c9428d2e6a8p-29},
    {0x1.e264614p0, 0x1.eb4251424ec3fp-29},
    {0x1.e502ee8p0, -0x1.d30027630bb4p-30},
    {0x1.e7a51fcp0, -0x1.c59be5a55ba6cp-31},
    {0x1.ea4afa4p0, -0x1.5b6f267a708c6p-28},
    {0x1.ecf482cp0, 0x1.8e67f08db0313p-28},
    {0x1.efa1bfp0, -0x1.9ea5d888e02dep-28},
    {0x1.f252b38p0, -0x1.288ad162f2d2p-29},
    {0x1.f50765cp0, -0x1.23757f3160f69p-29},
    {0x1.f7bfdacp0, 0x1.9cbe138913b4cp-28},
    {0x1.fa7c18p0, 0x1.9e90d82e90a7ep-28},
    {0x1.fd3c22cp0, -0x1.c2383bda2916dp-30},
};

// The same in one word each, for vector code, where a look-up costs more than taking a word apart:
// kExp2Fractions[j] is the 64 bits of 2^(j / 128) after the point, rounded to nearest.
inline constexpr auto kExp2Fractions = [] {
  std::array<int64_t, kExp2TableSize> fractions = {};
  for (int j = 0; j < kExp2TableSize; ++j) {
    const auto head = static_cast<uint64_t>((kExp2Table[j].head - 1) * 0x1p26);
    // |tail| < 2^-26; 2^38 is added so that what is rounded is positive.
    const auto tail = static_cast<uint64_t>(kExp2Table[j].tail * 0x1p64 + 0x1p38 + 0.5);
    const uint64_t fraction = (head << 38) + tail - (uint64_t{1} << 38);
    fractions[j] = static_cast<int64_t>(fraction);
  }
  return fractions;
}();

}  // namespace logitchain::internal

#endif  // LOGITCHAIN_CORE_NUMERICS_EXP2_TABLE_H_
