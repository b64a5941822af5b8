#pragma once

#include <string>
#include <vector>

#include "lacuna/schedule/directives/loopfuse_site.h"
#include "lacuna/schedule/directives/product.h"
#include "lacuna/schedule/problem/problem.h"

/// Which products loopfuse splits, and where.
namespace lacuna::loopfuse {

/// One product of an assignment, and which of its factors are computed first.
struct Point {
  Site site;
  std::vector<product::Addend> addends;  // of the assignment
  std::size_t addend = 0;                // the one that is split
  product::Product product;              // that it is
  product::Places first;                 // the factors that are computed first
};

/// The products of the result that something can be taken off the end of (SparseLNR, algorithm 1); where that cannot
/// be done, those of the temporaries that a product reads.
struct Ends {
  std::vector<Point> points;
  std::vector<std::string> refusals;  // why others cannot be split, for messages
};
Ends find_ends(const Scheduled& s);

/// The product that a directive names by its path and operands. Throws Error where there is none, or several, or its
/// operands cannot be split so.
Point find_named(const Scheduled& s, const directive::LoopFuse& d);

}  // namespace lacuna::loopfuse
