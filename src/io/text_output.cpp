// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text_output.hpp"

#include <araia/error.hpp>
#include "src/io/atomic_file.hpp"

#include <ostream>

namespace araia::detail {

void write_bytes_file(std::filesystem::path const& path, BytesWriter const& write) {
  AtomicFile file(path);
  Sink const to_file = [&file](std::string_view bytes) { file.write(bytes); };
  if (path.extension() == ".gz") {
    GzipWriter compressed(to_file);
    write([&compressed](std::string_view bytes) { compressed.write(bytes); });
    compressed.finish();
  } else {
    write(to_file);
  }
  file.commit();
}

void write_file(std::filesystem::path const& path, TextWriter const& write) {
  try {
    write_bytes_file(path, [&write](Sink const& sink) {
      TextOutput out(sink);
      write(out);
      out.flush();
    });
  } catch (Error const& error) {  // of a matrix that cannot be written: it names no file
    if (!error.place().file.empty()) throw;
    throw Error(error.kind(), {path.string()}, error.what());
  }
}

void write_stream(std::ostream& stream, TextWriter const& write) {
  TextOutput out([&stream](std::string_view text) {
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream) throw Error(ErrorKind::device, "the output stream refuses to be written");
  });
  write(out);
  out.flush();
}

}  // namespace araia::detail
