"""The C++ and protobuf rules of logitchain's own packages.

They carry what the code depends on: a workspace that uses logitchain as an external repository
does not read its .bazelrc.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_proto_library", "cc_test")
load("@rules_proto//proto:defs.bzl", "proto_library")

# A fused multiply-add rounds once where the code says twice, and results are defined to the bit.
LOGITCHAIN_COPTS = [
    "-std=c++20",
    "-ffp-contract=off",
    "-Wall",
    "-Wextra",
    # Designated initialisers leave out the members that keep their defaults.
    "-Wno-missing-field-initializers",
]

# Tests walk whole vocabularies, which takes them eight times as long without optimisation. The
# compilation modes opt and dbg keep what they stand for.
_OPTIMISE = select({
    str(Label("//:fastbuild")): ["-O1"],
    "//conditions:default": [],
})

def logitchain_cc_library(name, copts = [], **kwargs):
    """A cc_library whose headers are included as logitchain/<package>/<header>."""
    cc_library(
        name = name,
        copts = LOGITCHAIN_COPTS + _OPTIMISE + copts,
        include_prefix = "logitchain/" + native.package_name(),
        **kwargs
    )

def logitchain_cc_binary(name, copts = [], **kwargs):
    """A cc_binary."""
    cc_binary(
        name = name,
        copts = LOGITCHAIN_COPTS + _OPTIMISE + copts,
        **kwargs
    )

def logitchain_cc_test(name, copts = [], linkstatic = True, size = "small", **kwargs):
    """A cc_test, linked like a binary, so that -c opt compiles no source in two ways."""
    cc_test(
        name = name,
        copts = LOGITCHAIN_COPTS + _OPTIMISE + copts,
        linkstatic = linkstatic,
        size = size,
        **kwargs
    )

def logitchain_proto_library(name, srcs, deps = [], **kwargs):
    """A proto_library <x>_proto and its C++ code <x>_cc_proto.

    The file proto/chain.proto is imported as logitchain/proto/chain.proto, and its header included
    as logitchain/proto/chain.pb.h, in this workspace and in every other.

    Args:
      name: the name of the proto_library; it ends in _proto.
      srcs: the .proto files.
      deps: proto_library targets that the files import.
      **kwargs: attributes of both rules, such as visibility.
    """
    if not name.endswith("_proto"):
        fail("%s: the name of a logitchain_proto_library ends in _proto" % name)
    proto_library(
        name = name,
        srcs = srcs,
        import_prefix = "logitchain",
        deps = deps,
        **kwargs
    )
    cc_proto_library(
        name = name[:-len("_proto")] + "_cc_proto",
        deps = [":" + name],
        **kwargs
    )
