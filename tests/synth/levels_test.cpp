#include "isoscope/synth/levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace isoscope::synth {
namespace {

/// A library whose files are these.
LevelLibrary library(std::map<std::string, std::string> files = {}) {
  return LevelLibrary([files](const std::string& path) -> std::optional<std::string> {
    const auto at = files.find(path);
    if (at == files.end()) return std::nullopt;
    return at->second;
  });
}

std::string name_of(const std::string& typed) {
  const auto text = library().find(typed);
  return text ? text->name : text.error().text();
}

TEST(Levels, AreFoundByShippedNameCaseAside) {
  EXPECT_EQ(name_of("cerone/SI"), "cerone/SI");
  EXPECT_EQ(name_of("CERONE/si"), "cerone/SI");
}

TEST(Levels, AreFoundByNamesOfTheCatalogue) {
  EXPECT_EQ(name_of("snapshot-isolation"), "biswas-enea/SI");
  EXPECT_EQ(name_of("SI"), "biswas-enea/SI");
  EXPECT_EQ(name_of("Snapshot Isolation"), "biswas-enea/SI");
  EXPECT_EQ(name_of("SER"), "biswas-enea/SER");
  EXPECT_EQ(name_of("PL-3"), "adya/PL-3");
  EXPECT_EQ(name_of("UA"), "cerone/UA");
}

TEST(Levels, AreFoundByTheLastPartOfTheirName) {
  EXPECT_EQ(name_of("TapRA"), "plume/TapRA");
  EXPECT_EQ(name_of("nlu"), "cerone/NLU");
  EXPECT_EQ(name_of("UpdateSer"),
            "\"UpdateSer\" may be biswas-enea/UpdateSer or cerone/UpdateSer: write which one");
}

TEST(Levels, UnknownNamesGetTheNearestOnes) {
  const std::string error = name_of("cerone/SEX");
  EXPECT_TRUE(error.starts_with("unknown level \"cerone/SEX\"; did you mean cerone/SER")) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  EXPECT_NE(name_of("serialisable").find("did you mean serializable"), std::string::npos)
      << name_of("serialisable");
  EXPECT_EQ(name_of("no-such-thing-at-all"),
            "unknown level \"no-such-thing-at-all\"; 'isoscope levels texts' lists them all");
}

TEST(Levels, AreFoundInFiles) {
  const LevelLibrary files =
      library({{"my.level", "axiom a: so in so"}, {"mine/plain", "axiom b: wr in wr"}});
  EXPECT_EQ(files.find("my.level")->text, "axiom a: so in so");
  EXPECT_EQ(files.find("mine/plain")->name, "mine/plain");
  EXPECT_EQ(files.definition("my.level")->name, "my.level");
  EXPECT_EQ(files.find("other.level").error().text(), "cannot read other.level");
  EXPECT_EQ(files.text_called("my.level"), "axiom a: so in so");
}

TEST(Levels, FilesIncludeFilesBesideThemThenShippedTexts) {
  const LevelLibrary files = library({
      {"mine/top.level", "include \"part\" include \"cerone/base\" axiom top: ar in vis"},
      {"mine/part.level", "axiom part: no (wr & so)"},
      {"mine/own.level", "include \"cerone/base\""},
      {"mine/cerone/base.level", "axiom own-base: true"},
  });
  const auto top = files.definition("mine/own.level");
  ASSERT_TRUE(top) << top.error().text();
  ASSERT_EQ(top->axioms.size(), 1u);
  EXPECT_EQ(top->axioms[0].name, "own-base");

  const LevelLibrary without = library({
      {"mine/top.level", "include \"part\" include \"cerone/base\" axiom top: ar in vis"},
      {"mine/part.level", "axiom part: no (wr & so)"},
  });
  const auto texts = without.with_includes("mine/top.level");
  ASSERT_TRUE(texts) << texts.error().text();
  ASSERT_EQ(texts->size(), 3u);
  EXPECT_EQ((*texts)[1].name, "mine/part.level");
  EXPECT_EQ((*texts)[2].name, "cerone/base");
}

TEST(Levels, ErrorsInTextsHaveAPlace) {
  const auto bad = library({{"bad.level", "axiom a:\n  so in"}}).definition("bad.level");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().source, "bad.level");
  EXPECT_EQ(bad.error().position.line, 2u);
  EXPECT_FALSE(library().formula("--where", "so in"));
  const auto formula = library().formula("--where", "so in initial * transaction");
  ASSERT_TRUE(formula);
  EXPECT_EQ(formula->axioms.size(), 1u);
}

TEST(Levels, AllOfThemAreNoPartsAndNoConditions) {
  const std::vector<std::string> names = shipped_level_names();
  EXPECT_GE(names.size(), 50u);
  for (const std::string& name : names) {
    EXPECT_FALSE(name.starts_with("history/")) << name;
    EXPECT_FALSE(name.ends_with("/base")) << name;
    EXPECT_TRUE(library().definition(name)) << name;
  }
}

/// No level of the catalogue has two texts.
TEST(Levels, TheCatalogueFindsEveryTextThatDefinesALevel) {
  int found = 0;
  for (const std::string& name : shipped_level_names()) {
    const auto definition = library().definition(name);
    if (!definition->defines) continue;
    EXPECT_EQ(library().find(*definition->defines)->name, name);
    ++found;
  }
  EXPECT_GE(found, 20);
}

}  // namespace
}  // namespace isoscope::synth
