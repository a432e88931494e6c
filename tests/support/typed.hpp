// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tests that run once for each of some types, with the names that gtest's typed tests would have: Suite/Type.Test.
// gtest makes a class, a factory and a registration of its own for each test and type, six times the compile time of a
// body as small as most; here a test and type is a function alone.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace araia::test {

template <class... Types>
struct TypeList {};

/// The names of types where a suite has no better ones.
struct TypesByNumber {
  template <class T>
  static std::string name(int index) {
    return std::to_string(index);
  }
};

/// A test whose body is a function.
class FunctionTest : public testing::Test {
 public:
  using Body = void (*)();
  explicit FunctionTest(Body body) : body_(body) {}

  static void add(std::string const& suite, char const* test, char const* type, char const* file, int line, Body body) {
    testing::RegisterTest(suite.c_str(), test, type, nullptr, file, line,
                          [body]() -> FunctionTest* { return new FunctionTest(body); });
  }

 private:
  void TestBody() override { body_(); }
  Body body_;
};

template <class Names, class... Types>
std::vector<std::string> typed_suites(std::string const& suite, TypeList<Types...>) {
  int index = 0;
  return {suite + '/' + Names::template name<Types>(index++)...};
}

/// What gtest prints beside a test that fails: the type is in it, as the compiler writes it.
template <class>
char const* type_text() {
  return __PRETTY_FUNCTION__;
}

/// Body<T>::run for each T of the suite's types.
template <template <class> class Body, class... Types>
bool add_typed_test(std::vector<std::string> const& suites, char const* test, char const* file, int line,
                    TypeList<Types...>) {
  FunctionTest::Body const bodies[] = {&Body<Types>::run...};
  char const* const texts[] = {type_text<Types>()...};
  for (std::size_t i = 0; i < suites.size(); ++i) FunctionTest::add(suites[i], test, texts[i], file, line, bodies[i]);
  return true;
}

}  // namespace araia::test

/// The types of a suite, a TypeList, and what names them: TypesByNumber, or a struct like it.
#define ARAIA_TYPED_SUITE(Suite, Types, Names)                                     \
  struct Suite {                                                                   \
    using types = Types;                                                           \
    static std::vector<std::string> const& suites() {                              \
      static auto const all = ::araia::test::typed_suites<Names>(#Suite, types()); \
      return all;                                                                  \
    }                                                                              \
  }

/// ARAIA_TYPED_TEST(Suite, Test) { ... TypeParam ... }
#define ARAIA_TYPED_TEST(Suite, Test)                                                                            \
  template <class>                                                                                               \
  struct Suite##_##Test {                                                                                        \
    static void run();                                                                                           \
  };                                                                                                             \
  [[maybe_unused]] bool const Suite##_##Test##_added =                                                           \
      ::araia::test::add_typed_test<Suite##_##Test>(Suite::suites(), #Test, __FILE__, __LINE__, Suite::types()); \
  template <class TypeParam>                                                                                     \
  void Suite##_##Test<TypeParam>::run()
