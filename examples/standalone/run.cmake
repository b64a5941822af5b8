# Exports a kernel, compiles it together with main.c by the plain C compiler, and runs the program.
# cmake -DLACUNA=… -DCC=… -DMAIN=… -DWORK=… -P run.cmake
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${LACUNA}" export "y(i) = A(i,j) * x(j)" -f A:csr -o "${WORK}/spmv" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CC}" -std=c99 -Wall -Wextra -Werror -Wno-unknown-pragmas -O2 "-I${WORK}"
                        "${WORK}/spmv.c" "${MAIN}" -o "${WORK}/standalone" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${WORK}/standalone" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "201 3000 54\n")
  message(FATAL_ERROR "the program printed ${output}")
endif()
