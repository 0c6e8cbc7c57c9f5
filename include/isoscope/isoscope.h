#pragma once  // Part of the API: docs/api.md.

// The whole API. A program that includes this can read, make and check histories, explain and
// shrink violations, and write and confirm certificates. Every header of the API says so in its
// first line. The other headers are installed because these need them. They are internal: they
// change without notice.

#include "isoscope/base/limits.h"
#include "isoscope/base/progress.h"
#include "isoscope/base/result.h"
#include "isoscope/base/source.h"
#include "isoscope/certificate/certificate.h"
#include "isoscope/certificate/frontier.h"
#include "isoscope/certificate/verdict.h"
#include "isoscope/certificate/version_assumption.h"
#include "isoscope/check/check.h"
#include "isoscope/check/check_options.h"
#include "isoscope/check/every_level.h"
#include "isoscope/check/several_levels.h"
#include "isoscope/history/format.h"
#include "isoscope/history/history.h"
#include "isoscope/history/history_builder.h"
#include "isoscope/history/update.h"
#include "isoscope/level/level.h"
#include "isoscope/report/frontier_report.h"
#include "isoscope/report/verdict_report.h"
#include "isoscope/shrink/shrink.h"
#include "isoscope/verifier/verify.h"
