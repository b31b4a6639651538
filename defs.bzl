"""What a project with rules of its own builds and tests them with."""

load("//:build_defs.bzl", "logitchain_cc_test")

def _label(name):
    """A label of this workspace, as other workspaces see it."""
    return str(Label(name))

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
