# Configures the project as for a release where nothing but the library's own packages is to be found, and compiles its file
# and one of Lacuna's. Linking would need all of Lacuna, which would take minutes.
# cmake -DLACUNA=… -DCXX=… -DWORK=… -DGENERATOR=… -P check.cmake
file(REMOVE_RECURSE "${WORK}")
set(hidden "")
foreach(package GTest CLI11 nlohmann_json Python3)
  list(APPEND hidden "-DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON")
endforeach()
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${WORK}" -G "${GENERATOR}"
                        "-DLACUNA=${LACUNA}" "-DCMAKE_CXX_COMPILER=${CXX}" -DCMAKE_BUILD_TYPE=Release
                        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${hidden}
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "it does not configure:\n${output}")
endif()

file(READ "${WORK}/compile_commands.json" commands)
string(JSON last LENGTH "${commands}")
math(EXPR last "${last} - 1")
set(compiled 0)
foreach(k RANGE ${last})
  string(JSON file GET "${commands}" ${k} file)
  string(JSON command GET "${commands}" ${k} command)
  if(command MATCHES "-Werror")
    message(FATAL_ERROR "${file} is compiled with warnings as errors")
  endif()
  if(file MATCHES "consumer/project/main.cpp$" OR file MATCHES "support/error.cpp$")
    separate_arguments(arguments UNIX_COMMAND "${command} -fsyntax-only")
    execute_process(COMMAND ${arguments} WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
    math(EXPR compiled "${compiled} + 1")
  endif()
endforeach()
if(NOT compiled EQUAL 2)
  message(FATAL_ERROR "${compiled} of the two files are compiled")
endif()
