# cmake -DHTML=... -DCSS=... -DJS=... -DCHART=... -DOUTPUT=... -P embed_page.cmake
#
# Writes a C++ file that holds the texts of a report's page. Compilers limit the length of a string
# literal, so that texts are cut into pieces, which the compiler puts together again.

function(literal function path)
  file(READ ${path} text)
  string(LENGTH "${text}" length)
  set(pieces "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 16000 piece)
    string(APPEND pieces "\n    R\"~page~(${piece})~page~\"")
    math(EXPR at "${at} + 16000")
  endwhile()
  file(APPEND ${OUTPUT} "std::string_view ${function}() {\n  static constexpr std::string_view kText =${pieces};\n  return kText;\n}\n\n")
endfunction()

file(WRITE ${OUTPUT} "#include \"report/page_parts.h\"\n\nnamespace ulisse {\n\n")
literal(page_html ${HTML})
literal(page_css ${CSS})
literal(page_js ${JS})
literal(chart_js ${CHART})
file(APPEND ${OUTPUT} "}  // namespace ulisse\n")
