#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isoscope/history/format.h"

namespace isoscope::cli {

/// A history of a given number of transactions in some format, each of which writes a value of its
/// own.
struct LargeInput {
  Format format;
  std::string bytes;
};

/// One per format, written by hand: several of them are not written by this project.
inline std::vector<LargeInput> large_inputs(int transactions) {
  const auto each = [=](const std::string& first, const std::string& between,
                        const std::string& last,
                        const std::function<std::string(const std::string&)>& transaction) {
    std::string text = first;
    for (int i = 1; i <= transactions; ++i) {
      if (i != 1) text += between;
      text += transaction(std::to_string(i));
    }
    return text + last;
  };
  const auto number = [](std::uint64_t value, bool big_endian) {
    std::string bytes;
    for (int i = 0; i < 8; ++i)
      bytes += static_cast<char>(value >> (8 * (big_endian ? 7 - i : i)) & 0xff);
    return bytes;
  };
  const auto big = [=](std::uint64_t value) { return number(value, true); };
  const auto little = [=](std::uint64_t value) { return number(value, false); };
  const auto count = static_cast<std::uint64_t>(transactions);
  return {
      {Format::native, each("{\"isoscope-history\":1}\n", "", "",
                            [](const std::string& i) {
                              return "{\"session\":1,\"ops\":[[\"w\",1," + i + "]]}\n";
                            })},
      {Format::cobra, each("", "", "",
                           [=](const std::string& i) {
                             const std::string id = big(std::stoull(i));
                             return "S" + id + "W" + id + big(7) + id + "C" + id;
                           })},
      {Format::viper,
       each("", "\n", "\n",
            [](const std::string& i) { return "{\"value\":[[\"w\",1," + i + ",true]]}"; })},
      {Format::dbcop_json, each("[[", ",", "]]",
                                [](const std::string& i) {
                                  return "{\"events\":[[\"w\",0," + i + "]],\"committed\":true}";
                                })},
      {Format::chronos, each("[", ",\n", "]",
                             [](const std::string& i) {
                               return "{\"tid\":" + i + ",\"sid\":1,\"sts\":{\"p\":" + i +
                                      ",\"l\":0},\"cts\":{\"p\":" + i +
                                      ",\"l\":1},\"ops\":[{\"t\":\"w\",\"k\":1,\"v\":" + i + "}]}";
                             })},
      {Format::elle_json, each("", "\n", "\n",
                               [](const std::string& i) {
                                 return "{\"type\":\"ok\",\"process\":0,\"value\":[[\"w\",1," + i +
                                        "]]}";
                               })},
      {Format::edn, each("", "\n", "\n",
                         [](const std::string& i) {
                           return "{:process 0 :type :ok :f :txn :value [[:w 1 " + i + "]]}";
                         })},
      {Format::plume,
       each("", "\n", "\n", [](const std::string& i) { return "w(1," + i + ",1," + i + ")"; })},
      {Format::awdit,
       each("", "-----\n", "", [](const std::string& i) { return "w 1 " + i + "\n"; })},
      {Format::dbcop_hist,
       each("", "\n", "\n", [](const std::string& i) { return "[x:=" + i + "]"; })},
      {Format::litmus,
       each("a: ", " ; ", "\n", [](const std::string& i) { return "T" + i + " w(x," + i + ")"; })},
      {Format::dbcop_bincode,
       // id, nodes, variables, transactions, events; info, start, end; one session.
       each(little(1) + little(1) + little(1) + little(count) + little(1) + little(0) + little(0) +
                little(0) + little(1) + little(count),
            "", "",
            [=](const std::string& i) {
              return little(1) + "\1" + little(0) + little(std::stoull(i)) + "\1" + "\1";
            })},
  };
}

}  // namespace isoscope::cli
