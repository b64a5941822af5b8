# Exports kernels, compiles each program together with those that it calls by the plain C compiler, and runs it.
# cmake -DLACUNA=… -DCC=… -DSOURCES=… -DWORK=… -P run.cmake
file(MAKE_DIRECTORY "${WORK}")

# export_kernel(NAME STATEMENT OPTIONS…): writes NAME.c and NAME.h.
function(export_kernel name statement)
  execute_process(COMMAND "${LACUNA}" export "${statement}" ${ARGN} -o "${WORK}/${name}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# expect(MAIN KERNELS… OUTPUT TEXT): compiles and runs a program.
function(expect main)
  cmake_parse_arguments(ARG "" "OUTPUT" "KERNELS" ${ARGN})
  list(TRANSFORM ARG_KERNELS REPLACE "(.+)" "${WORK}/\\1.c" OUTPUT_VARIABLE kernels)
  execute_process(COMMAND "${CC}" -std=c99 -Wall -Wextra -Werror -Wno-unknown-pragmas -O2 "-I${WORK}"
                          ${kernels} "${SOURCES}/${main}.c" -o "${WORK}/${main}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${WORK}/${main}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output STREQUAL ARG_OUTPUT)
    message(FATAL_ERROR "${main} printed ${output}")
  endif()
endfunction()

export_kernel(spmv "y(i) = A(i,j) * x(j)" -f A:csr)
expect(main KERNELS spmv OUTPUT "201 3000 54\n")

set(product "C(i,k) = A(i,j) * B(j,k)")
export_kernel(multiply "${product}" -f A:csr -f B:csr)
export_kernel(multiply_made "${product}" -f A:csr -f B:csr --widths A:int64,int32)
expect(chain KERNELS multiply multiply_made OUTPUT "(0,0) 24\n(1,1) 24\n(2,2) 24\n")
