#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isoscope {

/// What "did you mean" may propose.
struct KnownName {
  std::string name;
  /// What people may have tried to write: the name itself, or a part of it that is enough.
  std::string spelling;
};

/// A name as names are compared: capital letters are as small ones, and blanks and underscores as
/// hyphens.
std::string folded_name(std::string_view name);

/// The known names that `wrong` was probably meant to be, nearest first. If several are equally
/// near, they are in the order of `known`. A name is near if `wrong` is a misspelling of it: few
/// letters away, and half of it is left. Misspellings that are more than one letter further away
/// than the nearest one do not count. A name is also near if `wrong` is a part of it, of at least
/// three letters. Folded names are compared.
std::vector<std::string> nearest_names(std::string_view wrong, const std::vector<KnownName>& known,
                                       std::size_t most = 3);

/// The nearest one, if there is one.
std::optional<std::string> nearest_name(std::string_view wrong,
                                        const std::vector<std::string>& known);

/// "; did you mean `NAME`?" for that name, or "".
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace isoscope
