#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/simd/tiles.h"
#include "kernel/tree/point_tree.h"

namespace ulisse {

namespace {

struct Owned {
  Index point;
  double distance;  // to its anchor
};

// Farthest first; equal distances by row, so that the tree does not depend on the library.
bool farther(const Owned& a, const Owned& b) {
  return a.distance != b.distance ? a.distance > b.distance : a.point < b.point;
}

struct AnchorPoint {
  Index point;
  std::vector<Owned> owned;  // farthest first
  double radius() const { return owned.front().distance; }
};

// A tree of anchors while they are joined. A ball around `centre` holds all points below.
struct Join {
  Vector centre;
  double radius;
  Index points;
  Index left = -1, right = -1;  // joins, or
  Index anchor = -1;            // an anchor
};

class AnchorsBuilder {
 public:
  explicit AnchorsBuilder(const ConstBlock& x) : x_(x) {}

  PointTree run() {
    Indices all(static_cast<std::size_t>(x_.rows()));
    std::iota(all.begin(), all.end(), Index(0));
    add(all);
    return std::move(tree_);
  }

 private:
  double distance(Index a, Index b) const { return (x_.row(a) - x_.row(b)).norm(); }

  Index add(const Indices& points) {
    const auto count = static_cast<Index>(points.size());
    if (count <= simd::kTile) return tree_.add_leaf(points.data(), count);
    const auto anchors = find_anchors(points);
    if (anchors.size() == 1) return add_halves(points);  // all points are equal
    const std::vector<Join> joins = join(anchors);
    return add_join(anchors, joins, static_cast<Index>(joins.size()) - 1);
  }

  Index add_node(const auto& add_left, const auto& add_right) {
    const auto node = tree_.nodes.size();
    const Index first = tree_.tiles();
    tree_.nodes.push_back({.first_tile = first, .end_tile = first});
    const Index left = add_left();
    const Index right = add_right();
    tree_.nodes[node] = {
        .first_tile = first, .end_tile = tree_.tiles(), .left = left, .right = right};
    return static_cast<Index>(node);
  }

  Index add_halves(const Indices& points) {
    const auto count = static_cast<Index>(points.size());
    const Index tiles = (count + simd::kTile - 1) / simd::kTile;
    const auto middle = points.begin() + (tiles + 1) / 2 * simd::kTile;
    return add_node([&] { return add(Indices(points.begin(), middle)); },
                    [&] { return add(Indices(middle, points.end())); });
  }

  // What fits in a tile becomes one leaf, however many anchors it has.
  Index add_join(const std::vector<AnchorPoint>& anchors, const std::vector<Join>& joins,
                 Index which) {
    const Join& join = joins[static_cast<std::size_t>(which)];
    if (join.points <= simd::kTile || join.anchor >= 0) {
      Indices points;
      gather(anchors, joins, which, points);
      return add(points);
    }
    return add_node([&] { return add_join(anchors, joins, join.left); },
                    [&] { return add_join(anchors, joins, join.right); });
  }

  static void gather(const std::vector<AnchorPoint>& anchors, const std::vector<Join>& joins,
                     Index which, Indices& points) {
    const Join& join = joins[static_cast<std::size_t>(which)];
    if (join.anchor < 0) {
      gather(anchors, joins, join.left, points);
      gather(anchors, joins, join.right, points);
      return;
    }
    for (const Owned& o : anchors[static_cast<std::size_t>(join.anchor)].owned) {
      points.push_back(o.point);
    }
  }

  // Each new anchor is the point farthest from its own, and takes what is nearer to it.
  std::vector<AnchorPoint> find_anchors(const Indices& points) const {
    std::vector<AnchorPoint> anchors(1);
    anchors[0].point = points[0];
    for (const Index p : points) anchors[0].owned.push_back({p, distance(p, points[0])});
    std::sort(anchors[0].owned.begin(), anchors[0].owned.end(), farther);
    const auto wanted = static_cast<std::size_t>(std::sqrt(static_cast<double>(points.size())));
    while (anchors.size() < wanted) {
      const auto widest = std::max_element(
          anchors.begin(), anchors.end(),
          [](const AnchorPoint& a, const AnchorPoint& b) { return a.radius() < b.radius(); });
      if (widest->radius() == 0) break;
      anchors.push_back(new_anchor(anchors, widest->owned.front().point));
    }
    return anchors;
  }

  AnchorPoint new_anchor(std::vector<AnchorPoint>& anchors, Index point) const {
    AnchorPoint fresh{.point = point, .owned = {}};
    for (AnchorPoint& anchor : anchors) steal(anchor, fresh);
    std::sort(fresh.owned.begin(), fresh.owned.end(), farther);
    return fresh;
  }

  // A point nearer to its anchor than half the distance between the anchors stays, and all that
  // stand behind it: no distance is computed for them.
  void steal(AnchorPoint& anchor, AnchorPoint& fresh) const {
    const double apart = distance(anchor.point, fresh.point);
    std::size_t kept = 0, i = 0;
    std::vector<Owned>& owned = anchor.owned;
    for (; i < owned.size() && owned[i].distance > apart / 2; ++i) {
      const double d = distance(owned[i].point, fresh.point);
      if (d < owned[i].distance) {
        fresh.owned.push_back({owned[i].point, d});
      } else {
        owned[kept++] = owned[i];
      }
    }
    owned.erase(owned.begin() + static_cast<std::ptrdiff_t>(kept),
                owned.begin() + static_cast<std::ptrdiff_t>(i));
  }

  // The two balls that fit in the smallest one are joined, until one is left: the last element.
  std::vector<Join> join(const std::vector<AnchorPoint>& anchors) const {
    std::vector<Join> joins;
    for (std::size_t a = 0; a < anchors.size(); ++a) {
      joins.push_back({.centre = x_.row(anchors[a].point).transpose(),
                       .radius = anchors[a].radius(),
                       .points = static_cast<Index>(anchors[a].owned.size()),
                       .anchor = static_cast<Index>(a)});
    }
    std::vector<Partner> open;  // joins that have no parent yet, each with its best partner
    for (std::size_t a = 0; a < joins.size(); ++a) open.push_back({.join = static_cast<Index>(a)});
    for (Partner& p : open) find_partner(joins, open, p);
    while (open.size() > 1) {
      const auto best =
          std::min_element(open.begin(), open.end(),
                           [](const auto& a, const auto& b) { return a.radius < b.radius; });
      joins.push_back(joined(joins, best->join, best->partner));
      replace(joins, open, best->join, best->partner);
    }
    return joins;
  }

  struct Partner {
    Index join, partner = -1;
    double radius = INFINITY;
  };

  static double joint_radius(const Join& a, const Join& b) {
    const double apart = (a.centre - b.centre).norm();
    return std::max({a.radius, b.radius, (apart + a.radius + b.radius) / 2});
  }

  static void find_partner(const std::vector<Join>& joins, const std::vector<Partner>& open,
                           Partner& p) {
    p.partner = -1;
    p.radius = INFINITY;
    for (const Partner& other : open) {
      if (other.join == p.join) continue;
      const double r = joint_radius(joins[static_cast<std::size_t>(p.join)],
                                    joins[static_cast<std::size_t>(other.join)]);
      if (p.partner >= 0 && r >= p.radius) continue;
      p.partner = other.join;
      p.radius = r;
    }
  }

  // The smallest ball around two.
  static Join joined(const std::vector<Join>& joins, Index left, Index right) {
    const Join &a = joins[static_cast<std::size_t>(left)],
               &b = joins[static_cast<std::size_t>(right)];
    const double apart = (a.centre - b.centre).norm(), radius = joint_radius(a, b);
    const double towards_b = apart > 0 ? std::clamp((radius - a.radius) / apart, 0.0, 1.0) : 0;
    return {.centre = a.centre + towards_b * (b.centre - a.centre),
            .radius = radius,
            .points = a.points + b.points,
            .left = left,
            .right = right};
  }

  static void replace(const std::vector<Join>& joins, std::vector<Partner>& open, Index left,
                      Index right) {
    const auto gone = [&](Index join) { return join == left || join == right; };
    std::erase_if(open, [&](const Partner& p) { return gone(p.join); });
    open.push_back({.join = static_cast<Index>(joins.size()) - 1});
    find_partner(joins, open, open.back());
    for (Partner& p : open) {
      if (gone(p.partner)) find_partner(joins, open, p);
    }
  }

  const ConstBlock& x_;
  PointTree tree_;
};

}  // namespace

PointTree build_anchors_tree(const ConstBlock& x) { return AnchorsBuilder(x).run(); }

}  // namespace ulisse
