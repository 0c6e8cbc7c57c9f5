#include "isolde_problems.h"

namespace isoscope {

const std::vector<IsoldeProblem>& isolde_problems() {
  using enum IsoldeProblem::Class;
  // b: levels by commit orders, c: levels by visibility, t: Plume's patterns.
#define B(level) "biswas-enea/" level
#define C(level) "cerone/" level
#define T(level) "plume/" level
  static const std::vector<IsoldeProblem> problems = {
      {sat_single, B("RA"), B("CC")},
      {sat_single, C("RA"), C("CC")},
      {sat_single, B("CC"), B("PC")},
      {sat_single, C("CC"), C("PC")},
      {sat_single, B("PC"), B("SI")},
      {sat_single, C("PC"), C("SI")},
      {sat_single, B("SI"), B("SER")},
      {sat_single, C("SI"), C("SER")},
      {sat_single, B("SI") " " B("UpdateSer"), B("SER")},
      {sat_single, C("SI") " " C("UpdateSer"), C("SER")},
      {sat_single, T("TapRA"), B("RA")},

      {sat_multi, B("RA"), C("CC")},
      {sat_multi, C("RA"), B("CC")},
      {sat_multi, B("CC"), C("PC")},
      {sat_multi, C("CC"), B("PC")},
      {sat_multi, B("PC"), C("SI")},
      {sat_multi, C("PC"), B("SI")},
      {sat_multi, B("SI"), C("SER")},
      {sat_multi, C("SI"), B("SER")},
      {sat_multi, C("SI") " " C("UpdateSer"), B("SER")},
      {sat_multi, C("SI") " " B("UpdateSer"), C("SER")},
      {sat_multi, C("SI") " " B("UpdateSer"), B("SER")},
      {sat_multi, B("SI") " " C("UpdateSer"), C("SER")},
      {sat_multi, B("SI") " " C("UpdateSer"), B("SER")},
      {sat_multi, B("SI") " " B("UpdateSer"), C("SER")},

      {unsat_single, B("CC"), B("RA")},
      {unsat_single, C("CC"), C("RA")},
      {unsat_single, B("PC"), B("CC")},
      {unsat_single, C("PC"), C("CC")},
      {unsat_single, B("SI"), B("PC")},
      {unsat_single, C("SI"), C("PC")},
      {unsat_single, B("SER"), B("SI")},
      {unsat_single, C("SER"), C("SI")},
      {unsat_single, B("RA"), T("TapRA")},
      {unsat_single, B("CC"), T("TapCC")},
      {unsat_single, T("TapCC"), B("CC")},

      {unsat_multi, B("RA"), C("RA")},
      {unsat_multi, C("RA"), B("RA")},
      {unsat_multi, B("CC"), C("CC")},
      {unsat_multi, C("CC"), B("CC")},
      {unsat_multi, B("PC"), C("PC")},
      {unsat_multi, C("PC"), B("PC")},
      {unsat_multi, B("SI"), C("SI")},
      {unsat_multi, C("SI"), B("SI")},
      {unsat_multi, B("SER"), C("SER")},
      {unsat_multi, C("SER"), B("SER")},
  };
#undef B
#undef C
#undef T
  return problems;
}

}  // namespace isoscope
