#pragma once

#include "lacuna/draw/canvas.h"

namespace lacuna::tool {

/// What the pictures of the command have in common: sizes in pixels, and letters.
inline constexpr double picture_margin = 24, picture_width = 900;
inline constexpr const char* outline = "#888";
inline const picture::Letters title_letters{13, "#222", true}, panel_letters{12, "#222", true},
    caption_letters{11, "#555"};

}  // namespace lacuna::tool
