#include "isoscope/models/model_report.h"

#include "isoscope/base/json_writer.h"

namespace isoscope::models {

namespace {

void error_json(JsonWriter& json, const OperationLog& log, const ModelError& error) {
  json.begin_object().member("type").string(error.type).member("text").string(error.text);
  json.member("ops").begin_array();
  for (const std::size_t place : error.operations) json.integer(log.operations()[place].index);
  json.end_array().end_object();
}

}  // namespace

std::string model_json(std::string_view file, const OperationLog& log,
                       const ModelVerdict& verdict) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().member("file").string(file).member("valid?");
  verdict.answer == Answer::unknown ? json.string("unknown")
                                    : json.boolean(verdict.answer == Answer::holds);
  if (!verdict.reason.empty()) json.member("reason").string(verdict.reason);
  for (const ModelCount& count : verdict.counts) json.member(count.name).integer(count.count);
  json.member("errors").begin_array();
  for (const ModelError& error : verdict.errors) error_json(json, log, error);
  json.end_array();
  if (!verdict.remarks.empty()) {
    json.member("remarks").begin_array();
    for (const std::string& remark : verdict.remarks) json.string(remark);
    json.end_array();
  }
  json.end_object();
  return json.take() + "\n";
}

std::string model_text(const ModelVerdict& verdict) {
  std::string text;
  for (const ModelError& error : verdict.errors) text += "  " + error.text + "\n";
  for (const std::string& remark : verdict.remarks) text += "  Remark: " + remark + "\n";
  return text;
}

}  // namespace isoscope::models
