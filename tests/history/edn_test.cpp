#include "history/format/jepsen/edn.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "history/format/jepsen/locate.h"
#include "isoscope/base/source.h"

namespace isoscope::format {
namespace {

/// A term with its kind and place: vec@0(int@1:5).
std::string shown(Term term) {
  const std::string at = "@" + std::to_string(term.offset());
  const auto text = [&](const char* kind) { return kind + at + ":" + std::string(term.text()); };
  const auto children = [&](const char* kind) {
    std::string all = kind + at + "(";
    bool first = true;
    for (const Term child : term) {
      all += (first ? "" : " ") + shown(child);
      first = false;
    }
    return all + ")";
  };
  switch (term.kind()) {
    case TermKind::nil:
      return "nil" + at;
    case TermKind::boolean:
      return (term.boolean() ? "true" : "false") + at;
    case TermKind::integer:
      return "int" + at + ":" + std::to_string(term.integer());
    case TermKind::number:
      return text("num");
    case TermKind::string:
      return text("str");
    case TermKind::character:
      return text("char");
    case TermKind::keyword:
      return text("key");
    case TermKind::symbol:
      return text("sym");
    case TermKind::list:
      return children("list");
    case TermKind::vector:
      return children("vec");
    case TermKind::map:
      return children("map");
    case TermKind::set:
      return children("set");
    case TermKind::tagged:
      return children(("#" + std::string(term.text())).c_str());
  }
  return {};
}

/// The forms of the text, or the error that ends them.
std::vector<std::string> forms(const Source& source, ByteReader& input) {
  EdnReader reader(input);
  TermTree tree;
  std::vector<std::string> all;
  for (;;) {
    const Result<bool> more = reader.next(tree);
    if (!more) {
      all.push_back(located(source, more.error()).text());
      return all;
    }
    if (!*more) return all;
    all.push_back(shown(tree.root()));
  }
}

std::vector<std::string> forms(const std::string& text) {
  const Source source = Source::from_memory("f", text);
  Result<ByteReader> input = source.open_file(0);
  return forms(source, *input);
}

/// Gives one byte at a time, so that every look ahead crosses the end of the buffer.
class Drip : public ByteStream {
 public:
  explicit Drip(std::string text) : text_(std::move(text)) {}
  std::size_t read(char* into, std::size_t) override { return text_.copy(into, 1, at_++); }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

using Texts = std::vector<std::string>;

TEST(EdnReader, ReadsEveryKindOfAtom) {
  EXPECT_EQ(forms("{} nil true false"), (Texts{"map@0()", "nil@3", "true@7", "false@12"}));
  EXPECT_EQ(forms("{} 0 -0 +5 -12 7N 9223372036854775807 -9223372036854775808"),
            (Texts{"map@0()", "int@3:0", "int@5:0", "int@8:5", "int@11:-12", "int@15:7",
                   "int@18:9223372036854775807", "int@38:-9223372036854775808"}));
  EXPECT_EQ(forms("{} 9223372036854775808 1.5 1e3 3/4 0x1f 007 5M ##NaN ##-Inf"),
            (Texts{"map@0()", "num@3:9223372036854775808", "num@23:1.5", "num@27:1e3", "num@31:3/4",
                   "num@35:0x1f", "num@40:007", "num@44:5M", "num@47:##NaN", "num@53:##-Inf"}));
  EXPECT_EQ(forms("{} :a :a/b.c :can't x a/b - + -x ... <="),
            (Texts{"map@0()", "key@3:a", "key@6:a/b.c", "key@13:can't", "sym@20:x", "sym@22:a/b",
                   "sym@26:-", "sym@28:+", "sym@30:-x", "sym@33:...", "sym@37:<="}));
  EXPECT_EQ(forms("{} \\a \\newline \\u0041 \\( \\\" \\é"),
            (Texts{"map@0()", "char@3:a", "char@6:newline", "char@15:u0041", "char@22:(",
                   "char@25:\"", "char@28:é"}));
}

TEST(EdnReader, ReadsStringsWithEscapes) {
  EXPECT_EQ(forms(R"({} "" "a b" "\"\\\n\t\r\b\f" "é\u00e9\ud83d\ude00")"),
            (Texts{"map@0()", "str@3:", "str@6:a b", "str@12:\"\\\n\t\r\b\f", "str@29:éé😀"}));
  EXPECT_EQ(forms("{} \"two\nlines\""), (Texts{"map@0()", "str@3:two\nlines"}));
}

TEST(EdnReader, ReadsCollections) {
  EXPECT_EQ(forms("{:a [1 (2) #{3}]}"),
            (Texts{"map@0(key@1:a vec@4(int@5:1 list@7(int@8:2) set@11(int@13:3)))"}));
  EXPECT_EQ(forms("{:a,1,,:b;x\n2}"), (Texts{"map@0(key@1:a int@4:1 key@7:b int@12:2)"}));
}

TEST(EdnReader, ReadsTagsAndDropsDiscards) {
  EXPECT_EQ(forms("#inst \"2020\" #jepsen.history.Op{:index 3} #a #b c"),
            (Texts{"#inst@0(str@6:2020)", "#jepsen.history.Op@13(map@31(key@32:index int@39:3))",
                   "#a@42(#b@45(sym@48:c))"}));
  EXPECT_EQ(forms("{#_:a #_ [1 {}] :b #_ #_ 1 2 3} #_4"), (Texts{"map@0(key@16:b int@29:3)"}));
  EXPECT_EQ(forms("#_{:a 1}"), Texts{});
}

TEST(EdnReader, GivesTheElementsOfAnEnclosingForm) {
  EXPECT_EQ(forms("[1 [2] {}]"), (Texts{"int@1:1", "vec@3(int@4:2)", "map@7()"}));
  EXPECT_EQ(forms(" ; c\n (1 #_2 3) ; end\n"), (Texts{"int@7:1", "int@13:3"}));
  EXPECT_EQ(forms("[]"), Texts{});
  EXPECT_EQ(forms("\xEF\xBB\xBF[1]"), Texts{"int@4:1"});
}

TEST(EdnReader, ReadsNothingFromNothing) {
  EXPECT_EQ(forms(""), Texts{});
  EXPECT_EQ(forms(" ,\n; only a comment"), Texts{});
}

TEST(EdnReader, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{:a", "f:1:4: expected '}', found the end of the input"},
      {"{:a\n 1]", "f:2:3: expected '}', found ']'"},
      {"{:a}", "f:1:4: expected a value for the map's last key, found '}'"},
      {"{:a #_1}", "f:1:8: expected a value for the map's last key, found '}'"},
      {"[1", "f:1:3: expected ']', found the end of the input"},
      {"[1)", "f:1:3: expected a form, found ')'"},
      {"(1\n) 2", "f:2:3: expected the end of the input, found '2'"},
      {"}", "f:1:1: expected a form, found '}'"},
      {"{} ^:m x", "f:1:4: expected a form (metadata is not read), found '^'"},
      {"{} @x", "f:1:4: expected a form, found '@'"},
      {"{} #_", "f:1:6: expected a form, found the end of the input"},
      {"{} #_]", "f:1:6: expected a form, found ']'"},
      {"{} #\"re\"", "f:1:4: expected a set, a tag or a discard after '#'"},
      {"{} #<Foo x>", "f:1:4: expected a set, a tag or a discard after '#'"},
      {"{} #", "f:1:4: expected a set, a tag or a discard after '#'"},
      {"{} ##Foo", "f:1:4: expected ##Inf, ##-Inf or ##NaN"},
      {"{} #tag", "f:1:8: expected a form after the tag, found the end of the input"},
      {"{} #tag ]", "f:1:9: expected a form, found ']'"},
      {"{} :", "f:1:4: expected a keyword such as :type"},
      {"{} ::a", "f:1:4: expected a keyword such as :type"},
      {"{} 1_0", "f:1:4: expected a number"},
      {"{} \\", "f:1:4: expected a character after '\\'"},
      {"{} \\ ", "f:1:4: expected a character after '\\'"},
      {"{} \"ab", "f:1:7: expected '\"' at the end of a string, found the end of the input"},
      {"{} \"a\\q\"", "f:1:6: expected an escape such as \\n or \\u0041"},
      {"{} \"\\", "f:1:5: expected an escape such as \\n or \\u0041"},
      {"{} \"\\u12g4\"", "f:1:5: expected four hexadecimal digits after \\u"},
      {"{} \"\\u1", "f:1:5: expected four hexadecimal digits after \\u"},
      {"{} \"\\ud800x\"", "f:1:5: expected a pair of surrogates, found one"},
      {"{} \"\\ud800\\u0041\"", "f:1:5: expected a pair of surrogates, found one"},
      {"{} \"\\udc00\"", "f:1:5: expected a pair of surrogates, found one"},
      {"{} \"\xFF\"", "f:1:4: expected valid UTF-8 in a string"},
      {"{} a\xC3", "f:1:4: expected valid UTF-8"},
      {"{} \x01", "f:1:4: expected a form, found byte 1"},
  };
  for (const auto& [text, error] : cases) {
    const Texts found = forms(text);
    ASSERT_FALSE(found.empty()) << text;
    EXPECT_EQ(found.back(), error) << text;
  }
}

TEST(EdnReader, LimitsNesting) {
  const std::string fits = std::string(257, '[') + std::string(257, ']');
  EXPECT_EQ(forms(fits).size(), 1U);
  EXPECT_EQ(forms(fits).front().substr(0, 4), "vec@");
  for (const std::string opening : {"[", "(", "{", "#{", "#_", "#t "}) {
    std::string deep;
    for (int i = 0; i < 10000; ++i) deep += opening;
    const Texts found = forms("{" + deep);
    ASSERT_EQ(found.size(), 1U) << opening;
    EXPECT_NE(found[0].find("expected at most 256 nested forms, found more"), std::string::npos)
        << found[0];
  }
}

TEST(EdnReader, LimitsSizes) {
  const auto last = [](const std::string& text) { return forms(text).back(); };
  EXPECT_EQ(last("{} " + std::string(70000, 'a')),
            "f:1:4: expected a token of at most 65536 bytes, found a longer one");
  EXPECT_EQ(last("{} :" + std::string(70000, 'a') + " 1"),
            "f:1:4: expected a token of at most 65536 bytes, found a longer one");
  EXPECT_EQ(last("{} :" + std::string(65535, 'a')), "key@3:" + std::string(65535, 'a'));
  EXPECT_EQ(last("{} \"" + std::string((16U << 20) + 1, 'a') + "\""),
            "f:1:4: expected a form of at most 16 MiB of text, found a larger one");
  std::string many = "{} [";
  for (std::size_t i = 0; i < TermTree::max_terms; ++i) many += "1 ";
  EXPECT_EQ(last(many + "]"),
            "f:1:8388611: expected a form of at most 4194304 terms and 16 MiB of text, found a "
            "larger one");
}

TEST(EdnReader, ReadsAcrossTheEndsOfBuffers) {
  std::string text;
  Texts expected;
  for (int i = 0; text.size() < 600000; ++i) {
    const std::string at = std::to_string(text.size());
    const std::string word = "w" + std::to_string(i * 7919 % 1000003);
    text += "\"" + word + "\" ; " + word + "\n";
    expected.push_back("str@" + at + ":" + word);
  }
  EXPECT_EQ(forms(text), expected);

  const std::string every = R"({:a [1 -2 "x\u00e9\"é"] #_#{\( 1.5} :b #t (nil true sym)} 5N ; end)";
  ByteReader drip("f", std::make_unique<Drip>(every));
  EXPECT_EQ(forms(Source::from_memory("f", every), drip), forms(every));
}

TEST(EdnReader, EndsWithAnErrorOrAFormWhereverTheTextIsCut) {
  const std::string every =
      R"([{:a [1 -2 "x\u00e9\"é"] #_#{\( 1.5} :b #t (nil true sym)} 5N ##NaN \newline])";
  for (std::size_t size = 1; size < every.size(); ++size) {
    const Texts found = forms(every.substr(0, size));
    ASSERT_FALSE(found.empty());
    EXPECT_NE(found.back().find("f:1:"), std::string::npos)
        << every.substr(0, size) << " gives " << found.back();
  }
}

TEST(EdnKeyword, IsWhatTheReaderReadsAsOne) {
  for (const std::string text : {":a", ":a/b", ":can't", ":1", ":a:b", ":é", ":#"}) {
    EXPECT_TRUE(is_edn_keyword(text)) << text;
    EXPECT_EQ(forms("{} " + text).back(), "key@3:" + text.substr(1));
  }
  for (const std::string text : {":", "::a", ":a b", ":a,", ":a]", ":a\"", ":a\n", "a", ""}) {
    EXPECT_FALSE(is_edn_keyword(text)) << text;
  }
}

}  // namespace
}  // namespace isoscope::format
