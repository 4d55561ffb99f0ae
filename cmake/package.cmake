# The .deb that script/package makes: library, headers, executable, man page and completions.

find_package(Python3 COMPONENTS Interpreter)
set(pages ${PROJECT_BINARY_DIR}/pages)
add_custom_command(
  OUTPUT ${pages}/ulisse.1 ${pages}/ulisse.bash ${pages}/_ulisse
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/command_pages.py $<TARGET_FILE:ulisse_cli> ${pages}
  DEPENDS ulisse_cli ${PROJECT_SOURCE_DIR}/cmake/command_pages.py
  VERBATIM)
add_custom_target(ulisse_pages DEPENDS ${pages}/ulisse.1 ${pages}/ulisse.bash ${pages}/_ulisse)
# Where that target was built.
install(FILES ${pages}/ulisse.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(FILES ${pages}/ulisse.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ulisse OPTIONAL)
install(FILES ${pages}/_ulisse DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ulisse RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ulisse)
set(CPACK_PACKAGE_CONTACT "The authors of ulisse <ulisse@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
# What the libraries need is found by dpkg-shlibdeps; headers need Eigen.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src ${PROJECT_BINARY_DIR}/cli)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libeigen3-dev, pkg-config")
include(CPack)
