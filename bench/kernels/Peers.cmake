# The libraries that take part, each of them where it is found.

# contest_peer(NAME TITLE FOUND LINKS…): peers/NAME.cpp with LINKS, or where FOUND is false a stub that says so.
function(contest_peer peer title found)
  if(found)
    target_sources(lacuna_bench_kernels PRIVATE "peers/${peer}.cpp")
    target_link_libraries(lacuna_bench_kernels PRIVATE ${ARGN})
  else()
    configure_file(peers/missing.cpp.in "missing_${peer}.cpp" @ONLY)
    target_sources(lacuna_bench_kernels PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/missing_${peer}.cpp")
  endif()
endfunction()

find_package(Eigen3 QUIET NO_MODULE)
contest_peer(eigen "Eigen" "${Eigen3_FOUND}" Eigen3::Eigen)
# Eigen is compiled with the program that uses it: as fast as our own loops may be.
set_source_files_properties(peers/eigen.cpp PROPERTIES COMPILE_OPTIONS "-O3;-march=native;-DNDEBUG")

foreach(rest graphblas rsb petsc mkl)
  contest_peer(${rest} ${rest} FALSE)
endforeach()
