#include "cli/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "cli/all_commands.h"
#include "isoscope/level/level.h"

namespace isoscope::cli {
namespace {

using testing::Test;

constexpr const char* aborted_read = "a: T1! w(x,1)  |  b: T2 r(x,1)\n";
/// Not serializable, and nothing else decides repeatable read if there are predicates.
constexpr const char* both_uses = "a: T1 w(x,1) a(x,2)  |  b: T2 r(x,1)\n";
constexpr const char* sound = "a: T1 w(x,1)  |  b: T2 r(x,1)\n";

bool is_one_line(const std::string& text) {
  return std::ranges::count(text, '\n') == 1 && text.back() == '\n' &&
         text.starts_with("isoscope: ");
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

TEST(Program, TheDemoShowsBothOutcomes) {
  const ProgramRun run = run_program("demo");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.out, "valid-reads: holds"));
  EXPECT_TRUE(contains(run.out, "valid-reads: VIOLATED"));
  EXPECT_TRUE(contains(run.out, "Aborted read (G1a)"));
  EXPECT_EQ(run.err, "");
}

TEST(Program, ViolationsAreToldAsMuchAsWanted) {
  const std::string file = ISOSCOPE_SOURCE_DIR "/tests/litmus/anomaly/lost-update";
  std::string history;
  for (const auto& one : std::filesystem::directory_iterator(file)) history = one.path().string();
  const std::string command = "check " + history + " --level serializable";
  EXPECT_EQ(run_program(command).exit_code, 10);
  EXPECT_EQ(run_program(command + " --explain full --anomalies all").exit_code, 10);
  EXPECT_EQ(run_program(command + " --anomalies 2 --format json").exit_code, 10);
  for (const char* const wrong : {"0", "-1", "some", "1x", "99999999999"}) {
    const ProgramRun run = run_program(command + " --anomalies " + wrong);
    EXPECT_EQ(run.exit_code, 2) << wrong;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
  EXPECT_EQ(run_program(command + " --explain much").exit_code, 2);
}

TEST(Program, TheDemoWorksFromAnySeed) {
  for (const char* seed : {"0", "1", "99999", "9223372036854775807"}) {
    EXPECT_EQ(run_program(std::string("demo --seed ") + seed).exit_code, 0) << seed;
  }
}

TEST(Program, HelpNamesEveryCommandAndEachHasItsOwn) {
  const ProgramRun help = run_program("--help");
  EXPECT_EQ(help.exit_code, 0);
  for (const Command& command : commands())
    EXPECT_TRUE(contains(help.out, "\n  " + std::string(command.name) + " "));
  for (const Command* command : commands_and_parts()) {
    const std::string name(command->name);
    const ProgramRun own = run_program(name + " --help");
    EXPECT_EQ(own.exit_code, 0);
    EXPECT_TRUE(contains(own.out, "Usage: isoscope " + name));
    for (const CommandOption& option : command->options) {
      EXPECT_TRUE(contains(own.out, "--" + std::string(option.name) + " "))
          << name << " " << option.name;
    }
    const ProgramRun helped = run_program("help " + name);
    EXPECT_EQ(helped.exit_code, 0);
    EXPECT_EQ(helped.out, own.out);
  }
}

TEST(Program, HelpSaysThatFilesShareTheTimeLimit) {
  EXPECT_TRUE(contains(run_program("check --help").out, "all files together"));
}

TEST(Program, ExitCodesSayTheVerdict) {
  EXPECT_EQ(run_program("check - --level valid-reads", sound).exit_code, 0);
  EXPECT_EQ(run_program("check - --level valid-reads", aborted_read).exit_code, 10);
  EXPECT_EQ(run_program("check - --level serializable", sound).exit_code, 0);
  EXPECT_EQ(run_program("check - --level serializable", aborted_read).exit_code, 10);
  EXPECT_EQ(run_program("check - --level read-uncommitted", aborted_read).exit_code, 0);
  EXPECT_EQ(run_program("check - --level repeatable-read", both_uses).exit_code, 20);
  EXPECT_EQ(run_program("check -", sound).exit_code, 0);
  EXPECT_EQ(run_program("check -", aborted_read).exit_code, 10);
  EXPECT_EQ(run_program("check - --format json", aborted_read).exit_code, 10);
}

TEST(Program, TheWorstOfSeveralFilesCounts) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good", sound);
  const std::string bad = folder.write("bad", aborted_read);
  const std::string broken = folder.write("broken", "a: T1 w(x\n");
  const std::string level = " --level valid-reads";
  EXPECT_EQ(run_program("check " + good + " " + bad + level).exit_code, 10);
  EXPECT_EQ(run_program("check " + bad + " " + good + level).exit_code, 10);
  const ProgramRun all = run_program("check " + broken + " " + bad + " " + good + level);
  EXPECT_EQ(all.exit_code, 3);
  // The others are checked all the same.
  EXPECT_TRUE(contains(all.out, "VIOLATED"));
  EXPECT_TRUE(contains(all.out, "holds"));
}

TEST(Program, SeveralLevelsAtOnce) {
  const ProgramRun run =
      run_program("check - --level valid-reads,cut-isolation", "T1 r(x,nil) r(x,2) | T2 w(x,2)\n");
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_TRUE(contains(run.out, "valid-reads: holds"));
  EXPECT_TRUE(contains(run.out, "cut-isolation: VIOLATED"));
}

TEST(Program, LevelsAddUpAndEachIsCheckedOnce) {
  const ProgramRun run = run_program(
      "check - --level cut-isolation --level=valid-reads,cut-isolation --level PL-2.99", sound);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::vector<std::string> said;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) continue;  // a remark
    const std::string verdict = line.substr(line.find(": ") + 2);
    said.push_back(verdict.substr(0, verdict.find(':')));
  }
  EXPECT_EQ(said, (std::vector<std::string>{"cut-isolation", "valid-reads",
                                            "repeatable-read without session order"}));
}

TEST(Program, AllLevelsAreTheCatalogue) {
  const ProgramRun run = run_program("check - --level all", sound);
  for (const LevelEntry& entry : levels())
    EXPECT_TRUE(contains(run.out, "-: " + std::string(entry.name) + ": ")) << entry.name;
  const ProgramRun json = run_program("check - --level all --format json", sound);
  EXPECT_EQ(std::ranges::count(json.out, '\n'), std::ssize(levels()));
  // Levels that are about time have nothing to say without it, and others without a variant with
  // it.
  const ProgramRun ignored = run_program("check - --level all --time ignore", sound);
  EXPECT_FALSE(contains(ignored.out, "strict-"));
  EXPECT_EQ(ignored.err,
            "isoscope: --time ignore: 5 levels are not answered, because they are about time\n");
  const ProgramRun trusted = run_program("check - --level all --time trust", sound);
  EXPECT_FALSE(contains(trusted.out, "causal"));
  EXPECT_EQ(trusted.err,
            "isoscope: --time trust: 21 levels are not answered, because they have no real-time "
            "variant\n");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run_program("shrink - --level all", sound).exit_code, 2);
}

TEST(Program, VersionAndHelpHaveSeveralNames) {
  const ProgramRun version = run_program("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("isoscope "));
  EXPECT_EQ(run_program("-V").out, version.out);
  EXPECT_EQ(run_program("version").out, version.out);
  const ProgramRun help = run_program("--help");
  EXPECT_EQ(run_program("-h").out, help.out);
  EXPECT_EQ(run_program("help").out, help.out);
  EXPECT_EQ(run_program("help chek").exit_code, 2);
  EXPECT_EQ(run_program("check -h").out, run_program("help check").out);
}

TEST(Program, MisspeltWordsGetASuggestionAndTheRightHelp) {
  const std::pair<const char*, const char*> cases[] = {
      {"chek -", "unknown command 'chek'; did you mean `check`? (isoscope --help lists them)"},
      {"help protocl", "unknown command 'protocl'; did you mean `protocol`? "},
      {"protocol explor s2pl",
       "unknown command 'protocol explor'; did you mean `explore`? (isoscope protocol --help "},
      {"levels sow SI", "unknown command 'levels sow'; did you mean `show`? "},
      {"check - --lvel SER",
       "check has no option --lvel; did you mean `--level`? (isoscope check --help says more)"},
      {"check - --time-limt=5s", "check has no option --time-limt; did you mean `--time-limit`? "},
      {"protocol prove s2pl --invariant",
       "did you mean `--invariants`? (isoscope protocol prove --help says more)"},
      {"check - --bug none", "check has no option --bug; record has it "},
      {"check - --xyzzy", "check has no option --xyzzy (isoscope check --help says more)"},
      {"check - -x", "check has no option -x "},
      {"check --level", "--level: expected a value (isoscope check --help says more)"},
      {"check - --level serialisable", "did you mean serializable"},
      {"demo --seed 1 --seed 2", "--seed: given twice (isoscope demo --help says more)"},
      {"convert a b", "expected isoscope convert FILE, found 'b' as well "},
      {"check - --format svg", "--format: expected one of text|json|elle-json, found 'svg' "},
      {"convert - --to parquet", "--to: expected one of native|"},
  };
  for (const auto& [words, message] : cases) {
    const ProgramRun run = run_program(words, sound);
    EXPECT_EQ(run.exit_code, 2) << words;
    EXPECT_TRUE(is_one_line(run.err)) << words << "\n" << run.err;
    EXPECT_TRUE(contains(run.err, message)) << words << "\n" << run.err;
  }
}

/// What help offers for --format and --to is never refused.
TEST(Program, HelpOffersOnlyWhatIsAccepted) {
  const std::pair<std::string_view, std::string> uses[] = {
      {"check", "check -"},
      {"elle", "elle - --model rw-register"},
      {"stats", "stats -"},
      {"shrink", "shrink - --level valid-reads"},
      {"convert", "convert -"},
      {"generate", "generate --transactions 2"},
      {"stores", "stores"},
      {"stores show", "stores show causal"},
      {"levels", "levels"},
      {"levels show", "levels show SI"},
      {"synth", "synth --allow SI --forbid SER"},
      {"compare", "compare SI SER --txns 2"},
      {"lattice", "lattice SI SER --txns 2"},
      {"protocol", "protocol"},
      {"protocol list", "protocol list"},
      {"protocol explore", "protocol explore atomic"},
      {"protocol prove", "protocol prove atomic --level RA"},
      {"protocol simulate", "protocol simulate atomic"},
      {"protocol trace", "protocol trace atomic"},
  };
  int tried = 0;
  for (const Command* command : commands_and_parts()) {
    for (const OptionSpec& spec : options_of(*command)) {
      const bool is_offered = std::ranges::find(command->options, spec.name,
                                                &CommandOption::name) != command->options.end();
      if (!is_offered || (spec.name != "format" && spec.name != "to")) continue;
      const auto use =
          std::ranges::find(uses, command->name, [](const auto& u) { return u.first; });
      ASSERT_NE(use, std::end(uses)) << command->name;
      std::istringstream values{std::string(spec.range)};
      for (std::string value; std::getline(values, value, '|'); ++tried) {
        const std::string words = use->second + " --" + std::string(spec.name) + " " + value;
        // Integers, as some formats have nothing else.
        const ProgramRun run = run_program(words, "initial 0\na: T1! w(1,1) | b: T2 r(1,1)\n");
        EXPECT_NE(run.exit_code, 2) << words << "\n" << run.err;
        if (spec.name == "format") {
          EXPECT_NE(run.exit_code, 3) << words << "\n" << run.err;
        }
      }
    }
  }
  EXPECT_GT(tried, 40);
}

/// The examples of help are right usage. What takes long is stopped at once, and files are missing.
TEST(Program, ExamplesOfHelpAreRightUsage) {
  const TemporaryFolder folder;
  int tried = 0;
  for (const Command* command : commands_and_parts()) {
    std::istringstream lines{std::string(command->details)};
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  isoscope ")) continue;
      std::vector<std::string> words = words_of(line.substr(0, line.find(" > ")));
      words.erase(words.begin());
      const auto used = take_command(words);
      ASSERT_TRUE(used) << line;
      const auto& options = (*used)->options;
      std::string run_words = std::string((*used)->name);
      if (std::ranges::find(options, "time-limit", &CommandOption::name) != options.end())
        run_words += " --time-limit 1ms";
      // It would make a file here.
      if ((*used)->name == "record" && !contains(line, "--output"))
        run_words += " --output " + folder.path("recording.jsonl");
      for (const std::string& word : words) {
        // In "sqlite:bank.db" the file stands behind the kind of the database.
        const std::size_t start = word.find(':') + 1;
        const bool is_file = word.find('.') != std::string::npos && !contains(word, "/");
        const bool is_time = run_words.ends_with(" --duration");
        run_words += " " + (is_time   ? "1ms"
                            : is_file ? word.substr(0, start) + folder.path(word.substr(start))
                                      : word);
      }
      const ProgramRun run = run_program(run_words);
      EXPECT_TRUE(run.exit_code == 0 || run.exit_code >= 3) << run_words << "\n" << run.err;
      ++tried;
    }
  }
  EXPECT_GT(tried, 30);
}

TEST(Program, WrongUsageIsOneLineAndCode2) {
  const char* wrong[] = {"chek x",
                         "check",
                         "check - --level serialisable",
                         "check - --level valid-reads,",
                         "check - --no-such-option",
                         "check - --format svg",
                         "check - --time-limit soon",
                         "convert - --to parquet",
                         "convert - --from parquet",
                         "convert a b",
                         "levels show",
                         "levels show nonsense",
                         "levels print x",
                         "stats - --from x",
                         "demo --seed many",
                         "demo --seed -1"};
  for (const char* words : wrong) {
    const ProgramRun run = run_program(words, sound);
    EXPECT_EQ(run.exit_code, 2) << words << "\n" << run.err;
    EXPECT_TRUE(is_one_line(run.err)) << words << "\n" << run.err;
    EXPECT_EQ(run.out, "") << words;
  }
}

TEST(Program, NoWordsAtAllShowTheHelp) {
  const ProgramRun run = run_program("");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(contains(run.out, "Usage"));
  EXPECT_EQ(run.err, "isoscope: expected a command, as in isoscope check FILE\n");
}

TEST(Program, BadInputIsOneLocatedLineAndCode3) {
  const std::pair<const char*, const char*> inputs[] = {
      {"", "empty"},
      {"a: T1 w(x", "1:"},
      {"{\"isoscope-history\":2}\n", "1:"},
      {"{\"isoscope-history\":1}\n{\"session\":1,\"ops\":[[\"w\",1]]}\n", "2:"},
      {"{:type :ok, :process 0, :value [[:w 1 1.5]]}", "1:"},
      {"w(1,2,3,4)\nr(1,2)\n", "2:"},
      {"complete nonsense", "found none of them"},
  };
  for (const auto& [text, part] : inputs) {
    const ProgramRun run = run_program("check -", text);
    EXPECT_EQ(run.exit_code, 3) << text;
    EXPECT_TRUE(is_one_line(run.err)) << text << "\n" << run.err;
    EXPECT_TRUE(contains(run.err, part)) << run.err;
  }
  EXPECT_EQ(run_program("check /no/such/file").exit_code, 3);
  EXPECT_EQ(run_program("convert - --output /no/such/folder/file", sound).exit_code, 3);
}

TEST(Program, ConvertsBetweenFormatsWithoutLoss) {
  const ProgramRun native = run_program("convert -", aborted_read);
  EXPECT_EQ(native.exit_code, 0);
  const ProgramRun litmus = run_program("convert - --to litmus", native.out);
  EXPECT_EQ(litmus.out, aborted_read);
}

TEST(Program, ConvertWritesAFileOrNothing) {
  const TemporaryFolder folder;
  const std::string to = folder.path("history.jsonl");
  EXPECT_EQ(run_program("convert - --output " + to, sound).exit_code, 0);
  EXPECT_EQ(run_program("convert " + to + " --to litmus").out, sound);
  // Plume text has no string keys.
  const std::string plume = folder.path("history.txt");
  EXPECT_EQ(run_program("convert - --to plume --output " + plume, sound).exit_code, 3);
  EXPECT_EQ(contents(plume), "");
}

TEST(Program, JsonIsOneObjectPerVerdict) {
  const ProgramRun run =
      run_program("check - --level valid-reads,serializable --format json", aborted_read);
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 2);
  EXPECT_TRUE(run.out.starts_with("{\"isoscope-verdict\":1,"));
  EXPECT_TRUE(contains(run.out, "\"answer\":\"violated\""));
  EXPECT_TRUE(contains(run.out, "\"anomaly\":\"G1a\""));
  EXPECT_TRUE(
      run_program("stats - --format json", sound).out.starts_with("{\"isoscope-stats\":1,"));
}

TEST(Program, LevelsAreListedExplainedAndDrawn) {
  EXPECT_TRUE(contains(run_program("levels").out, "strict-serializable"));
  EXPECT_TRUE(contains(run_program("levels --format svg").out, "<svg"));
  EXPECT_TRUE(run_program("levels --format json").out.starts_with("{"));
  const ProgramRun misspelt = run_program("levels show G-singel");
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_TRUE(contains(misspelt.err, "did you mean `G-single`?")) << misspelt.err;
  const ProgramRun plain = run_program("levels show PL-3");
  EXPECT_TRUE(contains(plain.out, "serializable"));
  EXPECT_TRUE(contains(plain.out, "without session order"));
  EXPECT_TRUE(
      contains(run_program("levels show read-committed --names elle").out, "adya-read-committed"));
}

TEST(Program, AReachedLimitIsUnknownNeverAVerdict) {
  const ProgramRun run = run_program("check - --level valid-reads --memory-limit 1K", sound);
  EXPECT_EQ(run.exit_code, 20) << run.err << run.out;
}

TEST(Program, JsonHasAnObjectForWhatWasNotReadInTime) {
  const TemporaryFolder folder;
  const std::string files = folder.write("one", sound) + " " + folder.write("two", aborted_read);
  const std::string limit = " --format json --memory-limit 1K";
  const auto is_unknown = [](const std::string& line, const std::string& file) {
    return contains(line, "/" + file + "\"") && contains(line, "\"answer\":\"unknown\"") &&
           contains(line, "\"reason\":\"stopped while the history was read: memory limit\"");
  };
  for (const std::string levels : {"valid-reads,serializable", "cerone/SI,cerone/SER"}) {
    const ProgramRun run = run_program("check " + files + " --level " + levels + limit);
    EXPECT_EQ(run.exit_code, 20);
    std::istringstream lines(run.out);
    std::string line;
    for (const char* const file : {"one", "one", "two", "two"}) {
      ASSERT_TRUE(std::getline(lines, line)) << run.out;
      EXPECT_TRUE(is_unknown(line, file)) << line;
      EXPECT_EQ(contains(line, "\"stopped\":\"memory limit\""), levels.starts_with("valid"));
    }
    EXPECT_FALSE(std::getline(lines, line)) << line;
  }
  EXPECT_EQ(run_program("check - --level valid-reads" + limit, sound).exit_code, 20);
}

/// What is wrong with a file is not excused by a limit that another one reached.
TEST(Program, AMissingFileIsBadInputAtALimitToo) {
  const ProgramRun run = run_program(
      "check - /no/such/file --level valid-reads --format json --memory-limit 1K --threads 1",
      sound);
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 1) << run.out;
  EXPECT_TRUE(contains(run.err, "/no/such/file")) << run.err;
}

TEST(Program, AMemoryLimitIsReachedWithoutACrash) {
  const TemporaryFolder folder;
  const std::string file = folder.path("history");
  ASSERT_EQ(run_program("generate --transactions 20000 --output " + file).exit_code, 0);
  int unknown = 0;
  for (const std::string limit : {"2M", "6M", "8M", "10M", "14M", "20M", "1G"}) {
    const ProgramRun run =
        run_program("check --level serializable --memory-limit " + limit + " " + file);
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 20) << limit << run.err << run.out;
    if (run.exit_code == 0) continue;
    ++unknown;
    EXPECT_TRUE(contains(run.out + run.err, "memory limit")) << run.out << run.err;
  }
  EXPECT_GT(unknown, 1);
  EXPECT_LT(unknown, 7);
}

TEST(Program, ThreadsDoNotChangeWhatIsSaid) {
  const TemporaryFolder folder;
  std::string files;
  for (int i = 0; i < 40; ++i) {
    const std::string file = folder.path("history-" + std::to_string(i));
    const std::string bug = i % 3 == 0 ? " --bug lost-update" : "";
    ASSERT_EQ(run_program("generate --store snapshot-isolation --transactions 50 --seed " +
                          std::to_string(i) + bug + " --output " + file)
                  .exit_code,
              0);
    files += " " + file;
  }
  files += " " + folder.write("broken", "{\"isoscope-history\":1}\n{");
  const std::string command =
      "check --level serializable,snapshot-isolation,read-committed" + files + " --threads ";
  const ProgramRun one = run_program(command + "1");
  EXPECT_EQ(one.exit_code, 3);
  EXPECT_TRUE(contains(one.out, "VIOLATED"));
  EXPECT_TRUE(contains(one.out, "holds"));
  for (const std::string threads : {"0", "2", "7"}) {
    const ProgramRun several = run_program(command + threads);
    EXPECT_EQ(several.exit_code, one.exit_code);
    EXPECT_EQ(several.out, one.out);
    EXPECT_EQ(several.err, one.err);
  }
}

}  // namespace
}  // namespace isoscope::cli
