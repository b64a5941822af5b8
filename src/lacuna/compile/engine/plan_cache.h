#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "lacuna/compile/plan/plan.h"

namespace lacuna {

/// A request that was checked, and its plan.
struct CachedPlan {
  std::shared_ptr<const CheckedRequest> checked;
  std::shared_ptr<const Plan> plan;
};

/// The plans used last, by request_key. Thread-safe. A plan takes some hundred kilobytes, so that a program which
/// evaluates ever new statements must not keep them all.
class PlanCache {
 public:
  explicit PlanCache(std::size_t capacity = 512) : capacity_(capacity) {}

  /// Empty where there is none.
  CachedPlan find(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    const auto it = places_.find(key);
    if (it == places_.end()) return {};
    plans_.splice(plans_.begin(), plans_, it->second);
    return it->second->second;
  }

  void insert(const std::string& key, CachedPlan plan) {
    const std::scoped_lock lock(mutex_);
    if (places_.count(key) > 0) return;
    plans_.emplace_front(key, std::move(plan));
    places_.emplace(key, plans_.begin());
    if (plans_.size() <= capacity_) return;
    places_.erase(plans_.back().first);
    plans_.pop_back();
  }

  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return plans_.size();
  }

 private:
  using Entry = std::pair<std::string, CachedPlan>;
  std::size_t capacity_;
  mutable std::mutex mutex_;
  std::list<Entry> plans_;  // the one used last comes first
  std::unordered_map<std::string, std::list<Entry>::iterator> places_;
};

}  // namespace lacuna
