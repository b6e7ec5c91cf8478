# SPDX-License-Identifier: MIT
#
# fencer_models(FOLDER FILES...) writes FOLDER/model/models.def, the list that
# src/shared/model/model.c includes: MODEL(x) for every x.c, strongest model
# first, but not for those that have no machine: relaxed, c11, arm, riscv, power.
function(fencer_models folder)
  set(names)
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME_WE)
    list(APPEND names ${name})
  endforeach()
  list(REMOVE_ITEM names model relation relaxed c11 arm riscv power)
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
