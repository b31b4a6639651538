"""What a project with rules of its own builds and tests them with."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_proto_library")
load("@rules_proto//proto:defs.bzl", "proto_library")
load(
    "//:build_defs.bzl",
    "LOGITCHAIN_COPTS",
    "logitchain_cc_binary",
    "logitchain_cc_test",
)
load("//:plugin_objects.bzl", "plugin_objects", "plugin_protos")

def _label(name):
    """A label of this workspace, as other workspaces see it."""
    return str(Label(name))

def logit_processor(name, srcs, proto, hdrs = [], deps = [], **kwargs):
    """A rule, to be linked into programs or loaded by them.

    Makes these targets:
      <name>: a cc_library that registers the rule with every program that links it.
      <name>_cc_proto: the C++ code of its config.
      <name>.so: the rule as a shared library, for `logitchain … --plugin=<name>.so`.

    Args:
      name: the name of the cc_library.
      srcs: its sources, one of them with LOGITCHAIN_REGISTER_PROCESSOR.
      proto: the .proto file with the rule's config message; it may import
        logitchain/proto/options.proto.
      hdrs: its headers.
      deps: what it needs beside logitchain's interfaces for rules. A program refuses to load two
        plugins whose deps have a proto in common.
      **kwargs: attributes of all targets, such as visibility.
    """
    proto_library(
        name = name + "_proto",
        srcs = [proto],
        deps = [_label("//proto:options_proto")],
        **kwargs
    )
    cc_proto_library(
        name = name + "_cc_proto",
        deps = [":" + name + "_proto"],
        **kwargs
    )
    cc_library(
        name = name,
        srcs = srcs,
        hdrs = hdrs,
        copts = LOGITCHAIN_COPTS,
        deps = deps + [
            ":" + name + "_cc_proto",
            _label("//registry:rule_api"),
        ],
        # Nothing calls the rule by name: it is there because it is linked in.
        alwayslink = True,
        **kwargs
    )
    _plugin(name, **kwargs)

def _plugin(name, **kwargs):
    """The shared library <name>.so of a logit_processor."""
    plugin_protos(
        name = name + "_protos",
        host = _label("//cli:plugin_host"),
        library = ":" + name,
        **kwargs
    )
    native.genrule(
        name = name + "_manifest",
        srcs = [":" + name + "_protos"],
        outs = [name + "_manifest.cc"],
        cmd = " && ".join([
            "{ echo '#include \"logitchain/registry/plugin_manifest.h\"'",
            "echo 'LOGITCHAIN_PLUGIN_MANIFEST('",
            "od -An -v -tx1 $< | sed 's/ \\(..\\)/0x\\1,/g'",
            "echo ')'; } > $@",
        ]),
        **kwargs
    )
    plugin_objects(
        name = name + "_objects",
        host = _label("//cli:plugin_host"),
        library = ":" + name,
        **kwargs
    )
    cc_binary(
        name = name + ".so",
        srcs = [":" + name + "_manifest"],
        copts = LOGITCHAIN_COPTS,
        linkshared = True,
        deps = [
            ":" + name + "_objects",
            _label("//registry:plugin_manifest"),
        ],
        **kwargs
    )

def logitchain_binary(name, processors = [], **kwargs):
    """The command `logitchain` with rules of one's own beside logitchain's.

    Args:
      name: the name of the cc_binary.
      processors: the targets that register the rules.
      **kwargs: attributes of the cc_binary.
    """
    logitchain_cc_binary(
        name = name,
        # Plugins find the registry, and all else, in the program.
        linkopts = ["-rdynamic"],
        deps = processors + [_label("//cli:plugin_host")],
        **kwargs
    )

def conformance_test(name, processor, sample_configs, **kwargs):
    """Holds rules to what every rule of logitchain promises.

    It runs over every rule that is linked in, in every dialect; testing/conformance/checks.h lists
    the checks. A rule without a sample config fails.

    Args:
      name: the name of the cc_test.
      processor: the target that registers the rules.
      sample_configs: files in textproto, of testing/conformance/sample_configs.proto.
      **kwargs: attributes of the cc_test.
    """
    logitchain_cc_test(
        name = name,
        args = ["$(rootpath %s)" % label for label in sample_configs],
        data = sample_configs,
        deps = [
            processor,
            _label("//testing/conformance:conformance_main"),
        ],
        **kwargs
    )
