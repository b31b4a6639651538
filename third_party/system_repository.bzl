"""Repository rules that present installed Debian packages under their upstream Bazel names."""

_ROOT = "/usr"

def _multiarch(ctx):
    """The folder below /usr/lib that holds this machine's libraries, such as x86_64-linux-gnu."""
    lib = ctx.path(_ROOT + "/lib")
    for entry in lib.readdir():
        if "-linux-gnu" in entry.basename and entry.get_child("pkgconfig").exists:
            return entry.basename
    fail("@%s: there is no /usr/lib/*-linux-gnu/pkgconfig. Run ./bazelw, " % ctx.name +
         "which installs the packages that are missing.")

def _system_path(ctx, path):
    found = ctx.path(_ROOT + "/" + path)
    if not found.exists:
        fail("@{}: {} is missing. Install Debian's {}, or run ./bazelw, which does.".format(
            ctx.name,
            found,
            ctx.attr.debian_package,
        ))
    return found

def _system_repository_impl(ctx):
    for to, path in ctx.attr.paths.items():
        if "{multiarch}" in path:
            path = path.format(multiarch = _multiarch(ctx))
        ctx.symlink(_system_path(ctx, path), to)
    for label, to in ctx.attr.files.items():
        ctx.symlink(label, to)
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))

system_repository = repository_rule(
    implementation = _system_repository_impl,
    attrs = {
        "debian_package": attr.string(doc = "Named in the error when a path does not exist."),
        "files": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Files of this workspace to put into the repository, by their path there.",
        ),
        "paths": attr.string_dict(
            doc = "Paths below /usr to link into the repository, keyed by their path there. " +
                  "{multiarch} stands for the machine's triplet.",
        ),
    },
    doc = "A repository made of links into /usr. It names only what it needs, so that nothing " +
          "else of /usr becomes visible to the build.",
    local = True,
)

def _pkg_config(ctx, folder, module):
    """Reads what linking needs from a .pc file: pkg-config itself need not be installed."""
    fields = {"Libs": "", "Requires": ""}
    for line in ctx.read(folder.get_child(module + ".pc")).splitlines():
        key, colon, value = line.partition(":")
        if colon and key in fields:
            fields[key] = value
    libs = [word for word in fields["Libs"].split(" ") if word and not word.startswith("-L")]

    # Each is a name and a version: "absl_config = 20220623".
    requires = [item.strip().split(" ")[0] for item in fields["Requires"].split(",")]
    return struct(libs = libs, requires = requires)

def _abseil_repository_impl(ctx):
    ctx.symlink(_system_path(ctx, "include/absl"), "include/absl")
    folder = _system_path(ctx, "lib/{}/pkgconfig".format(_multiarch(ctx)))
    modules = [
        entry.basename[:-len(".pc")]
        for entry in folder.readdir()
        if entry.basename.startswith("absl_") and entry.basename.endswith(".pc")
    ]

    # One library per .pc file: every target then links exactly its own closure, in an order that
    # also suits static archives, whatever the installed Abseil is split into.
    root = [
        """package(default_visibility = ["//visibility:public"])""",
        """cc_library(name = "headers", includes = ["include"],""" +
        """ hdrs = glob(["include/absl/**/*.h", "include/absl/**/*.inc"]))""",
    ]
    for module in sorted(modules):
        pc = _pkg_config(ctx, folder, module)
        root.append("cc_library(name = {}, linkopts = {}, deps = {})".format(
            repr(module),
            repr(pc.libs),
            repr([":headers"] + [":" + item for item in pc.requires if item in modules]),
        ))
    ctx.file("BUILD.bazel", "\n".join(root) + "\n")
    ctx.file("WORKSPACE", "workspace(name = \"{}\")\n".format(ctx.name))

    packages = {}
    for target, module in ctx.attr.targets.items():
        if module not in modules:
            continue
        package, name = target.split(":")
        packages.setdefault(package, []).append("alias(name = {}, actual = {})".format(
            repr(name),
            repr("//:" + module),
        ))
    for package, aliases in packages.items():
        ctx.file(package + "/BUILD.bazel", "\n".join(
            ["package(default_visibility = [\"//visibility:public\"])"] + sorted(aliases),
        ) + "\n")

abseil_repository = repository_rule(
    implementation = _abseil_repository_impl,
    attrs = {
        "debian_package": attr.string(default = "libabsl-dev"),
        "targets": attr.string_dict(
            doc = "Upstream target, such as absl/types:span, to its module in pkg-config's " +
                  "naming. A module that the installed Abseil lacks makes no target.",
        ),
    },
    doc = "The installed Abseil under the labels of its upstream Bazel build.",
    local = True,
)
