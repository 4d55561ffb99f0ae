# cmake -DINPUT=... -DOUTPUT=... -P embed_kernels.cmake
#
# Writes a C++ file that holds the text of kernels.cl. Compilers limit the length of a string literal:
# 16,000 characters are within it.

file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "#include \"kernel/opencl/kernels_text.h\"

namespace ulisse::opencl {

std::string_view kernels_text() {
  return R\"~cl~(${text})~cl~\";
}

}  // namespace ulisse::opencl
")
