// Tests of base/json: what is put at a place is there, in order, and comes back from a file.

#include "base/json.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "temporary_folder.h"

namespace acevec {

TEST_CASE("members stay in their order, and objects and lists appear where a place needs them") {
  Json json;
  json.put("/z", int64_t{9007199254740993});
  json.put("/a/list/0", "first");
  json.put("/a/list/1", {{"knn", 0.5}, {"ok", true}});
  json.put_empty_list("/none");
  CHECK(json.text(1) ==
        "{\n \"z\": 9007199254740993,\n \"a\": {\n  \"list\": [\n   \"first\",\n   {\n    \"knn\": "
        "0.5,\n"
        "    \"ok\": true\n   }\n  ]\n },\n \"none\": []\n}\n");
}

TEST_CASE("what JSON has no word for is written all the same") {
  Json json;
  json.put("/number", std::numeric_limits<double>::quiet_NaN());
  json.put("/bytes", std::string("a\xff\"\n"));
  CHECK(json_string("a\xff\"\n") == "\"a\xef\xbf\xbd\\\"\\n\"");
  CHECK(json.text(0) == "{\n\"number\": null,\n\"bytes\": \"a\xef\xbf\xbd\\\"\\n\"\n}\n");
}

TEST_CASE("a file is read back, and one that is none is an empty object") {
  const TemporaryFolder folder;
  const Json json =
      Json::read(folder.write("good", R"({"geometry": {"name": "cone", "unit": 2}})"));
  CHECK(json.text_at("/geometry/name") == "cone");
  CHECK(json.number_at("/geometry/unit") == 2);
  CHECK(!json.number_at("/geometry/name"));
  CHECK(!json.text_at("/geometry"));
  CHECK(!json.text_at("/else/where"));
  for (const char* text : {"", "{\"a\": ", "[1]", "\xff"}) {
    CAPTURE(text);
    CHECK(!Json::read(folder.write("bad", text)).text_at("/a"));
  }
  CHECK(!Json::read(folder.path("none")).text_at("/a"));
}

}  // namespace acevec
