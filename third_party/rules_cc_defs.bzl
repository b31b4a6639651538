"""The part of rules_cc that Bazel 4's own tools and logitchain load, from the native rules.

Debian's rules_cc is newer than Debian's Bazel and does not load in it.
"""

cc_binary = native.cc_binary
cc_library = native.cc_library
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
objc_library = native.objc_library
