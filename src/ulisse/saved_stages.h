#pragma once

#include <string>

#include "ulisse/setup_problem.h"
#include "ulisse/setup_stage.h"

namespace ulisse {

// Runs stages, or has them loaded.
class Stages {
 public:
  Stages(const SetupProblem& problem, StageStore& store) : problem_(problem), store_(store) {}

  template <class Find>
  auto operator()(const std::string& stage, const Find& find) {
    return (*this)(stage, find, [](const auto&) { return true; });
  }

  // goes_with: whether what was saved goes with earlier stages.
  template <class Find, class GoesWith>
  auto operator()(const std::string& stage, const Find& find, const GoesWith& goes_with) {
    decltype(find()) found;
    if (load(stage, found, goes_with)) return found;
    found = find();
    save_stage(store_, stage, found);
    return found;
  }

  StageStore& store() { return store_; }

  template <class T>
  bool load(const std::string& stage, T& found) {
    return load(stage, found, [](const T&) { return true; });
  }

 private:
  template <class T, class GoesWith>
  bool load(const std::string& stage, T& found, const GoesWith& goes_with) {
    return load_stage(store_, stage, found, [&](const T& read) {
      return read.fits(problem_.rows(), problem_.parameters()) && goes_with(read);
    });
  }

  const SetupProblem& problem_;
  StageStore& store_;
};

}  // namespace ulisse
