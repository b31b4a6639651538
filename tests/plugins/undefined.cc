// A plugin that needs a function which the program does not have.
#include "logitchain/registry/plugin_manifest.h"

// A set of one proto, an empty file "u".
LOGITCHAIN_PLUGIN_MANIFEST(0x0A, 0x03, 0x0A, 0x01, 0x75)

extern "C" int NotInThisProgram();

extern "C" int CallsIt() { return NotInThisProgram(); }
