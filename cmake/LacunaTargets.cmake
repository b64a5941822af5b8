# The few functions with which every folder of Lacuna declares what it holds.

# Warnings are attached to our own targets only, so that a dependency's headers never break the build, and not where Lacuna
# itself is the dependency.
function(lacuna_set_warnings target)
  if(NOT PROJECT_IS_TOP_LEVEL AND NOT LACUNA_WERROR)
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           -Wnon-virtual-dtor -Wold-style-cast)
  # GCC 12 sees overlapping copies in std::string wherever it inlines an insertion (its bug 105329).
  target_compile_options(${target} PRIVATE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict>)
  # In a batch, Clang takes a parameter for one that hides a name of another file. GCC does not, and finds the rest.
  if(LACUNA_BATCHES)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
  endif()
  if(LACUNA_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Where LACUNA_BATCHES asks for it, compiles a dozen files at a time, which reads their headers once.
function(lacuna_set_batches target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${LACUNA_BATCHES} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# lacuna_layer(NAME SOURCES a.cpp … USES support … [LINKS fmt::fmt …])
# One folder of src/lacuna as a library named lacuna_NAME; USES are the folders that it may include.
function(lacuna_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
  add_library(lacuna_${name} STATIC ${ARG_SOURCES})
  add_library(Lacuna::${name} ALIAS lacuna_${name})
  set_property(GLOBAL APPEND PROPERTY LACUNA_LAYERS lacuna_${name})
  target_include_directories(lacuna_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_compile_features(lacuna_${name} PUBLIC cxx_std_20)
  target_link_libraries(lacuna_${name} PUBLIC fmt::fmt Threads::Threads)
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(lacuna_${name} PUBLIC lacuna_${used})
  endforeach()
  target_link_libraries(lacuna_${name} PUBLIC ${ARG_LINKS})
  lacuna_set_batches(lacuna_${name})
  lacuna_set_warnings(lacuna_${name})
endfunction()

# What tests that mpirun runs need: they may be run as root, and what Open MPI never frees is none of our leaks (a program
# that is built without the address sanitizer does not look at its options).
set(lacuna_rank_environment
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1")

# lacuna_test(NAME SOURCES a.cpp … USES layer … [LABELS l …]): one GoogleTest program, each of its cases a CTest test.
function(lacuna_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/test")
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${name} PRIVATE lacuna_${used})
  endforeach()
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock GTest::gtest_main)
  if(LACUNA_BATCHES)
    target_precompile_headers(${name} REUSE_FROM lacuna_test_headers)
  endif()
  lacuna_set_batches(${name})
  lacuna_set_warnings(${name})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS "${ARG_LABELS}")
endfunction()
