/* The same programs as library_containers.cpp, built by other compilers.
 * build: g++ -g -O2 -std=c++17 -pthread
 * build: clang++ -g -O0 -std=c++17 -pthread
 * check: bug : -- list
 * long: bug : -- splice
 * long: bug : -- stream
 * long: bug : -- map
 * long: bug : -- hash
 * long: bug : -- string
 * long: bug : -- shared
 * long: complete traces=2 : -- list locked
 * long: complete traces=2 : -- splice locked
 * long: complete traces=2 : -- stream locked
 * long: complete traces=2 : -- map locked
 * long: complete traces=2 : -- hash locked
 * long: complete traces=2 : -- string locked
 * long: complete traces=2 : -- shared locked
 */
#include "library_containers.cpp"
