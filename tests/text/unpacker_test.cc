// Packed files unpack to their bytes, and what is damaged or followed by something else is refused.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "text/source_bytes.h"

namespace acevec {

TEST_CASE("gzip is unpacked whatever the file is called") {
  const TemporaryFolder folder;
  const std::string bytes = random_bytes(300001);
  CHECK(all_of(folder.write("text.gz", packed(bytes))) == bytes);
  CHECK(all_of(folder.write("text", packed(bytes))) == bytes);
  CHECK(all_of(folder.write("plain.gz", bytes)) == bytes);
  CHECK(all_of(folder.write("empty.gz", packed(""))).empty());
}

TEST_CASE("gzip members follow each other") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text.gz", packed("one\n") + packed("") + packed("two\n"));
  CHECK(all_of(path) == "one\ntwo\n");
}

TEST_CASE("zeros may follow the last gzip member, and nothing else") {
  const TemporaryFolder folder;
  const std::string member = packed("one\n");
  for (const size_t zeros : {size_t{1}, size_t{512}, size_t{300000}}) {
    CHECK(all_of(folder.write("t", member + member + std::string(zeros, '\0'))) == "one\none\n");
  }
  const std::string zeros(512, '\0');
  std::string nulled = member;
  nulled[0] = '\0';
  for (const std::string& rest : {std::string("x"), std::string("\n"), nulled, nulled + member,
                                  zeros + "x", zeros + member, member + "\x8b"}) {
    const std::string path = folder.write("t", member + rest);
    CHECK(refusal(path) == "cannot read " + path +
                               ": bytes that are not gzip follow its end; the file is damaged or "
                               "truncated");
  }
  for (const std::string& rest :
       {std::string("\x1f"), std::string("\x1f\x8b"), member.substr(0, member.size() - 1)}) {
    const std::string path = folder.write("t", member + rest);
    CHECK(refusal(path) ==
          "cannot read " + path + ": unexpected end of file; the file is damaged or truncated");
  }
  CHECK(refusal(folder.write("t", member + "\x1fxxxxxxxxxxx"))
            .ends_with("the file is damaged or truncated"));
}

TEST_CASE("members of any size in blocks of any size unpack to their bytes") {
  const TemporaryFolder folder;
  Random random(7);
  std::string bytes = "text";
  std::string gzip = packed(bytes);
  for (int i = 0; i < 60; ++i) {
    std::string more = random_bytes(random.below(i < 50 ? 3000 : 200000));
    if (i % 3 == 0) more = std::string(more.size(), 'a');  // which unpacks to far more than it is
    bytes += more;
    gzip += packed(more);
  }
  const std::string path = folder.write("t", gzip);
  for (const size_t step : {size_t{7}, size_t{4096}, size_t{1} << 20}) {
    Source source(path);
    CHECK(read_by(source, step) == bytes);
    CHECK(source.fraction() == 1);
  }
}

TEST_CASE("a gzip file that is cut or damaged is refused wherever it is") {
  const TemporaryFolder folder;
  const std::string whole = packed(random_bytes(1000));
  for (const size_t length : {size_t{2}, size_t{9}, size_t{15}, whole.size() / 2, whole.size() - 9,
                              whole.size() - 8, whole.size() - 1}) {
    CAPTURE(length);
    const std::string path = folder.write("cut", whole.substr(0, length));
    CHECK(refusal(path) ==
          "cannot read " + path + ": unexpected end of file; the file is damaged or truncated");
  }
  for (const size_t place : {whole.size() / 2, whole.size() - 5}) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
    CHECK(refusal(folder.write("damaged", damaged)).ends_with("the file is damaged or truncated"));
  }
}

namespace {

struct Packer {
  const char* name;
  std::string (*pack)(const std::string&);
};
const std::vector<Packer> kPackers{
    {"gzip", packed},
    {"bzip2", [](const std::string& bytes) { return bzipped(bytes); }},
    {"xz", xzipped},
    {"zstd", zstd_packed},
};

constexpr const char* kDamaged = "; the file is damaged or truncated";

}  // namespace

TEST_CASE("every packing unpacks to its bytes, members one after the other, before zeros") {
  const TemporaryFolder folder;
  const std::string bytes = random_bytes(300001);
  for (const Packer& packer : kPackers) {
    CAPTURE(packer.name);
    const std::string whole = packer.pack(bytes);
    CHECK(all_of(folder.write("t", whole)) == bytes);
    CHECK(all_of(folder.write("t", packer.pack(""))).empty());
    const std::string members = packer.pack("") + packer.pack("one\n") + whole;
    for (const size_t zeros : {size_t{0}, size_t{512}, size_t{300000}}) {
      const std::string path = folder.write("t", members + std::string(zeros, '\0'));
      CHECK(all_of(path) == "one\n" + bytes);
      Source source(path, TextFormat::kText, 3);
      CHECK(read_by(source, 777) == "one\n" + bytes);
      CHECK(source.fraction() == 1);
    }
    for (const std::string& rest : {std::string("x"), "\n" + whole, std::string(4, '\0') + "xyz"}) {
      CHECK(refusal(folder.write("t", whole + rest)).ends_with(kDamaged));
    }
  }
}

TEST_CASE("every packed file that is cut is refused") {
  const TemporaryFolder folder;
  for (const Packer& packer : kPackers) {
    CAPTURE(packer.name);
    const std::string whole = packer.pack(random_bytes(1000));
    for (size_t length = 5; length < whole.size(); length += length < 30 ? 1 : 37) {
      CAPTURE(length);
      const std::string path = folder.write("cut", whole.substr(0, length));
      CHECK(refusal(path) == "cannot read " + path + ": unexpected end of file" + kDamaged);
    }
    const std::string path = folder.write("cut", whole + whole.substr(0, whole.size() - 1));
    CHECK(refusal(path) == "cannot read " + path + ": unexpected end of file" + kDamaged);
  }
}

TEST_CASE("no packed file gives other bytes when a bit of it is changed") {
  const TemporaryFolder folder;
  const std::string bytes = random_bytes(700);
  for (const Packer& packer : kPackers) {
    CAPTURE(packer.name);
    const std::string whole = packer.pack(bytes);
    const bool is_gzip = packer.pack == packed;
    for (size_t place = is_gzip ? 10 : 6; place < whole.size();
         ++place) {  // gzip's head has a time
      std::string damaged = whole;
      damaged[place] = static_cast<char>(damaged[place] ^ 1 << place % 8);
      const std::string path = folder.write("damaged", damaged);
      CAPTURE(place);
      const std::string why = refusal(path);
      // Bits that only fill up a byte do not matter.
      CHECK((why.ends_with(kDamaged) || (why == "accepted" && all_of(path) == bytes)));
    }
  }
}

}  // namespace acevec
