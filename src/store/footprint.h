#pragma once

#include <vector>

#include "store/view.h"

namespace isoscope {

/// What a transaction has looked at and is about to change, as far as its commit must know.
struct Footprint {
  struct Read {
    KeyId key;
    Sequence version;  ///< the commit that wrote what was read
  };
  struct Scan {
    TableId table;
    PredicateId predicate;
    Sequence at;  ///< the last commit at the time
  };

  struct Write {
    KeyId key;
    ValueId value;  ///< what it leaves there
  };

  std::vector<Read> reads = {};  ///< of keys, and of the rows that scans returned
  std::vector<Scan> scans = {};
  std::vector<Write> writes = {};  ///< each key once
};

}  // namespace isoscope
