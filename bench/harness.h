#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lacuna::bench {

/// One way to do the work; returns how long it took, in milliseconds.
struct Contestant {
  std::string name;
  std::function<double()> run;
};

/// The time of a call in milliseconds.
double time_of(const std::function<void()>& work);
/// Lets the contestants take turns, so that a slow minute of the machine meets all of them alike, and returns the
/// median of each. Everyone goes once unmeasured first.
std::vector<double> alternate(const std::vector<Contestant>& contestants, int rounds);
/// alternate(), printed: each contestant's median and how many times as long as the first it takes.
void compare(const std::string& title, const std::vector<Contestant>& contestants, int rounds);

// The benchmarks, one a file; each prints its own lines.
void bench_latency(int threads);
void bench_reading(int threads);
void bench_packing(int threads);
void bench_textbook(int threads);

}  // namespace lacuna::bench
