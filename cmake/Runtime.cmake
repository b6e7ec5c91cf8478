# SPDX-License-Identifier: MIT
#
# The runtime, libfencer_rt.a, and what else lies beside the tool.  The runtime
# is a project of its own, cmake/runtime, since CMake has one compiler a
# language.  Its build folder is shared by our presets: it is the same in each.
find_program(FENCER_CLANG NAMES clang-19 REQUIRED)
set(FENCER_RT_BUILD ${PROJECT_BINARY_DIR}/runtime CACHE PATH
    "Where the runtime is built; several builds may share it")

include(cmake/Models.cmake)
file(GLOB model_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/shared/model/*.c)
set(FENCER_GENERATED ${PROJECT_BINARY_DIR}/generated)
fencer_models(${FENCER_GENERATED} ${model_sources})
target_include_directories(fencer_core PUBLIC ${FENCER_GENERATED})

# Flags of the surroundings (those of a package's build) are not for it.
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=CFLAGS --unset=CPPFLAGS
          --unset=ASMFLAGS --unset=LDFLAGS
          ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}/cmake/runtime
          -B ${FENCER_RT_BUILD} -G ${CMAKE_GENERATOR}
          -DCMAKE_C_COMPILER=${FENCER_CLANG}
          -DCMAKE_ASM_COMPILER=${FENCER_CLANG}
          "-DFENCER_WARNINGS=${FENCER_WARNINGS}"
          -DFENCER_VERSION=${PROJECT_VERSION}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# fencer_runtime(NAME FROM FOLDER): the target NAME builds it, and puts
# libfencer_rt.a of FROM, a folder of the runtime's build, into FOLDER.  Two
# builds that share it take turns.
find_program(FENCER_FLOCK NAMES flock REQUIRED)
function(fencer_runtime name from folder)
  add_custom_target(
    ${name} ALL
    COMMAND ${FENCER_FLOCK} ${FENCER_RT_BUILD} ${CMAKE_COMMAND} --build
            ${FENCER_RT_BUILD} --target ${name}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different
            ${FENCER_RT_BUILD}/${from}/libfencer_rt.a ${folder}/libfencer_rt.a
    BYPRODUCTS ${folder}/libfencer_rt.a
    COMMENT "Building ${name}" VERBATIM)
endfunction()

# Headers of the user, and the gdb commands, lie beside the tool.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS
     RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/*.h)
set(FENCER_GDB_SCRIPT ${PROJECT_SOURCE_DIR}/src/tool/cmd/fencer-gdb.py)
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

fencer_runtime(fencer_rt plain ${FENCER_BIN})
add_dependencies(fencer_rt fencer_beside)

# gcc never builds the runtime we ship, but its warnings count: here is what is
# not in fencer_core.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND FENCER_WERROR)
  file(GLOB_RECURSE target_sources CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/src/target/*.c)
  list(FILTER target_sources INCLUDE REGEX "/target/(runtime|sync|libc)/")
  add_library(fencer_rt_gcc OBJECT ${target_sources})
  target_include_directories(fencer_rt_gcc PRIVATE ${FENCER_INCLUDES}
                             include ${FENCER_GENERATED})
  target_compile_definitions(fencer_rt_gcc PRIVATE _GNU_SOURCE=
    FENCER_RUNTIME=1 FENCER_VERSION="${PROJECT_VERSION}")
  target_compile_options(fencer_rt_gcc PRIVATE -O2 -fno-pie
                         -fno-strict-aliasing)
endif()
