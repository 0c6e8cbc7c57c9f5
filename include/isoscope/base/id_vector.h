#pragma once

#include <cstddef>
#include <vector>

#include "isoscope/base/id.h"

namespace isoscope {

/// A vector with an entry for each id of a kind. Only such an id finds an entry, so an id of
/// another kind does not compile.
///
///   IdVector<KeyId, std::string> names(3);
///   names[KeyId(2)] = "x";
template <class Index, class T>
class IdVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;

  T& operator[](Index id) { return this->data()[id.index()]; }
  const T& operator[](Index id) const { return this->data()[id.index()]; }

  /// The ids that have an entry.
  auto ids() const { return IdRange(Index(0), Index(this->size())); }
};

}  // namespace isoscope
