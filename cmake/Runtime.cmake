# SPDX-License-Identifier: MIT
#
# libfencer_rt.a is part of every tested program and the same in every preset:
# clang-19, optimised, no sanitizer.  CMake has one compiler a language, so the
# commands are written out here; headers are tracked by the depfiles.
#
# fencer_rt_mutant is the same with -DFENCER_MUTANT=1: the mutation test breaks
# one rule of a model with it and expects the oracle to notice.
find_program(FENCER_CLANG NAMES clang-19 REQUIRED)
find_program(FENCER_AR NAMES llvm-ar-19 ar REQUIRED)
find_program(FENCER_OBJCOPY NAMES objcopy REQUIRED)

# fencer_models(FOLDER FILES...) writes FOLDER/model/models.def, the list that
# src/shared/model/model.c includes: MODEL(x) for every x.c, strongest model first, but
# not for relaxed, which has no machine.
function(fencer_models folder)
  set(names)
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME_WE)
    list(APPEND names ${name})
  endforeach()
  list(REMOVE_ITEM names model relaxed)
  set(rows)
  set(known sc tso pso pslo)
  foreach(name ${known} ${names})
    if(name IN_LIST names)
      string(APPEND rows "MODEL(${name})\n")
      list(REMOVE_ITEM names ${name})
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/model/models.def CONTENT "${rows}" @ONLY)
endfunction()

file(GLOB model_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/shared/model/*.c)
set(FENCER_GENERATED ${PROJECT_BINARY_DIR}/generated)
fencer_models(${FENCER_GENERATED} ${model_sources})
target_include_directories(fencer_core PUBLIC ${FENCER_GENERATED})

set(FENCER_RT_FLAGS -std=gnu17 -O2 -g -fno-pie -fno-stack-protector
    -fno-omit-frame-pointer -fno-strict-aliasing -fno-builtin-malloc
    -fno-builtin-calloc -fno-builtin-realloc -fno-builtin-free -D_GNU_SOURCE=
    -DFENCER_RUNTIME=1 -DFENCER_VERSION="${PROJECT_VERSION}"
    -I${PROJECT_SOURCE_DIR}/include)
foreach(folder ${FENCER_INCLUDES})
  list(APPEND FENCER_RT_FLAGS -I${folder})
endforeach()

set(src ${PROJECT_SOURCE_DIR}/src)
file(GLOB_RECURSE FENCER_RT_SOURCES CONFIGURE_DEPENDS
     ${src}/shared/event/*.c ${src}/shared/model/*.c ${src}/target/*.c
     ${src}/target/*.S)

# fencer_runtime(NAME [MORE_SOURCES...] [FLAGS flags...] [FOLDER folder]
# [OUTPUT name] [GENERATED folder]) makes the target NAME and FOLDER/libNAME.a,
# with another list of models if GENERATED names one.
function(fencer_runtime name)
  cmake_parse_arguments(rt "" "FOLDER;GENERATED;OUTPUT" "FLAGS" ${ARGN})
  if(NOT rt_FOLDER)
    set(rt_FOLDER ${FENCER_BIN})
  endif()
  if(NOT rt_GENERATED)
    set(rt_GENERATED ${FENCER_GENERATED})
  endif()
  if(NOT rt_OUTPUT)
    set(rt_OUTPUT ${name})
  endif()
  set(objects)
  foreach(source ${FENCER_RT_SOURCES} ${rt_UNPARSED_ARGUMENTS})
    get_filename_component(file ${source} NAME)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    set(object ${PROJECT_BINARY_DIR}/${name}.dir/${folder}/${file}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory
              ${PROJECT_BINARY_DIR}/${name}.dir/${folder}
      COMMAND ${FENCER_CLANG} ${FENCER_WARNINGS} ${FENCER_PLACES} ${FENCER_RT_FLAGS}
              -I${rt_GENERATED} ${rt_FLAGS} -MD -MF ${object}.d -MT ${object} -c ${source}
              -o ${object}
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "Building ${name} ${folder}/${file}"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  # One object that shows only what instrumented code calls: the program may
  # have a tree_next of its own.
  set(archive ${rt_FOLDER}/lib${rt_OUTPUT}.a)
  set(whole ${PROJECT_BINARY_DIR}/${name}.dir/${rt_OUTPUT}.o)
  add_custom_command(
    OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${rt_FOLDER}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${FENCER_CLANG} -r -nostdlib -o ${whole} ${objects}
    COMMAND ${FENCER_OBJCOPY} --wildcard --keep-global-symbol=__fencer_*
            --keep-global-symbol=main --rename-section .text=fencer_text
            ${whole}
    COMMAND ${FENCER_AR} rcsD ${archive} ${whole}
    DEPENDS ${objects}
    COMMENT "Archiving lib${name}.a"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${archive})
endfunction()

# Headers of the user, and the gdb commands, lie beside the tool.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS
     RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/*.h)
set(FENCER_GDB_SCRIPT ${src}/tool/cmd/fencer-gdb.py)
set(beside)
foreach(header ${headers})
  add_custom_command(
    OUTPUT ${FENCER_BIN}/include/${header}
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/include/${header}
            ${FENCER_BIN}/include/${header}
    DEPENDS ${PROJECT_SOURCE_DIR}/include/${header} VERBATIM)
  list(APPEND beside ${FENCER_BIN}/include/${header})
endforeach()
add_custom_command(
  OUTPUT ${FENCER_BIN}/fencer-gdb.py
  COMMAND ${CMAKE_COMMAND} -E copy ${FENCER_GDB_SCRIPT} ${FENCER_BIN}/fencer-gdb.py
  DEPENDS ${FENCER_GDB_SCRIPT} VERBATIM)
list(APPEND beside ${FENCER_BIN}/fencer-gdb.py)
add_custom_target(fencer_beside ALL DEPENDS ${beside})

if(FENCER_RT_SOURCES)
  fencer_runtime(fencer_rt)
  # gcc's build runs unit tests only.
  if(BUILD_TESTING AND NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
    fencer_runtime(fencer_rt_mutant FLAGS -DFENCER_MUTANT=1)
  endif()

  # gcc never builds the runtime we ship, but its warnings count.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(c_sources ${FENCER_RT_SOURCES})
    list(FILTER c_sources INCLUDE REGEX "\\.c$")
    add_library(fencer_rt_gcc OBJECT ${c_sources})
    target_include_directories(fencer_rt_gcc PRIVATE ${FENCER_INCLUDES}
                               include ${FENCER_GENERATED})
    target_compile_definitions(fencer_rt_gcc PRIVATE _GNU_SOURCE=
      FENCER_RUNTIME=1 FENCER_VERSION="${PROJECT_VERSION}")
    target_compile_options(fencer_rt_gcc PRIVATE -O2 -fno-pie
                           -fno-strict-aliasing)
  endif()
else()
  add_custom_target(fencer_rt)
endif()
add_dependencies(fencer_rt fencer_beside)
