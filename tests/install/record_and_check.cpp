#include <isoscope/isoscope.h>

#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

using namespace isoscope;

/// Two clients add to the same balance at the same time. A third one asks for another balance.
History recorded() {
  HistoryBuilder builder;
  const auto transaction = [&](std::string_view client) {
    builder.begin_transaction(builder.session(builder.values().string(client)));
  };
  const auto money = [&](int amount) { return builder.values().integer(amount); };
  const KeyId savings = builder.key("savings");
  const KeyId wages = builder.key("wages");

  transaction("bank");
  builder.write(savings, money(100));
  builder.write(wages, money(500));
  for (const char* const client : {"alice", "bob"}) {
    transaction(client);
    builder.read(savings, money(100));
    builder.write(savings, money(client == std::string_view("alice") ? 110 : 120));
  }
  transaction("carol");
  builder.read(wages, money(500));
  return std::move(builder).finish();
}

int main() {
  const History history = recorded();

  // One verdict for each level, in the same order.
  const std::vector<Level> levels = {{LevelId::valid_reads}, {LevelId::serializable}};
  for (const Verdict& verdict : check_levels(history, levels)) {
    std::cout << name_of(verdict.level.id) << ": " << name_of(verdict.answer) << "\n";
  }

  // What is the least that shows the violation? It is written in the notation of docs/formats.
  const ShrinkResult shrunk = shrink(history, Level{LevelId::serializable});
  if (!shrunk.history) {
    std::cerr << "nothing to shrink: " << name_of(shrunk.verdict.answer) << "\n";
    return 1;
  }
  const Result<std::string> text = format_history(*shrunk.history, Format::litmus);
  if (!text) {
    std::cerr << text.error().text() << "\n";
    return 1;
  }
  std::cout << *text;

  // Anybody can confirm the verdict, without the engine that found it.
  const Result<Certificate> certificate = certificate_of(*shrunk.smallest, *shrunk.history);
  if (!certificate) {
    std::cerr << certificate.error().text() << "\n";
    return 1;
  }
  const std::optional<Refusal> refusal = verify(*shrunk.history, *certificate);
  std::cout << (refusal ? "refused: " + refusal->reason : "confirmed") << "\n";
  return refusal ? 1 : 0;
}
