//! What the peers in C++ share: they read a recipe from standard input, run it in passes, and print the nanoseconds of
//! the fastest pass, the value of the root and the gradient of each leaf.
//!
//! A line is one step: its name, then the places of its operands or its number. A pass records all operations, as one
//! statement each, and goes backward. The printed numbers are those of the first pass; later ones move all leaves.

#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

enum class Kind { leaf, number, add, sub, mul, div, tanh, exp, relu, power, sum };

/// The operands of a sum are a range of `Recipe::terms`.
struct Step {
    Kind kind;
    std::size_t x = 0, y = 0;
    double number = 0.0;
};

struct Recipe {
    std::vector<Step> steps;
    std::vector<std::size_t> terms;
    std::vector<std::size_t> leaves;
};

inline Kind kind_called(const std::string& name) {
    static const std::pair<const char*, Kind> kinds[] = {
        {"leaf", Kind::leaf}, {"number", Kind::number}, {"add", Kind::add},     {"sub", Kind::sub},
        {"mul", Kind::mul},   {"div", Kind::div},       {"tanh", Kind::tanh},   {"exp", Kind::exp},
        {"relu", Kind::relu}, {"power", Kind::power},   {"sum", Kind::sum},
    };
    for (const auto& [known, kind] : kinds) {
        if (name == known) return kind;
    }
    throw std::runtime_error("no operation is called " + name);
}

inline Recipe read(std::istream& input) {
    Recipe recipe;
    for (std::string line; std::getline(input, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        Step step{kind_called(name)};
        switch (step.kind) {
            case Kind::leaf:
                recipe.leaves.push_back(recipe.steps.size());
                words >> step.number;
                break;
            case Kind::number: words >> step.number; break;
            case Kind::power: words >> step.x >> step.number; break;
            case Kind::sum:
                step.x = recipe.terms.size();
                for (std::size_t term; words >> term;) recipe.terms.push_back(term);
                step.y = recipe.terms.size();
                break;
            default: words >> step.x >> step.y;
        }
        recipe.steps.push_back(step);
    }
    return recipe;
}

/// Computes all values but those of leaves; the library records while this runs.
template <class Real>
void record(const Recipe& recipe, std::vector<Real>& values) {
    using std::exp, std::pow, std::tanh;
    for (std::size_t place = 0; place < recipe.steps.size(); ++place) {
        const Step& step = recipe.steps[place];
        Real& out = values[place];
        const Real &x = values[step.x], &y = values[step.kind == Kind::sum ? 0 : step.y];
        switch (step.kind) {
            case Kind::leaf: break;
            case Kind::number: out = step.number; break;
            case Kind::add: out = x + y; break;
            case Kind::sub: out = x - y; break;
            case Kind::mul: out = x * y; break;
            case Kind::div: out = x / y; break;
            case Kind::tanh: out = tanh(x); break;
            case Kind::exp: out = exp(x); break;
            case Kind::power: out = pow(x, step.number); break;
            case Kind::relu:
                if (x > 0.0) {
                    out = x;
                } else {
                    out = 0.0;
                }
                break;
            case Kind::sum:
                out = 0.0;
                for (std::size_t term = step.x; term < step.y; ++term) out += values[recipe.terms[term]];
                break;
        }
    }
}

/// Nanoseconds of one call, the least of several rounds, as the clock of the benches takes them.
template <class Work>
double time(Work work) {
    using Clock = std::chrono::steady_clock;
    const auto seconds = [&](long calls) {
        const auto start = Clock::now();
        for (long call = 0; call < calls; ++call) work();
        return std::chrono::duration<double>(Clock::now() - start).count() / double(calls);
    };
    const double once = std::max(seconds(1), 1e-9);
    const long calls = long(std::clamp(0.04 / once, 1.0, 1e7));
    double least = once;
    for (int round = 0; round < 7; ++round) least = std::min(least, seconds(calls));
    return least * 1e9;
}

/// Runs the recipe with a library: its number type `Real`, and what clears the tape, makes a leaf, begins to record the
/// operations, goes backward and reads a gradient.
template <class Library>
int run() {
    const Recipe recipe = read(std::cin);
    Library library;
    std::vector<typename Library::Real> values(recipe.steps.size());
    std::vector<double> begun, grads(recipe.leaves.size());
    for (std::size_t place : recipe.leaves) begun.push_back(recipe.steps[place].number);
    // A descent step, but always from the same point: thousands of steps would overflow.
    const auto pass = [&](double rate) {
        library.clear();
        for (std::size_t leaf = 0; leaf < begun.size(); ++leaf) {
            library.make_leaf(values[recipe.leaves[leaf]], begun[leaf] - rate * grads[leaf]);
        }
        library.begin_recording();
        record(recipe, values);
        library.backward(values.back());
        for (std::size_t leaf = 0; leaf < begun.size(); ++leaf) {
            grads[leaf] = library.gradient(values[recipe.leaves[leaf]]);
        }
    };
    pass(0.0);
    const double value = library.value(values.back());
    const std::vector<double> first = grads;
    std::printf("%.17g\n%.17g\n", time([&] { pass(1e-9); }), value);
    for (double grad : first) std::printf("%.17g\n", grad);
    return 0;
}
