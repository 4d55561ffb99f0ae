# What `cmake --install` puts under the prefix, and how other projects find it there: by
# find_package(ulisse) or by pkg-config. Everything is relative to the prefix, which may be moved.

include(CMakePackageConfigHelpers)

set(ulisse_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ulisse)
set(ulisse_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(ulisse_private_dir ${CMAKE_INSTALL_LIBDIR}/ulisse)

install(TARGETS ulisse EXPORT ulisseTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ulisse DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(TARGETS ulisse_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Needed by the executable alone, and so kept away from where the linker looks.
install(TARGETS ulisse_eigen_expression LIBRARY DESTINATION ${ulisse_private_dir})

# The link path is the folder of the OpenBLAS that was chosen: at run time, too, it shall not be
# another one.
set_target_properties(ulisse ulisse_cli PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(ulisse_cli PROPERTIES
  INSTALL_RPATH "$ORIGIN/${bin_to_lib};$ORIGIN/${bin_to_lib}/ulisse")

install(EXPORT ulisseTargets NAMESPACE ulisse:: DESTINATION ${ulisse_cmake_dir})
configure_package_config_file(cmake/ulisseConfig.cmake.in ${PROJECT_BINARY_DIR}/ulisseConfig.cmake
                              INSTALL_DESTINATION ${ulisse_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ulisseConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ulisseConfig.cmake ${PROJECT_BINARY_DIR}/ulisseConfigVersion.cmake
        DESTINATION ${ulisse_cmake_dir})

set(pkgconfig_full_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkgconfig_to_lib ${pkgconfig_full_dir} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pkgconfig_to_include ${pkgconfig_full_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/ulisse.pc.in ${PROJECT_BINARY_DIR}/ulisse.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ulisse.pc DESTINATION ${ulisse_pkgconfig_dir})
