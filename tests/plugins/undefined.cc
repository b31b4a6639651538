// A plugin that needs a function which the program does not have.
#include "logitchain/registry/plugin_manifest.h"

// An empty set of descriptors, but for a field that no reader knows.
LOGITCHAIN_PLUGIN_MANIFEST(0x78, 0x01)

extern "C" int NotInThisProgram();

extern "C" int CallsIt() { return NotInThisProgram(); }
