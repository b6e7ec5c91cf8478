# SPDX-License-Identifier: MIT
#
# cmake -DVERSION=... -DSTAMP=... -DFILES=... -P Stamp.cmake: a header with the
# hash of these files.
set(hashes)
foreach(file ${FILES})
  file(SHA256 ${file} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 12 hash)
file(WRITE ${STAMP} "#define COMPILER_STAMP \"${VERSION}-${hash}\"\n")
