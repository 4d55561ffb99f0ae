# cmake -DHTML=... -DCSS=... -DJS=...;... -DCHART=... -DOUTPUT=... -P embed_page.cmake
#
# Writes a C++ file that holds the texts of a report's page. The scripts become one, in their order,
# with names of its own. Compilers limit the length of a string
# literal, so that texts are cut into pieces, which the compiler puts together again.

function(literal function text)
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
set(script "")
foreach(path IN LISTS JS)
  file(READ ${path} text)
  string(APPEND script "${text}\n")
endforeach()
file(READ ${HTML} html)
file(READ ${CSS} css)
file(READ ${CHART} chart)
literal(page_html "${html}")
literal(page_css "${css}")
literal(page_js "\"use strict\";\n(() => {\n${script}})();\n")
literal(chart_js "${chart}")
file(APPEND ${OUTPUT} "}  // namespace ulisse\n")
