# SPDX-License-Identifier: MIT
#
# Every tests/unit/*/test_NAME.c is a cmocka program `unit.NAME`.  Every other
# folder with a CMakeLists.txt brings its own tests.  Labels say which kind a
# test is: unit, golden, fuzz, lower, oracle, explore, expose, e2e, browser,
# bench, house.
# `quick` marks the sample of the longer kinds that ./check --quick also runs.

# fencer_script_test(NAME LABEL SCRIPT [ARGUMENTS...]) runs a shell script with
# the tool's path in $FENCER, the sources in $SOURCE, and a folder of its own as
# the working directory.
function(fencer_script_test name label script)
  set(work ${CMAKE_CURRENT_BINARY_DIR}/${name}.work)
  file(MAKE_DIRECTORY ${work})
  add_test(NAME ${name} COMMAND sh ${script} ${ARGN}
           WORKING_DIRECTORY ${work})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 900
    ENVIRONMENT "FENCER=${FENCER_BIN}/fencer;SOURCE=${PROJECT_SOURCE_DIR};XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/cache")
endfunction()

file(GLOB_RECURSE unit_tests CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/tests/unit/*/test_*.c)
if(unit_tests AND NOT CMOCKA_FOUND)
  message(FATAL_ERROR "cmocka is needed for the tests: tools/setup.sh")
endif()
add_custom_target(unit_tests)
foreach(source ${unit_tests})
  get_filename_component(name ${source} NAME_WE)
  string(REGEX REPLACE "^test_" "" short ${name})
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE fencer_core PkgConfig::CMOCKA)
  if(source MATCHES /unit/instrument/)
    target_link_libraries(${name} PRIVATE fencer_llvm)
  endif()
  target_compile_definitions(${name} PRIVATE
    TEST_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TEST_BIN_DIR="${FENCER_BIN}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                        ${PROJECT_BINARY_DIR}/tests/unit)
  add_dependencies(unit_tests ${name})
  add_test(NAME unit.${short} COMMAND ${name})
  set_tests_properties(unit.${short} PROPERTIES LABELS unit TIMEOUT 120)
endforeach()

foreach(check layers format house citations)
  if(EXISTS ${PROJECT_SOURCE_DIR}/tools/${check})
    add_test(NAME house.${check} COMMAND ${PROJECT_SOURCE_DIR}/tools/${check})
    set_tests_properties(house.${check} PROPERTIES LABELS house
                         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
endforeach()

file(GLOB folders CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/tests/*/CMakeLists.txt
     ${PROJECT_SOURCE_DIR}/tests/*/*/CMakeLists.txt
     ${PROJECT_SOURCE_DIR}/bench/*/CMakeLists.txt)
list(FILTER folders EXCLUDE REGEX "/bench/(trials|predict|monitor)/")
foreach(list ${folders})
  get_filename_component(folder ${list} DIRECTORY)
  file(RELATIVE_PATH inside ${PROJECT_SOURCE_DIR} ${folder})
  add_subdirectory(${folder} ${PROJECT_BINARY_DIR}/${inside})
endforeach()
