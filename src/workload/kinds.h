#pragma once

#include <memory>

#include "isoscope/workload/workload.h"

/// One function per family of kinds; each is in the file of its name. workload.cpp has the table.
namespace isoscope {

std::unique_ptr<Workload> make_general(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_blind_writes(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_blind_predicate_writes(const WorkloadPlan& plan,
                                                      HistoryBuilder& names);
std::unique_ptr<Workload> make_list_append(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_read_modify_write(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_bank(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_counter(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_long_fork(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_write_skew(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_tpcc(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_twitter(const WorkloadPlan& plan, HistoryBuilder& names);
std::unique_ptr<Workload> make_rubis(const WorkloadPlan& plan, HistoryBuilder& names);

}  // namespace isoscope
