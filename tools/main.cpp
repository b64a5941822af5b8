#include "tools/command.h"

int main(int argc, char** argv) { return lacuna::tool::run_command(argc, argv); }
