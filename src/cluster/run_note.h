// A RunNote as a message.
#pragma once

#include "cluster/bytes.h"
#include "train/exchange.h"

namespace acevec {

inline void put_note(Bytes& bytes, const RunNote& note) {
  put(bytes, note.done);
  put(bytes, note.sums.loss);
  put_all(bytes, std::span<const Mean>(note.sums.means));
  put(bytes, note.evaluate);
  put(bytes, note.checkpoint);
  put(bytes, note.signal);
}

inline RunNote get_note(BytesReader& reader) {
  RunNote note;
  note.done = reader.get<int64_t>();
  note.sums.loss = reader.get<Mean>();
  note.sums.means = reader.get_all<Mean>();
  note.evaluate = reader.get<bool>();
  note.checkpoint = reader.get<bool>();
  note.signal = reader.get<int>();
  return note;
}

// Adds the note of a process that is not the first.
inline void add_note(const RunNote& other, RunNote& all) {
  all.done += other.done;
  all.sums += other.sums;
  if (all.signal == 0) all.signal = other.signal;
}

}  // namespace acevec
