#include "mutate.h"

#include <algorithm>
#include <cctype>

namespace ulisse::fuzz {

namespace {

constexpr std::size_t kLongest = 1 << 16;

// What readers of numbers, tables, JSON and TOML stumble over.
const std::vector<std::string> kWords = {
    "-1",    "0",    "1",  "1.5",  "1e999",     "-1e-999", "nan", "inf", "18446744073709551616",
    "null",  "true", "[]", "{}",   "\"\"",      "\"x\"",   ",",   ";",   "\n",
    "\r\n",  "\"",   "#",  "\t",   "\x1b[2J",   "\xff",    "(",   ")",   "=",
    "[[1]]", "y",    "a",  "lp__", "2147483648"};

std::size_t below(std::size_t count, Rng& rng) {
  return static_cast<std::size_t>(rng.below(static_cast<Index>(std::max<std::size_t>(1, count))));
}

const std::string& any_of(const std::vector<std::string>& all, Rng& rng) {
  return all[below(all.size(), rng)];
}

struct Piece {
  std::size_t begin, length;
};

Piece piece_of(const std::string& text, Rng& rng) {
  const std::size_t begin = below(text.size(), rng);
  const std::size_t most = std::min<std::size_t>(text.size() - begin, rng.below(4) == 0 ? 400 : 12);
  return {begin, below(most + 1, rng)};
}

// A number or a word, as a whole.
Piece token_of(const std::string& text, Rng& rng) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
  };
  std::size_t begin = below(text.size(), rng);
  while (begin < text.size() && !is_part(text[begin])) ++begin;
  while (begin > 0 && begin < text.size() && is_part(text[begin - 1])) --begin;
  std::size_t end = begin;
  while (end < text.size() && is_part(text[end])) ++end;
  return {begin, end - begin};
}

void change(std::string& text, const std::vector<std::string>& pool, Rng& rng) {
  if (text.empty()) text = any_of(kWords, rng);
  const Piece piece = piece_of(text, rng), token = token_of(text, rng);
  switch (rng.below(8)) {
    case 0:
      text[piece.begin] = static_cast<char>(text[piece.begin] ^ (1 << rng.below(8)));
      break;
    case 1:
      text[piece.begin] = static_cast<char>(rng.below(256));
      break;
    case 2:
      text.erase(piece.begin, piece.length);
      break;
    case 3:
      text.insert(piece.begin, text.substr(piece.begin, piece.length));
      break;
    case 4:
      text.insert(piece.begin, any_of(kWords, rng));
      break;
    case 5: {
      const std::string& other = any_of(pool, rng);
      const Piece from = piece_of(other.empty() ? text : other, rng);
      text.insert(piece.begin, (other.empty() ? text : other).substr(from.begin, from.length));
      break;
    }
    case 6:
      text.resize(piece.begin);
      break;
    default:
      text.replace(token.begin, token.length, any_of(kWords, rng));
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& pool, Rng& rng) {
  std::string text = any_of(pool, rng);
  const Index changes = 1 + rng.below(4);
  for (Index i = 0; i < changes; ++i) change(text, pool, rng);
  if (text.size() > kLongest) text.resize(kLongest);
  return text;
}

}  // namespace ulisse::fuzz
