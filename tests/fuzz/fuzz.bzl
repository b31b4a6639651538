"""Fuzz tests: functions that must hold for every input."""

load(
    "//:build_defs.bzl",
    "logitchain_cc_binary",
    "logitchain_cc_library",
    "logitchain_cc_test",
)

def fuzz_test(name, srcs, deps, runs):
    """Makes two programs of a LLVMFuzzerTestOneInput.

    <name>_fuzz_test: a test with any compiler. It runs the function on every file of
      corpus/<name>, and on a fixed number of random changes of them.
    <name>_fuzzer: libFuzzer, with --config=fuzz only.

    Args:
      name: what is fuzzed; also the name of the corpus' folder.
      srcs: the sources, one of which defines LLVMFuzzerTestOneInput.
      deps: what they need.
      runs: the number of changes that the test makes, without a sanitizer.
    """
    logitchain_cc_library(
        name = name,
        testonly = True,
        srcs = srcs,
        deps = deps,
        alwayslink = True,
    )
    logitchain_cc_test(
        name = name + "_fuzz_test",
        # Sanitizers take their time.
        size = "medium",
        args = [
            "--runs=%d" % runs,
            "%s/corpus/%s" % (native.package_name(), name),
        ],
        data = native.glob(["corpus/%s/*" % name]),
        deps = [
            ":" + name,
            ":fuzz_main",
        ],
    )
    logitchain_cc_binary(
        name = name + "_fuzzer",
        testonly = True,
        args = [
            "-malloc_limit_mb=512",
            "-rss_limit_mb=2048",
            "-timeout=20",
        ],
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [":" + name],
    )
