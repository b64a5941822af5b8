# Installs a build, moves what was installed, and builds and runs a program with it: by find_package and by pkg-config.
# cmake -DBUILD=… -DCXX=… -DWORK=… -DGENERATOR=… -P check_installed.cmake
file(REMOVE_RECURSE "${WORK}")
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/first")
file(RENAME "${WORK}/first" "${WORK}/prefix")
foreach(file bin/lacuna share/man/man1/lacuna.1 share/bash-completion/completions/lacuna share/zsh/site-functions/_lacuna
             share/lacuna/levels/btree.level)
  if(NOT EXISTS "${WORK}/prefix/${file}")
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/installed" -B "${WORK}/found" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_COMPILER=${CXX}")
run("${CMAKE_COMMAND}" --build "${WORK}/found")
run("${WORK}/found/consumer")
if(NOT output STREQUAL "14\n3\n")
  message(FATAL_ERROR "by find_package, it prints ${output}")
endif()

file(GLOB_RECURSE pc "${WORK}/prefix/lacuna.pc")
get_filename_component(folder "${pc}" DIRECTORY)
run("${CMAKE_COMMAND}" -E env "PKG_CONFIG_PATH=${folder}" pkg-config --cflags --libs lacuna)
separate_arguments(flags UNIX_COMMAND "${output}")
run("${CXX}" "${CMAKE_CURRENT_LIST_DIR}/project/main.cpp" ${flags} -o "${WORK}/by_pkg_config")
get_filename_component(libraries "${folder}" DIRECTORY)
run("${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${libraries}" "${WORK}/by_pkg_config")
if(NOT output STREQUAL "14\n3\n")
  message(FATAL_ERROR "by pkg-config, it prints ${output}")
endif()
