#pragma once

namespace ulisse {

// Ceres reports by glog, which writes to standard error unless the program has set it up. Within
// the scope of this object such messages are dropped; a program that has called InitGoogleLogging()
// keeps all of them, for it has said where they shall go. Scopes may overlap on several threads.
class QuietCeres {
 public:
  QuietCeres();
  ~QuietCeres();
  QuietCeres(const QuietCeres&) = delete;
  QuietCeres& operator=(const QuietCeres&) = delete;

 private:
  bool counted_;
};

}  // namespace ulisse
