"""The part of a library that a plugin brings, and the program that loads it does not have."""

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
