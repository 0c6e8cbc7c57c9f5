#include "cli/protocol_model.h"

#include <filesystem>
#include <fstream>

#include "cli/caret.h"
#include "isoscope/judge/judge_by_texts.h"

namespace isoscope::cli {

namespace {

constexpr std::string_view file_ending = ".protocol";

/// Longer than any protocol; what is longer is some other file.
constexpr std::uintmax_t most_bytes = 10'000'000;

Result<std::string> read_text(const std::string& path) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) return Error{path + " is a folder"};
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{"cannot read " + path};
  std::string text(most_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return Error{"cannot read " + path};
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most_bytes) return Error{path + " is too long for a protocol"};
  return text;
}

}  // namespace

Result<protocol::NamedText> find_protocol(const std::string& typed) {
  const auto shipped = protocol::find_shipped_model(typed);
  if (shipped) return protocol::NamedText{typed, std::string(shipped->text)};
  std::error_code problem;
  const bool is_file = typed.ends_with(file_ending) || typed.find('/') != typed.npos ||
                       std::filesystem::exists(typed, problem);
  if (!is_file) return shipped.error();
  ISOSCOPE_TRY(text, read_text(typed));
  return protocol::NamedText{typed, std::move(text)};
}

Result<protocol::NamedText> find_refined(const std::string& from, const std::string& named) {
  const std::filesystem::path path =
      (std::filesystem::path(from).parent_path() / named).lexically_normal();
  ISOSCOPE_TRY(text, read_text(path.string()));
  return protocol::NamedText{path.string(), std::move(text)};
}

Result<protocol::Model> read_protocol(const protocol::NamedText& text) {
  auto model = protocol::read_model(text.name, text.text, find_refined);
  if (!model) return with_caret(model.error(), text.text);
  return model;
}

Result<protocol::Sizes> sizes_option(const Options& options, protocol::Sizes otherwise) {
  protocol::Sizes sizes = otherwise;
  const auto set = [&](std::string_view name, std::size_t& to) {
    if (options.is_set(name)) to = static_cast<std::size_t>(options.number(name));
  };
  set("clients", sizes.clients);
  set("keys", sizes.keys);
  set("txns", sizes.transactions);
  const auto wrong = [](std::string what) {
    return Error{.what = std::move(what), .kind = ErrorKind::usage};
  };
  if (sizes.keys > protocol::most_keys) return wrong("--keys: at most 64 here");
  // The initial transaction is one, too.
  constexpr std::size_t most = protocol::most_transactions - 1;
  if (sizes.clients * sizes.transactions > most) {
    return wrong("--clients times --txns: at most " + std::to_string(most) + " transactions");
  }
  return sizes;
}

Result<std::optional<protocol::AbstractLevel>> abstract_level_option(const Options& options,
                                                                     std::string_view name) {
  std::optional<protocol::AbstractLevel> level;
  if (!options.is_set(name)) return level;
  level = protocol::find_abstract_level(options.text(name));
  if (level) return level;
  std::string known;
  for (const protocol::AbstractLevelEntry& entry : protocol::abstract_levels()) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  return Error{.what = "--" + std::string(name) + ": '" + options.text(name) +
                       "' is no level of protocols, which are " + known,
               .kind = ErrorKind::usage};
}

Result<protocol::ExploreOptions> explore_options(Invocation& invocation) {
  const Options& options = invocation.options;
  protocol::ExploreOptions result;
  ISOSCOPE_TRY(sizes, sizes_option(options, {}));
  result.sizes = sizes;
  if (options.is_set("shapes")) {
    ISOSCOPE_TRY(shapes, protocol::read_shapes(options.text("shapes")));
    result.shapes = std::move(shapes);
  }
  result.symmetry = !options.flag("no-symmetry");
  result.eager = !options.flag("no-eager");
  result.max_states = static_cast<std::uint64_t>(options.number("max-states"));
  result.threads = static_cast<unsigned>(options.number("threads"));
  result.judge = judge_by_texts();
  result.limits = invocation.limits;
  result.progress = invocation.progress;
  return result;
}

}  // namespace isoscope::cli
