// The operators of a leader: each does its own share of a pass, and the others do theirs.

#include <mutex>
#include <stdexcept>
#include <utility>

#include "distribute/kernel_words.h"
#include "distribute/leader.h"
#include "distribute/team_split.h"
#include "kernel/dense.h"

namespace ulisse {

namespace {

// A kernel on a table, which the others get when they first need it.
class SharedPoints {
 public:
  SharedPoints(std::shared_ptr<Leader> leader, KernelWords words, const ConstBlock& x)
      : leader_(std::move(leader)), id_(leader_->new_id()), words_(std::move(words)), x_(x) {}
  ~SharedPoints() {
    if (sent_) leader_->drop(id_);
  }
  SharedPoints(const SharedPoints&) = delete;
  SharedPoints& operator=(const SharedPoints&) = delete;

  Leader& leader() const { return *leader_; }

  std::int64_t id() {
    const std::lock_guard lock(mutex_);
    if (!sent_) send();
    sent_ = true;
    return id_;
  }

 private:
  void send() {
    std::string bytes = words_.bytes();
    leader_->ask({.kind = Order::points,
                  .id = id_,
                  .rows = x_.rows(),
                  .columns = x_.cols(),
                  .bytes = static_cast<std::int64_t>(bytes.size())},
                 [&](Team& team) {
                   team.broadcast(bytes.data(), bytes.size());
                   team.broadcast(x_.data(), bytes_of(x_));
                 });
    x_.resize(0, 0);
  }

  std::shared_ptr<Leader> leader_;
  std::int64_t id_;
  KernelWords words_;
  Matrix x_;
  std::mutex mutex_;
  bool sent_ = false;
};

class SharedOperator : public KernelOperator {
 public:
  SharedOperator(std::shared_ptr<SharedPoints> points, std::unique_ptr<const SplitOperator> own,
                 const ConstVector& psi)
      : points_(std::move(points)), own_(std::move(own)), psi_(psi) {}
  ~SharedOperator() override {
    if (sent_) points_->leader().drop(id_);
  }
  SharedOperator(const SharedOperator&) = delete;
  SharedOperator& operator=(const SharedOperator&) = delete;

  Index size() const override { return own_->size(); }
  void columns(const Indices& which, Block out) const override { own_->columns(which, out); }
  double variance() const override { return own_->variance(); }
  Vector variance_slopes() const override { return own_->variance_slopes(); }
  double share_computed() const override { return own_->share_computed(); }
  double error_bound() const override { return own_->error_bound(); }

  void apply(const ConstBlock& x, Block y) const override {
    check_apply(size(), x, y);
    const Order order{.kind = Order::apply, .id = id(), .rows = x.rows(), .columns = x.cols()};
    points_->leader().ask(order, [&](Team& team) {
      Matrix sent = x;
      team.broadcast(sent.data(), bytes_of(sent));
      own_->apply_split(sent, y, split_among(team));
    });
  }

  Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const override {
    return forms(u, v, false).col(0);
  }
  Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const override {
    return forms(u, v, true);
  }

 private:
  Matrix forms(const ConstBlock& u, const ConstBlock& v, bool by_column) const {
    check_forms(size(), u, v);
    const bool same = u.data() == v.data();
    const Order order{.kind = Order::forms,
                      .id = id(),
                      .rows = u.rows(),
                      .columns = u.cols(),
                      .by_column = by_column,
                      .same = same};
    Matrix result;
    points_->leader().ask(order, [&](Team& team) {
      Matrix left = u;
      team.broadcast(left.data(), bytes_of(left));
      Matrix right;
      if (!same) right = v;
      if (!same) team.broadcast(right.data(), bytes_of(right));
      result = own_->forms_split(left, same ? left : right, by_column, split_among(team));
    });
    return result;
  }

  std::int64_t id() const {
    const std::int64_t points = points_->id();
    const std::lock_guard lock(mutex_);
    if (!sent_) {
      const std::int64_t id = points_->leader().new_id();
      Matrix psi = psi_;
      points_->leader().ask({.kind = Order::place, .id = id, .of = points, .columns = psi.rows()},
                            [&](Team& team) { team.broadcast(psi.data(), bytes_of(psi)); });
      id_ = id;
      sent_ = true;
    }
    return id_;
  }

  std::shared_ptr<SharedPoints> points_;
  std::unique_ptr<const SplitOperator> own_;
  Vector psi_;
  mutable std::mutex mutex_;
  mutable std::int64_t id_ = 0;
  mutable bool sent_ = false;
};

}  // namespace

KernelAt shared_kernel(std::shared_ptr<Leader> leader, const Backend& backend, const Kernel& kernel,
                       const ConstBlock& x, const CovarianceOptions& options) {
  const KernelAt own = backend.make(kernel, x, options);
  const bool keeps = backend.can.kept_bytes != nullptr;
  if (keeps || backend.can.takes_tolerance || x.rows() < leader->least_rows()) return own;
  const auto points = std::make_shared<SharedPoints>(std::move(leader),
                                                     KernelWords{backend.name, kernel, options}, x);
  return [own, points](const ConstVector& psi) -> std::unique_ptr<const KernelOperator> {
    auto made = own(psi);
    const auto* split = dynamic_cast<const SplitOperator*>(made.get());
    if (split == nullptr) return made;
    made.release();
    return std::make_unique<SharedOperator>(points, std::unique_ptr<const SplitOperator>(split),
                                            psi);
  };
}

}  // namespace ulisse
