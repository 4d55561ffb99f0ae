#include "kernel/opencl/kernel_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "kernel/opencl/kernels_text.h"
#include "kernel/simd/exp2-inl.h"
#include "kernel/tiled_gradient.h"
#include "model/shape_names.h"

namespace ulisse::opencl {

namespace {

template <class T>
using Part = typename TiledKernel<T>::Part;

template <class T>
std::string head(const TiledKernel<T>& kernel, int columns, const Layout& layout) {
  using Exp2 = simd::HWY_NAMESPACE::Exp2<T>;
  constexpr bool in_double = sizeof(T) == 8;
  const char* const suffix = in_double ? "" : "f";
  std::vector<std::string> polynomial;
  for (const T c : Exp2::polynomial) polynomial.push_back(fmt::format("{:a}{}", c, suffix));
  std::string text = in_double ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
  const auto define = [&](const char* name, const auto& value) {
    text += fmt::format("#define {} {}\n", name, value);
  };
  define("SCALAR", in_double ? "double" : "float");
  define("INTEGER", in_double ? "long" : "int");
  define("SUFFIX", suffix);
  define("TILE", simd::kTile);
  define("LANES", layout.lanes);
  define("GROUP", layout.group);
  define("FUSED", layout.fused ? 1 : 0);
  define("COORDINATES", coordinates_of(kernel));
  define("COLUMNS", columns);
  define("SUMS", sums_of(kernel));
  define("POLYNOMIAL", fmt::format("{}", fmt::join(polynomial, ", ")));
  define("DEGREE", std::size(Exp2::polynomial) - 1);
  define("ROUNDER", fmt::format("{:a}{}", Exp2::rounder, suffix));
  define("LIMIT", fmt::format("{}.0{}", static_cast<int>(Exp2::limit), suffix));
  define("ZERO", fmt::format("{}.0{}", static_cast<int>(Exp2::zero), suffix));
  define("MANTISSA", Exp2::mantissa);
  define("GONE", in_double ? "4e6" : "2e4f");  // polynomials of ten shapes stay finite
  define("FAR", in_double ? "1e200" : "1e30f");
  return text;
}

// Writes the two functions that depend on the terms of the kernel.
template <class T>
class Body {
 public:
  explicit Body(const TiledKernel<T>& kernel) : kernel_(kernel) {
    category_ = kernel.terms().size();
    std::string of_values, of_slopes;
    for (std::size_t t = 0; t < kernel.terms().size(); ++t) add_term(t, of_values, of_slopes);
    constexpr const char* kArguments =
        "(const real* mine, __local const scalar* theirs, __constant scalar* constants";
    text_ = fmt::format(
        "\nreal value{}) {{\n  real total = ALL(0);\n{}  return total;\n}}\n"
        "\nvoid slopes{}, real* out) {{\n{}}}\n",
        kArguments, of_values, kArguments, of_slopes);
  }
  const std::string& text() const { return text_; }

 private:
  void add_term(std::size_t t, std::string& of_values, std::string& of_slopes) {
    const auto& parts = kernel_.terms()[t].parts;
    std::string distances, exponents, polynomials;
    const Index coordinate = coordinate_;
    const std::size_t category = category_;
    for (std::size_t m = 0; m < parts.size(); ++m) {
      add_distance(parts[m], m, distances);
      exponents += fmt::format("{}b{}", m > 0 ? " + " : "", m);
      polynomials += fmt::format("POLYNOMIAL_{}(t{}, b{}) * ", name_of(parts[m]), m, m);
    }
    const std::string product = fmt::format("{}exp2_minus({})", polynomials, exponents);
    of_values += fmt::format("  {{\n{}    total = {};\n  }}\n", distances, sum_with(t, product));
    of_slopes += fmt::format("  {{\n{}", distances);
    coordinate_ = coordinate;
    category_ = category;
    add_slopes(parts, of_slopes);
    of_slopes += "  }\n";
  }

  // One term has a share of 1.
  std::string sum_with(std::size_t t, const std::string& product) const {
    if (kernel_.terms().size() == 1) return product;
    return fmt::format("MULTIPLY_ADD(ALL(constants[{}]), {}, total)", t, product);
  }

  static std::string name_of(const Part<T>& part) {
    return ulisse::name_of(part.metric.shape, false);
  }

  void add_distance(const Part<T>& part, std::size_t m, std::string& text) {
    const auto extent = part.points.extent();
    const Index end = coordinate_ + extent.numbers;
    text += fmt::format("    real t{} = add_numbers(ALL(0), mine, theirs, {}, {});\n", m,
                        coordinate_, end);
    for (Index c = 0; c < extent.categories; ++c) {
      text += fmt::format("    t{} += capped(mine, theirs, {}, constants[{}]);\n", m, end + c,
                          category_++);
    }
    coordinate_ += extent.all();
    text += fmt::format("    t{} = NOT_BEYOND(t{});\n    const real b{} = EXPONENT_{}(t{});\n", m,
                        m, m, name_of(part), m);
  }

  // The sums of TileSlopes: for each part the value of the term, then what its taus gain.
  void add_slopes(const std::vector<Part<T>>& parts, std::string& text) {
    std::string product = "ALL(1)";
    for (std::size_t m = 0; m < parts.size(); ++m) {
      text += fmt::format(
          "    const real e{0} = exp2_minus(b{0}), k{0} = POLYNOMIAL_{1}(t{0}, b{0}) * e{0};\n", m,
          name_of(parts[m]));
      product += fmt::format(" * k{}", m);
    }
    for (std::size_t m = 0; m < parts.size(); ++m) {
      text += fmt::format("    out[{}] = {};\n", sum_++, m == 0 ? product : "ALL(0)");
      std::string slope = fmt::format("SLOPE_{}(t{}, b{}, e{})", name_of(parts[m]), m, m, m);
      for (std::size_t other = 0; other < parts.size(); ++other) {
        if (other != m) slope += fmt::format(" * k{}", other);
      }
      text += fmt::format("    const real s{} = {};\n", m, slope);
      add_coordinates(parts[m], m, text);
    }
  }

  void add_coordinates(const Part<T>& part, std::size_t m, std::string& text) {
    const auto extent = part.points.extent();
    if (part.metric.one_tau) {
      text += fmt::format("    out[{}] = s{} * t{};\n", sum_++, m, m);
    } else {
      text +=
          fmt::format("    EACH(c, {}) out[{} + c] = s{} * capped(mine, theirs, {} + c, FAR);\n",
                      extent.numbers, sum_, m, coordinate_);
      sum_ += extent.numbers;
      for (Index c = 0; c < extent.categories; ++c) {
        text +=
            fmt::format("    out[{}] = s{} * capped(mine, theirs, {}, constants[{}]);\n", sum_++, m,
                        coordinate_ + extent.numbers + c, category_ + static_cast<std::size_t>(c));
      }
    }
    coordinate_ += extent.all();
    category_ += static_cast<std::size_t>(extent.categories);
  }

  const TiledKernel<T>& kernel_;
  Index coordinate_ = 0, sum_ = 0;
  std::size_t category_ = 0;  // its place among the constants
  std::string text_;
};

}  // namespace

template <class T>
std::string source_of(const TiledKernel<T>& kernel, int columns, const Layout& layout) {
  return head(kernel, columns, layout) + std::string(kernels_text()) + Body<T>(kernel).text();
}

template <class T>
std::vector<T> constants_of(const TiledKernel<T>& kernel) {
  std::vector<T> constants;
  for (const auto& term : kernel.terms()) constants.push_back(term.share);
  for (const auto& term : kernel.terms()) {
    for (const auto& part : term.parts) {
      const auto extent = part.points.extent();
      constants.insert(constants.end(), extent.most, extent.most + extent.categories);
    }
  }
  return constants;
}

template <class T>
Index coordinates_of(const TiledKernel<T>& kernel) {
  Index count = 0;
  for (const auto& term : kernel.terms()) {
    for (const auto& part : term.parts) count += part.points.dimensions();
  }
  return count;
}

template <class T>
Index sums_of(const TiledKernel<T>& kernel) {
  return ContractionSums<T>(kernel).size();
}

template std::string source_of(const TiledKernel<float>&, int, const Layout&);
template std::string source_of(const TiledKernel<double>&, int, const Layout&);
template std::vector<float> constants_of(const TiledKernel<float>&);
template std::vector<double> constants_of(const TiledKernel<double>&);
template Index coordinates_of(const TiledKernel<float>&);
template Index coordinates_of(const TiledKernel<double>&);
template Index sums_of(const TiledKernel<float>&);
template Index sums_of(const TiledKernel<double>&);

}  // namespace ulisse::opencl
