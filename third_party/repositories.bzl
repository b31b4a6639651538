"""The external repositories that logitchain builds with, all from Debian's packages."""

load(":system_repository.bzl", "abseil_repository", "system_repository")

_ABSEIL_TARGETS = {
    "absl/algorithm:algorithm": "absl_algorithm",
    "absl/algorithm:container": "absl_algorithm_container",
    "absl/base:base": "absl_base",
    "absl/base:config": "absl_config",
    "absl/base:core_headers": "absl_core_headers",
    "absl/base:dynamic_annotations": "absl_dynamic_annotations",
    "absl/base:endian": "absl_endian",
    "absl/base:log_severity": "absl_log_severity",
    "absl/base:prefetch": "absl_prefetch",
    "absl/cleanup:cleanup": "absl_cleanup",
    "absl/container:btree": "absl_btree",
    "absl/container:fixed_array": "absl_fixed_array",
    "absl/container:flat_hash_map": "absl_flat_hash_map",
    "absl/container:flat_hash_set": "absl_flat_hash_set",
    "absl/container:inlined_vector": "absl_inlined_vector",
    "absl/container:node_hash_map": "absl_node_hash_map",
    "absl/container:node_hash_set": "absl_node_hash_set",
    "absl/debugging:failure_signal_handler": "absl_failure_signal_handler",
    "absl/debugging:leak_check": "absl_leak_check",
    "absl/debugging:stacktrace": "absl_stacktrace",
    "absl/debugging:symbolize": "absl_symbolize",
    "absl/flags:commandlineflag": "absl_flags_commandlineflag",
    "absl/flags:config": "absl_flags_config",
    "absl/flags:flag": "absl_flags",
    "absl/flags:marshalling": "absl_flags_marshalling",
    "absl/flags:parse": "absl_flags_parse",
    "absl/flags:reflection": "absl_flags_reflection",
    "absl/flags:usage": "absl_flags_usage",
    "absl/functional:any_invocable": "absl_any_invocable",
    "absl/functional:bind_front": "absl_bind_front",
    "absl/functional:function_ref": "absl_function_ref",
    "absl/hash:hash": "absl_hash",
    "absl/memory:memory": "absl_memory",
    "absl/meta:type_traits": "absl_type_traits",
    "absl/numeric:bits": "absl_bits",
    "absl/numeric:int128": "absl_int128",
    "absl/random:bit_gen_ref": "absl_random_bit_gen_ref",
    "absl/random:distributions": "absl_random_distributions",
    "absl/random:random": "absl_random_random",
    "absl/status:status": "absl_status",
    "absl/status:statusor": "absl_statusor",
    "absl/strings:cord": "absl_cord",
    "absl/strings:str_format": "absl_str_format",
    "absl/strings:strings": "absl_strings",
    "absl/synchronization:synchronization": "absl_synchronization",
    "absl/time:time": "absl_time",
    "absl/types:any": "absl_any",
    "absl/types:compare": "absl_compare",
    "absl/types:optional": "absl_optional",
    "absl/types:span": "absl_span",
    "absl/types:variant": "absl_variant",
    "absl/utility:utility": "absl_utility",
}

def _file(path):
    return Label("//third_party:" + path)

def _maybe(rule, name, **kwargs):
    """A repository that the workspace has defined already wins, whatever it is made of."""
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

def _library(name, debian_package, build_file, paths):
    _maybe(
        system_repository,
        name = name,
        debian_package = debian_package,
        files = {_file(build_file): "BUILD.bazel"},
        paths = paths,
    )

def logitchain_dependencies():
    """Defines every repository that logitchain needs and the workspace does not have.

    The repositories carry the names and targets of the upstream Bazel builds. A workspace that
    brings, say, its own com_google_absl defines it before it calls this.
    """

    # What Bazel's own tools load.
    _maybe(
        system_repository,
        name = "rules_cc",
        files = {
            _file("empty.BUILD"): "BUILD.bazel",
            _file("rules_cc.BUILD"): "cc/BUILD.bazel",
            _file("rules_cc_defs.bzl"): "cc/defs.bzl",
        },
    )
    _maybe(
        system_repository,
        name = "remote_coverage_tools",
        files = {_file("remote_coverage_tools.BUILD"): "BUILD.bazel"},
    )
    _maybe(
        native.local_repository,
        name = "rules_java",
        path = "/usr/share/bazel/rules/java",
    )
    _maybe(
        native.local_repository,
        name = "rules_proto",
        path = "/usr/share/bazel/rules/proto",
    )
    _maybe(
        native.local_repository,
        name = "bazel_skylib",
        path = "/usr/share/bazel/tools/skylib",
    )

    # What the library and the command are built with.
    _maybe(
        abseil_repository,
        name = "com_google_absl",
        targets = _ABSEIL_TARGETS,
    )
    _library(
        name = "com_google_protobuf",
        build_file = "protobuf.BUILD",
        debian_package = "libprotobuf-dev and protobuf-compiler",
        paths = {
            "bin/protoc": "bin/protoc",
            "include/google/protobuf": "include/google/protobuf",
        },
    )
    _library(
        name = "highway",
        build_file = "highway.BUILD",
        debian_package = "libhwy-dev",
        paths = {"include/hwy": "include/hwy"},
    )
    _library(
        name = "oneTBB",
        build_file = "tbb.BUILD",
        debian_package = "libtbb-dev",
        paths = {
            "include/oneapi": "include/oneapi",
            "include/tbb": "include/tbb",
        },
    )
    _library(
        name = "nlohmann_json",
        build_file = "nlohmann_json.BUILD",
        debian_package = "nlohmann-json3-dev",
        paths = {"include/nlohmann": "include/nlohmann"},
    )
    _library(
        name = "icu",
        build_file = "icu.BUILD",
        debian_package = "libicu-dev",
        paths = {"include/unicode": "include/unicode"},
    )
    _library(
        name = "sphinxbase",
        build_file = "sphinxbase.BUILD",
        debian_package = "libsphinxbase-dev",
        paths = {"include/sphinxbase": "include/{multiarch}/sphinxbase"},
    )
    _library(
        name = "pocketsphinx_en_us",
        build_file = "pocketsphinx_en_us.BUILD",
        debian_package = "pocketsphinx-en-us",
        paths = {"model": "share/pocketsphinx/model/en-us"},
    )

    # What the tests and benchmarks need on top.
    _library(
        name = "com_google_googletest",
        build_file = "googletest.BUILD",
        debian_package = "libgtest-dev and libgmock-dev",
        paths = {
            "include/gmock": "include/gmock",
            "include/gtest": "include/gtest",
        },
    )
    _library(
        name = "com_github_google_benchmark",
        build_file = "benchmark.BUILD",
        debian_package = "libbenchmark-dev",
        paths = {"include/benchmark": "include/benchmark"},
    )
    _library(
        name = "mpfr",
        build_file = "mpfr.BUILD",
        debian_package = "libmpfr-dev and libgmp-dev",
        paths = {
            "include/gmp.h": "include/{multiarch}/gmp.h",
            "include/mpfr.h": "include/mpfr.h",
        },
    )
