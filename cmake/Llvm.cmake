# SPDX-License-Identifier: MIT
#
# LLVM is loaded when something is compiled, because loading it takes as long
# as most commands do.  All that needs it is `fencer_llvm`.  Tests link that
# library; the tool loads it as the module fencer-llvm.so, which lies beside it.

# What the tool and the module have to agree on.  They compare its hash.
set(stamp ${FENCER_GENERATED}/compiler/stamp.h)
set(src ${PROJECT_SOURCE_DIR}/src)
file(GLOB agreed CONFIGURE_DEPENDS ${src}/shared/base/*.h
     ${src}/shared/event/*.h ${src}/check/lsl/*.h ${src}/compiler/*.h
     ${src}/instrument/instrument.h ${src}/check/lower/lower.h)
add_custom_command(
  OUTPUT ${stamp}
  COMMAND ${CMAKE_COMMAND} -DVERSION=${PROJECT_VERSION} -DSTAMP=${stamp}
          "-DFILES=${agreed}" -P ${PROJECT_SOURCE_DIR}/cmake/Stamp.cmake
  DEPENDS ${agreed} ${PROJECT_SOURCE_DIR}/cmake/Stamp.cmake
  COMMENT "Stamping fencer-llvm.so" VERBATIM)
target_sources(fencer_core PRIVATE ${stamp})

# Hidden: the module shows its table and nothing else.
add_library(fencer_llvm STATIC ${llvm_sources} ${stamp})
set_target_properties(fencer_llvm PROPERTIES POSITION_INDEPENDENT_CODE ON
                      C_VISIBILITY_PRESET hidden)
target_include_directories(fencer_llvm PUBLIC ${FENCER_GENERATED})
target_include_directories(fencer_llvm SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
target_link_libraries(fencer_llvm PUBLIC fencer_base LLVM)

# No copy of fencer_base: the module takes what the tool has.
add_library(fencer_llvm_module MODULE $<TARGET_OBJECTS:fencer_llvm>)
set_target_properties(fencer_llvm_module PROPERTIES PREFIX ""
                      OUTPUT_NAME fencer-llvm LINKER_LANGUAGE C
                      LIBRARY_OUTPUT_DIRECTORY ${FENCER_BIN})

# LLVM's shared library knows every processor, and half a million addresses in it
# are computed anew by each process that loads it: 15 ms of CPU time.  With the
# parts that we call inside, the module is loaded in 3 ms, and has 40 MB.
option(FENCER_STATIC_LLVM "fencer-llvm.so contains the LLVM that it needs" ON)
if(FENCER_STATIC_LLVM AND TARGET LLVMX86CodeGen AND TARGET LLVMPasses)
  llvm_map_components_to_libnames(parts x86codegen x86asmparser x86desc x86info
                                  passes linker bitreader core target)
  target_link_libraries(fencer_llvm_module PRIVATE ${parts} stdc++ m)
  target_link_options(fencer_llvm_module PRIVATE LINKER:--exclude-libs,ALL
                      LINKER:--gc-sections LINKER:-Bsymbolic
                      LINKER:--as-needed)
else()
  target_link_libraries(fencer_llvm_module PRIVATE LLVM)
endif()

# fencer_tool(NAME SOURCES...) is a program that can load the module: it has and
# shows the whole of fencer_base, and nothing else of its own.  The solver comes
# as an archive whose C++ must not get in the way of LLVM's.
get_filename_component(solver ${CADICAL} NAME)
function(fencer_tool name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE fencer_core)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON
    C_VISIBILITY_PRESET hidden
    LINK_LIBRARY_OVERRIDE WHOLE_ARCHIVE,fencer_base)
  target_link_options(${name} PRIVATE LINKER:--exclude-libs,${solver})
  add_dependencies(${name} fencer_llvm_module)
endfunction()
