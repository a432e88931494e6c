// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text_output.hpp"

#include <araia/error.hpp>
#include <araia/io/atomic_file.hpp>

#include <ostream>

namespace araia::detail {

void write_file(std::filesystem::path const& path, TextWriter const& write) {
  AtomicFile file(path);
  Sink const to_file = [&file](std::string_view text) { file.write(text); };
  if (path.extension() == ".gz") {
    GzipWriter compressed(to_file);
    TextOutput out([&compressed](std::string_view text) { compressed.write(text); });
    write(out);
    out.flush();
    compressed.finish();
  } else {
    TextOutput out(to_file);
    write(out);
    out.flush();
  }
  file.commit();
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
