#include "lacuna/io/text_chunks.h"

#include <algorithm>
#include <utility>

namespace lacuna {
namespace {

/// What is decompressed at a time.
constexpr std::size_t step_bytes = std::size_t{1} << 16U;

/// What is given back at a time: much more than the pages that are so in part.
constexpr std::size_t release_bytes = std::size_t{1} << 20U;

bool append_some(GunzipStream& stream, std::string& to) {
  const std::size_t before = to.size();
  to.resize(before + step_bytes);
  to.resize(before + stream.read(to.data() + before, step_bytes));
  return to.size() > before;
}

}  // namespace

std::size_t share_begin(std::size_t count, std::size_t reader, std::size_t readers) {
  return count / readers * reader + std::min(reader, count % readers);
}

TextChunks::TextChunks(const MappedFile& file, bool compressed, std::string name, std::size_t begin, FileShare share,
                       std::size_t chunk_bytes)
    : file_(file), name_(std::move(name)), begin_(begin), chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)) {
  const auto reader = static_cast<std::size_t>(share.reader), readers = static_cast<std::size_t>(share.readers);
  if (!compressed) {
    const std::size_t bytes = file.bytes().size() - begin;
    at_ = begin + share_begin(bytes, reader, readers);
    end_ = begin + share_begin(bytes, reader + 1, readers);
  } else if (share.reader == 0) {
    stream_.emplace(name_, file.bytes());
    skip(begin);
  }
}

std::optional<TextChunk> TextChunks::next() { return stream_ ? next_decompressed() : next_mapped(); }

std::size_t TextChunks::line_from(std::size_t at) const {
  if (at <= begin_) return begin_;
  const std::string_view bytes = file_.bytes();
  const std::size_t newline = bytes.find('\n', std::min(at, bytes.size()) - 1);
  return newline == std::string_view::npos ? bytes.size() : newline + 1;
}

std::optional<TextChunk> TextChunks::next_mapped() {
  if (last_) file_.release(last_->begin, last_->end);
  last_.reset();
  if (at_ >= end_) return std::nullopt;
  const std::size_t begin = line_from(at_);
  at_ = std::min(end_, at_ + chunk_bytes_);
  const std::size_t end = std::max(begin, line_from(at_));
  last_ = {begin, end};
  return TextChunk{{name_, file_.bytes().substr(0, end)}, begin};
}

bool TextChunks::fill() {
  const bool more = append_some(*stream_, buffer_);
  if (stream_->taken() - released_ >= release_bytes) {
    file_.release(released_, stream_->taken());
    released_ = stream_->taken();
  }
  return more;
}

void TextChunks::drop_used() {
  lines_ += static_cast<std::size_t>(std::count(buffer_.data(), buffer_.data() + used_, '\n'));
  buffer_.erase(0, used_);
  used_ = 0;
}

void TextChunks::skip(std::size_t bytes) {
  while (bytes > 0 && (!buffer_.empty() || fill())) {
    used_ = std::min(bytes, buffer_.size());
    bytes -= used_;
    drop_used();
  }
}

std::optional<TextChunk> TextChunks::next_decompressed() {
  drop_used();
  std::size_t searched = chunk_bytes_ - 1, newline = buffer_.find('\n', searched);
  while (newline == std::string::npos) {
    searched = std::max(searched, buffer_.size());
    if (!fill()) break;
    newline = buffer_.find('\n', searched);
  }
  used_ = newline == std::string::npos ? buffer_.size() : newline + 1;
  if (used_ == 0) return std::nullopt;
  return TextChunk{{name_, std::string_view(buffer_).substr(0, used_), lines_}, 0};
}

void TextChunks::check_rest() {
  if (!stream_) return;
  do {
    buffer_.clear();
  } while (fill());
}

std::string first_lines(const MappedFile& file, const std::string& name,
                        const std::function<bool(std::string_view)>& is_enough) {
  GunzipStream stream(name, file.bytes());
  std::string lines;
  while (!is_enough(lines) && append_some(stream, lines)) {
  }
  return lines;
}

}  // namespace lacuna
