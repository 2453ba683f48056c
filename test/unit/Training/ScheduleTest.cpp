//===- ScheduleTest.cpp ---------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Schedule.h"

#include <gtest/gtest.h>

using namespace nova;

TEST(Schedule, ConstantIsConstant) {
  Schedule schedule = {Schedule::Kind::Constant, 0.1, 0, 0, 10};
  EXPECT_EQ(schedule.at(0), 0.1);
  EXPECT_EQ(schedule.at(9), 0.1);
}

TEST(Schedule, WarmupRisesLinearly) {
  Schedule schedule = {Schedule::Kind::Constant, 0.8, 0, 4, 10};
  EXPECT_DOUBLE_EQ(schedule.at(0), 0.2);
  EXPECT_DOUBLE_EQ(schedule.at(1), 0.4);
  EXPECT_DOUBLE_EQ(schedule.at(3), 0.8);
  EXPECT_DOUBLE_EQ(schedule.at(4), 0.8);
}

TEST(Schedule, CosineFallsFromTheWarmupToTheLastStep) {
  Schedule schedule = {Schedule::Kind::Cosine, 1.0, 0.1, 2, 11};
  EXPECT_DOUBLE_EQ(schedule.at(1), 1.0);
  EXPECT_DOUBLE_EQ(schedule.at(2), 1.0);
  EXPECT_DOUBLE_EQ(schedule.at(6), 0.55); // Half way.
  EXPECT_DOUBLE_EQ(schedule.at(10), 0.1);
  for (uint64_t step = 3; step < 11; ++step)
    EXPECT_LT(schedule.at(step), schedule.at(step - 1));
}

TEST(Schedule, LinearFallsFromTheWarmupToTheLastStep) {
  Schedule schedule = {Schedule::Kind::Linear, 1.0, 0.2, 2, 11};
  EXPECT_DOUBLE_EQ(schedule.at(1), 1.0);
  EXPECT_DOUBLE_EQ(schedule.at(2), 1.0);
  EXPECT_DOUBLE_EQ(schedule.at(4), 0.8);
  EXPECT_DOUBLE_EQ(schedule.at(10), 0.2);
}

TEST(Schedule, ShortRunsHaveFiniteRates) {
  EXPECT_EQ((Schedule{Schedule::Kind::Cosine, 1.0, 0.1, 0, 1}.at(0)), 0.1);
  EXPECT_EQ((Schedule{Schedule::Kind::Cosine, 1.0, 0.1, 1, 1}.at(0)), 1.0);
  EXPECT_EQ((Schedule{Schedule::Kind::Cosine, 1.0, 0.1, 1, 2}.at(1)), 0.1);
}
