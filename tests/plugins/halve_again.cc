// Registers nothing: what its proto defines is enough to be refused.
#include "tests/plugins/halve_again.pb.h"

namespace plugins {

const char* NameOfHalve() { return Halve::default_instance().GetTypeName().empty() ? "" : "halve"; }

}  // namespace plugins
