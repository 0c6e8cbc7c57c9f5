#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "isoscope/base/result.h"

namespace isoscope {

/// Where a writer puts its bytes.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::string_view bytes) = 0;
};

/// Collects everything in memory.
class StringSink : public ByteSink {
 public:
  Status write(std::string_view bytes) override {
    text_.append(bytes);
    return Done{};
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A file, or an open stream such as standard output. Nothing is certain to be on disk before
/// close() said so.
class FileSink : public ByteSink {
 public:
  static Result<FileSink> create(const std::string& path);
  /// Does not close `stream`.
  FileSink(std::FILE* stream, std::string name) : stream_(stream), name_(std::move(name)) {}
  FileSink(FileSink&& other) noexcept;
  FileSink& operator=(FileSink&&) = delete;
  ~FileSink() override;

  Status write(std::string_view bytes) override;
  Status close();

 private:
  std::FILE* stream_;
  std::string name_;
  bool owned_ = false;
};

}  // namespace isoscope
