#include "isoscope/protocol/model_text.h"

#include <algorithm>

#include "isoscope/base/suggestion.h"
#include "protocol/language/resolve.h"

namespace isoscope::protocol {

namespace {

/// The maximum number of models in a chain in which each refines the next.
constexpr std::size_t most_models = 16;

/// Reads a model, and those that it refines.
class Reader {
 public:
  explicit Reader(const FindText& find) : find_(find) {}

  Result<Model> read(const std::string& name, std::string_view text) {
    ISOSCOPE_TRY(syntax, parse_protocol(name, text));
    names_.push_back(name);
    const auto refined = [&](const Statement& statement) { return read_refined(name, statement); };
    ISOSCOPE_TRY(model, Resolver(name, refined).run(syntax));
    names_.pop_back();
    model.name = name;
    return model;
  }

 private:
  Result<Model> read_refined(const std::string& from, const Statement& statement) {
    const auto error = [&](std::string what) {
      return Error{std::move(what), from, statement.name.where};
    };
    Result<NamedText> found =
        statement.is_file ? file(from, statement.name.text) : shipped(statement.name.text);
    if (!found) return error(found.error().text());
    std::string circle;
    for (const std::string& name : names_) {
      if (circle.empty() && name != found->name) continue;
      circle += name + " -> ";
    }
    if (!circle.empty())
      return error("models refine each other in a circle: " + circle + found->name);
    if (names_.size() == most_models)
      return error("more than " + std::to_string(most_models) + " models that refine each other");
    Result<Model> model = read(found->name, found->text);
    if (!model) return error("`" + statement.name.text + "` is wrong: " + model.error().text());
    return model;
  }

  Result<NamedText> file(const std::string& from, const std::string& path) const {
    if (find_) return find_(from, path);
    return Error{"expected the name of a model that comes with the program, found a file"};
  }

  static Result<NamedText> shipped(const std::string& name) {
    std::vector<std::string> known;
    for (const ShippedModel& model : shipped_models()) {
      if (model.name == name) return NamedText{name, std::string(model.text)};
      known.emplace_back(model.name);
    }
    const std::string suggestion = did_you_mean(name, known);
    return Error{
        "no model `" + name + "` comes with the program" +
        (suggestion.empty() ? "; the name of a file stands in double quotes" : suggestion)};
  }

  const FindText& find_;
  std::vector<std::string> names_;  // of the models that are being read
};

}  // namespace

Result<Model> read_model(const std::string& name, std::string_view text, const FindText& find) {
  return Reader(find).read(name, text);
}

}  // namespace isoscope::protocol
