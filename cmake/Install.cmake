# SPDX-License-Identifier: MIT
#
# Installed, all of the tool lies in one private folder, and a link leads there:
# it follows the link and finds its runtime beside itself.  Every path from one
# installed file to another is relative, so the whole can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(home ${CMAKE_INSTALL_LIBDIR}/fencer)

install(TARGETS fencer fencer_llvm_module RUNTIME DESTINATION ${home}
        LIBRARY DESTINATION ${home})
install(FILES ${FENCER_BIN}/libfencer_rt.a ${FENCER_GDB_SCRIPT}
        docs/fencer.schema.json DESTINATION ${home})
install(DIRECTORY include/ DESTINATION ${home}/include)

file(RELATIVE_PATH bin_to_home /${CMAKE_INSTALL_BINDIR} /${home})
install(CODE "file(MAKE_DIRECTORY \
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  foreach(name fencer fencer-cc)
    file(CREATE_LINK ${bin_to_home}/fencer \
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/\${name}\" \
    SYMBOLIC)
  endforeach()")

foreach(section 1 5)
  file(GLOB pages CONFIGURE_DEPENDS docs/*.${section})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

# A page for each command; its options come from the tool.
file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
set(manual)
foreach(page ${pages})
  get_filename_component(name ${page} NAME)
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/man/${name}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
    COMMAND ${PROJECT_SOURCE_DIR}/tools/manual $<TARGET_FILE:fencer> ${page}
            > ${PROJECT_BINARY_DIR}/man/${name}
    DEPENDS fencer ${page} ${PROJECT_SOURCE_DIR}/tools/manual VERBATIM)
  list(APPEND manual ${PROJECT_BINARY_DIR}/man/${name})
endforeach()
add_custom_target(fencer_manual ALL DEPENDS ${manual})
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Shells look for these by name.
foreach(shell bash fish)
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/completion/fencer.${shell}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
    COMMAND fencer completion ${shell}
            > ${PROJECT_BINARY_DIR}/completion/fencer.${shell}
    DEPENDS fencer VERBATIM)
endforeach()
add_custom_target(fencer_completion ALL DEPENDS
                  ${PROJECT_BINARY_DIR}/completion/fencer.bash
                  ${PROJECT_BINARY_DIR}/completion/fencer.fish)
install(FILES ${PROJECT_BINARY_DIR}/completion/fencer.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME fencer)
install(FILES ${PROJECT_BINARY_DIR}/completion/fencer.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# For builds of others: find_package(Fencer), pkg-config fencer.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Fencer)
configure_package_config_file(
  cmake/package/FencerConfig.cmake.in ${PROJECT_BINARY_DIR}/FencerConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS home)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/FencerConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/FencerConfig.cmake
        ${PROJECT_BINARY_DIR}/FencerConfigVersion.cmake
        cmake/package/expect.sh DESTINATION ${package})

set(pc ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_home /${pc} /${home})
configure_file(cmake/package/fencer.pc.in ${PROJECT_BINARY_DIR}/fencer.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/fencer.pc DESTINATION ${pc})
