// A shared library that is no plugin.
extern "C" int Answer() { return 42; }
