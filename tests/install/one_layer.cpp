#include <isoscope/history/history_builder.h>

#include <iostream>
#include <utility>

int main() {
  isoscope::HistoryBuilder builder;
  builder.begin_transaction(builder.add_session());
  builder.write(builder.key("x"), builder.values().integer(1));
  const isoscope::History history = std::move(builder).finish();
  std::cout << history.transaction_count() << " transaction, " << history.operation_count()
            << " operation\n";
}
