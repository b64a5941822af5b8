# Real matrices and tensors, which are not part of the project; without them their tests are skipped.
set(LACUNA_TEST_DATA "" CACHE PATH "Folder with the sub-folders matrices, tensors and malformed")

# lacuna_use_test_data(TARGET): tells a test where the real data are, as LACUNA_TEST_DATA; empty where there are none.
function(lacuna_use_test_data target)
  set(data "${LACUNA_TEST_DATA}")
  if(NOT data AND EXISTS "${PROJECT_SOURCE_DIR}/../shared/data")
    get_filename_component(data "${PROJECT_SOURCE_DIR}/../shared/data" REALPATH)
  endif()
  target_compile_definitions(${target} PRIVATE "LACUNA_TEST_DATA=\"${data}\"")
endfunction()
