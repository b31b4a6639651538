"""The part of a library that a plugin brings, and the program that loads it does not have."""

load("@rules_proto//proto:defs.bzl", "ProtoInfo")

ProtosInfo = provider(
    doc = "The protos that a library is made of.",
    fields = {"descriptor_sets": "depset of files, a FileDescriptorSet for each proto_library"},
)

def _protos_aspect_impl(target, ctx):
    deps = getattr(ctx.rule.attr, "deps", [])
    own = [target[ProtoInfo].direct_descriptor_set] if ProtoInfo in target else []
    return [ProtosInfo(descriptor_sets = depset(
        own,
        transitive = [dep[ProtosInfo].descriptor_sets for dep in deps if ProtosInfo in dep],
    ))]

_protos_aspect = aspect(
    implementation = _protos_aspect_impl,
    attr_aspects = ["deps"],
)

def _plugin_protos_impl(ctx):
    host = {file: None for file in ctx.attr.host[ProtosInfo].descriptor_sets.to_list()}
    own = [
        file
        for file in ctx.attr.library[ProtosInfo].descriptor_sets.to_list()
        # Those of protobuf itself are in its library, which the host has.
        if file not in host and file.owner.workspace_name != "com_google_protobuf"
    ]
    out = ctx.actions.declare_file(ctx.label.name + ".binpb")

    # Sets in a row are a set of all their protos.
    ctx.actions.run_shell(
        inputs = own,
        outputs = [out],
        command = "cat %s > %s" % (" ".join([file.path for file in own]), out.path),
    )
    return [DefaultInfo(files = depset([out]))]

plugin_protos = rule(
    implementation = _plugin_protos_impl,
    attrs = {
        "host": attr.label(
            doc = "What the loading program is linked from.",
            aspects = [_protos_aspect],
            mandatory = True,
        ),
        "library": attr.label(
            doc = "The cc_library with the rule.",
            aspects = [_protos_aspect],
            mandatory = True,
        ),
    },
    doc = "The FileDescriptorSet of the protos that a library brings, and the host does not have.",
)

def _plugin_objects_impl(ctx):
    host_inputs = ctx.attr.host[CcInfo].linking_context.linker_inputs.to_list()
    host = {linker_input.owner: None for linker_input in host_inputs}
    library = ctx.attr.library[CcInfo]
    own = [
        linker_input
        for linker_input in library.linking_context.linker_inputs.to_list()
        if linker_input.owner not in host
    ]
    return [CcInfo(
        compilation_context = library.compilation_context,
        linking_context = cc_common.create_linking_context(
            linker_inputs = depset(own, order = "topological"),
        ),
    )]

plugin_objects = rule(
    implementation = _plugin_objects_impl,
    attrs = {
        "host": attr.label(
            doc = "What the loading program is linked from.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "library": attr.label(
            doc = "The cc_library with the rule.",
            mandatory = True,
            providers = [CcInfo],
        ),
    },
    doc = "A library without what the host has: a second copy of the registry, or of a proto, " +
          "would not be the one that the program uses.",
    provides = [CcInfo],
)
