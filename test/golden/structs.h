#pragma once

namespace lacuna::golden {

/// Adds a test for each schema whose structs are pinned; `overwrite` pins what there is.
void register_struct_tests(bool overwrite);

}  // namespace lacuna::golden
