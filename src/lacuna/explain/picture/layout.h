#pragma once

#include <vector>

#include "lacuna/draw/canvas.h"
#include "lacuna/explain/explanation.h"

namespace lacuna::picture {

/// The column of one lane: a line down from its head.
struct Column {
  double left = 0, width = 0;
  double line = 0;             // x of the line
  double first = 0, last = 0;  // y of its outermost stops; 0: none
};

/// A step in its place.
struct Row {
  const Step* step = nullptr;
  int depth = 0;
  double top = 0, height = 0;
  double axis = 0;  // y of its stops and of its first line of text
};

/// What surrounds a loop and all that is inside it.
struct Box {
  const Step* step = nullptr;
  int depth = 0;
  double left = 0, top = 0, width = 0, height = 0;
};

/// Where everything of a picture is.
struct Layout {
  std::vector<Column> columns;  // by lane
  std::vector<Row> rows;        // as they are done
  std::vector<Box> boxes;       // outer ones first
  double words = 0;             // x of the steps' words
  double lattices = 0, lattice_width = 0;
  double bars = 0;  // x of the first of the columns of costs
  double heads = 0, first_row = 0, after_rows = 0;
  double width = 0;
};

// Measures that drawing shares.
inline constexpr double margin = 24;
inline constexpr double inset = 9;         // of a box inside another
inline constexpr double word_indent = 14;  // of the words of a step inside another
inline constexpr double bar_width = 92;
inline constexpr double bar_gap = 20;
inline constexpr double head_height = 62;

// How texts look.
inline constexpr Letters code_letters{12.5, "#1b2733", false, true};
inline constexpr Letters loop_letters{13, "#10243c", true, true};
inline constexpr Letters visit_letters{12, "#33475e"};
inline constexpr Letters chip_letters{10.5, "#7a4a00"};
inline constexpr Letters stop_letters{10, "#44556a"};
inline constexpr Letters head_letters{12.5, "#fff", true, true};
inline constexpr Letters small_letters{10, "#5c6b7d"};

/// "csr", "8000 entries", "100 kB": what is said under a lane's head.
std::vector<std::string> head_lines(const ExplainedTensor& t);
/// "1 dense, 2 searched": the levels of a lane that a loop binds; empty where there are none.
std::string stop_words(const Step& step, int lane);
/// Places heads, rows and boxes, the first of them at `top`, at least `least_width` wide.
Layout lay_out(const Explanation& e, double top, double least_width);

}  // namespace lacuna::picture
