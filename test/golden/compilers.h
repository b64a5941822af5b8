#pragma once

namespace lacuna::golden {

/// One test a kernel and C compiler.
void register_compiler_tests();

}  // namespace lacuna::golden
