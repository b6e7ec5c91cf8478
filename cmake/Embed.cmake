# SPDX-License-Identifier: MIT
#
# cmake -DFOLDER=... -DOUT=page.c -P Embed.cmake: the page of --html as an array
# of C.  @STYLE@ and @SCRIPT@ of page.html become the files it is made of, and
# @STYLE_HASH@ and @SCRIPT_HASH@ what the page's Content-Security-Policy wants
# to know of them.  Nothing but CMake is needed for that.
file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/report.css style)
set(script "\"use strict\";\n")
foreach(name data dom source lanes memory step finding summary main)
  file(READ ${FOLDER}/${name}.js part)
  string(APPEND script "${part}")
endforeach()

# 256 bits in base64: three digits of sixteen are two of sixty-four.
function(base64_hash text result)
  set(digits
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hex "${text}")
  string(APPEND hex 00)
  set(out)
  foreach(at RANGE 0 63 3)
    string(SUBSTRING ${hex} ${at} 3 three)
    math(EXPR high "0x${three} >> 6")
    math(EXPR low "0x${three} & 63")
    string(SUBSTRING "${digits}" ${high} 1 first)
    string(SUBSTRING "${digits}" ${low} 1 second)
    string(APPEND out ${first}${second})
  endforeach()
  string(SUBSTRING ${out} 0 43 out)
  set(${result} "sha256-${out}=" PARENT_SCOPE)
endfunction()

base64_hash("${style}" style_hash)
base64_hash("${script}" script_hash)
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")

file(WRITE ${OUT}.html "${page}")
file(READ ${OUT}.html bytes HEX)
file(REMOVE ${OUT}.html)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
set(byte "0x..,")
string(REGEX REPLACE
       "(${byte}${byte}${byte}${byte}${byte}${byte}${byte}${byte}${byte}${byte})"
       "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "/* Made by cmake/Embed.cmake. */
#include \"report/html/html_inside.h\"

const char html_page[] = {\n${bytes}0};\n")
