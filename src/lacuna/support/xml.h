#pragma once

#include <string>
#include <string_view>

namespace lacuna {

/// Text as it stands in an XML document: markup escaped, and characters that XML does not allow replaced.
std::string xml_escaped(std::string_view text);

}  // namespace lacuna
